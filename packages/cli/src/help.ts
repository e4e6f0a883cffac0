// What `agentao --help` prints.

import { commands } from "./command/index.ts";
import { toProgramHelp } from "./program-help.ts";

export const help: string = toProgramHelp(commands);
