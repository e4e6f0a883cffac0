// What can go wrong while driving an agent, by the names other programs know.

export type DriveFaultCode =
  | "config_invalid"
  | "server_not_found"
  | "process_start_fail"
  | "handshake_fail"
  | "request_timeout"
  | "transport_disconnect"
  | "interaction_required"
  | "protocol_error"
  | "server_busy";

/** An expected failure. Its message says what to do. */
export class DriveFault extends Error {
  override readonly name = "DriveFault";
  readonly code: DriveFaultCode;

  constructor(code: DriveFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** As `agentao run`: 2 for what was asked wrongly, 3 for what nobody was there to allow, 1 for the rest. */
export function toExitCode(code: DriveFaultCode): number {
  switch (code) {
    case "config_invalid":
    case "server_not_found":
      return 2;
    case "interaction_required":
      return 3;
    case "process_start_fail":
    case "handshake_fail":
    case "request_timeout":
    case "transport_disconnect":
    case "protocol_error":
    case "server_busy":
      return 1;
  }
}
