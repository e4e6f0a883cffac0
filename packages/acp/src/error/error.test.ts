import { expect, test } from "vitest";
import { LocalError } from "./local-error.ts";
import { RpcError } from "./rpc-error.ts";

test("an error that another copy of the library made is recognised, and nothing else is", () => {
  const foreign = Object.assign(new Error("log in"), { [Symbol.for("@agentao/acp/RpcError")]: true, code: -32000 });
  expect(foreign instanceof RpcError).toBe(true);
  expect(foreign instanceof LocalError).toBe(false);
  expect(new LocalError("closed", "gone") instanceof LocalError).toBe(true);
  expect([new Error("x"), null, "RpcError", { name: "RpcError" }].some((value) => value instanceof RpcError)).toBe(
    false,
  );
});

test("a code that is no integer is refused where the error is made", () => {
  expect(() => new RpcError(1.5, "half")).toThrow("the code of an RpcError is an integer");
});
