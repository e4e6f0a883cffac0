// Whether the programs of MCP servers are there. None is started.

import { readServerFiles } from "@agentao/agent/mcp";
import type { Io } from "../io/io.ts";
import { toLine } from "../text/plain.ts";
import { findProgram } from "./find-program.ts";
import { type Finding, warning } from "./finding.ts";

export async function examineServers(
  place: Pick<Io, "cwd" | "env"> & { home: string | undefined },
): Promise<Finding[]> {
  const { user, project, userPath, projectPath } = await readServerFiles(place);
  const findings: Finding[] = [];
  for (const { name, source, transport } of [...user.servers, ...project.servers]) {
    // One below a folder may be made by the project itself.
    if (transport.type !== "stdio" || /^\.{1,2}[/\\]/.test(transport.command)) continue;
    if ((await findProgram(transport.command, { ...place.env, ...transport.env })) !== undefined) continue;
    const path = source === "project" ? projectPath : userPath;
    const program = toLine(transport.command, 100);
    findings.push(
      warning(
        "mcp",
        `${path}: MCP server "${toLine(name, 100)}": there is no program ${program}. Install it, or write its whole path.`,
        path,
      ),
    );
  }
  return findings;
}
