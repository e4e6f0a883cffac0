export * from "../error/local-error.ts";
export * from "../error/rpc-error.ts";
