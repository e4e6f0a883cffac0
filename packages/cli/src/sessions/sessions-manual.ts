// What `agentao sessions` says about itself.

import type { Option } from "../manual/command.ts";
import type { Manual } from "../manual/manual.ts";
import { FORMATS } from "./export-session.ts";

const ALL: Option = { name: "--all", summary: "Of all folders, not only of the current one." };
const CWD: Option = { name: "--cwd", value: "DIR", summary: "Of this folder instead of the current one." };
const JSON_OPTION: Option = { name: "--json", summary: "For programs." };
const YES: Option = { name: "--yes", short: "-y", summary: "Do not ask. Needed where there is nobody to ask." };

export const manual: Manual = {
  name: "sessions",
  title: "list, read, search, export and delete stored sessions",
  about: [
    "Every session is kept in a file of its own below AGENTAO_HOME. An ID may be cut short, as long as no other session begins like it. To show and to export, words of the title do as well, and nothing at all means the newest session of this folder. What looks like a key or a password is not shown and not exported.",
    "Sessions that agentao in Python left in .agentao/sessions of this folder can be listed, shown, searched and exported too; they are never deleted.",
    "Without a command, the sessions of this folder are listed.",
  ],
  subcommands: [
    {
      name: "list",
      usage: "[--cwd DIR | --all] [--json | --ids]",
      summary: "The sessions of this folder, newest first.",
      options: [CWD, ALL, JSON_OPTION, { name: "--ids", summary: "Only the ids, one in a line." }],
    },
    {
      name: "show",
      usage: "[ID] [--thoughts] [--full] [--json]",
      summary: "One session: what was said, what was done and who allowed it, model, cost and time.",
      options: [
        { name: "--thoughts", summary: "With what the model thought." },
        { name: "--full", summary: "With all output of calls, not only its beginning." },
        JSON_OPTION,
      ],
      operand: "session",
    },
    {
      name: "search",
      usage: "TEXT [--cwd DIR] [--case-sensitive] [--limit N] [--json]",
      summary: "Where a text was said, in all sessions: prompts, answers, thoughts, calls and their results.",
      options: [
        CWD,
        { name: "--case-sensitive", summary: "Large letters are not small ones." },
        { name: "--limit", value: "N", summary: "Stop after so many. 100 where nothing is said." },
        { name: "--json", summary: "For programs: one object in a line." },
      ],
    },
    {
      name: "export",
      usage: "[ID] [--format FORMAT] [--output FILE]",
      summary: "One session as a document.",
      options: [
        {
          name: "--format",
          value: "FORMAT",
          choices: FORMATS,
          summary: "What kind of document. That of FILE's ending, or markdown, where nothing is said.",
        },
        {
          name: "--output",
          short: "-o",
          value: "FILE",
          summary: "Write it there, which must be new. Else it is printed.",
        },
      ],
      operand: "session",
    },
    {
      name: "delete",
      usage: "ID… [--yes]",
      summary: "Delete sessions. Those that are open elsewhere stay.",
      options: [YES],
      operand: "session",
    },
    {
      name: "prune",
      usage: "--older-than AGE [--keep N] [--dry-run] [--yes]",
      summary: "Delete sessions that were not used for long. Those that are open elsewhere stay.",
      options: [
        { name: "--older-than", value: "AGE", summary: "Not used for so long: 90m, 12h, 30d, 8w." },
        { name: "--keep", value: "N", summary: "The N newest stay, however old they are." },
        { name: "--dry-run", summary: "Only say which." },
        YES,
      ],
    },
  ],
  examples: [
    ["agentao sessions list --all", "Everything there is."],
    ["agentao sessions show", "The newest one of this folder."],
    ["agentao sessions show 3f2a", "The session whose id begins with sess_3f2a."],
    ['agentao sessions show "login test"', "The session with that in its title."],
    ['agentao sessions search "login test"', "Where that was talked about."],
    ["agentao sessions export 3f2a --output login.html", "A page to pass on."],
    ["agentao sessions export | less", "The newest one of this folder, to read."],
    ["agentao sessions prune --older-than 30d --keep 20 --yes", "For a job that runs every night."],
  ],
  exitCodes: [
    [0, "done"],
    [1, "no such session, nothing found, or something could not be deleted"],
    [2, "the command line makes no sense"],
    [130, "a search was interrupted"],
  ],
};
