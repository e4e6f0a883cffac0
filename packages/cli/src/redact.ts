// Text without what looks like a secret: the runtime's own, for the program's logs and exports.

export { redact } from "@agentao/agent/program";
