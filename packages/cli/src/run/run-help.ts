// What `agentao run --help` prints.

export const help = `agentao run: one job without a person, from a prompt to an answer and an exit code

Usage
  agentao run [OPTIONS] PROMPT…
  COMMAND | agentao run [OPTIONS] [PROMPT…]
  agentao run --spec FILE [--param NAME=VALUE]… [OPTIONS]
  agentao -p PROMPT [OPTIONS]                     the same as agentao run PROMPT

The answer goes to stdout and nothing else does: a pipe gets the final answer, a terminal everything
as it is said. In a terminal stderr shows what goes on. Standard input is added to the prompt as a
quoted block; without a prompt it is the prompt. A prompt that begins with a dash goes behind --.
The session is saved, whatever ends the run, and can be gone on with.

Prompt and session
  --prompt TEXT       The prompt, for those who do not like bare words.
  --spec FILE         The job as JSON or YAML; - reads it from standard input. What the command line
                      says wins.
  --param NAME=VALUE  A parameter of the spec. May be given many times.
  -c, --continue      Go on with the newest session of this folder.
  -r, --resume ID     Go on with this session; the beginning of its id is enough.
  -C, --cwd FOLDER    Work there.

Agent
  -m, --model MODEL   The model, as provider/model or by its name; agentao models lists them.
  --base-url URL      The address of the provider named by LLM_PROVIDER (OPENAI without one).
  --agent "COMMAND"   Drive another ACP agent instead, started by this command line. No shell reads
                      it.
  --lend WHAT         What that agent may ask of us besides reading files of its folder: write,
                      terminal or write,terminal.

Permissions
  --mode MODE         read-only, workspace-write (what most begin with), full-access or plan. Also:
                      --permission-mode.
  --allow RULE        Allow what would be asked about. May be given many times.
  --deny RULE         Forbid, whatever the mode and other rules say. May be given many times.

  Nobody can be asked here, so what would be asked about is refused; a refusal ends the run with
  exit code 3 and says which rule would have allowed it. A RULE is a tool, or a tool and what it may
  be used for; * stands for any text:
    write_file                       every use of a tool
    run_shell_command(npm test)      this command; in a line of several, each must be allowed
    run_shell_command(cd a && make)  this very line, whatever is in it
    run_shell_command(npm run *)     every command that begins so
    write_file(src/*)                files in a folder; also replace, read_file
    write_file(.env)                 this very file, also one that no pattern allows
    web_fetch(.python.org)           a host and, after a dot, all below it
    mcp_github_*                     all tools that begin so
  Deny wins over allow. Rules become rules of the runtime, and are looked at together with those of
  permissions.json. What can never be allowed (rm -rf /) and what read-only and plan refuse stays
  refused. With --agent, rules answer that agent's questions, by the name of the tool or by its kind
  (read, edit, delete, move, search, execute, fetch); what it does without asking cannot be denied
  from here.

Limits
  --max-turns N       Steps of the agent: requests to the model and what it asked for. Also:
                      --max-iterations.
  --max-cost DOLLARS  Stop when the run has cost more. Needs a model with known prices.
  --timeout TIME      Stop after 90, 90s, 10m or 1h; the time to read standard input counts.

Output
  --format FORMAT     text         the answer (the default)
                      json         one object: the answer, the session, what was used, and the error
                                   if there is one
                      stream-json  a line of JSON for the session, for every ACP session update
                                   as it comes, and for the object of json in the end
  --verbose           Tell notices and the session id on stderr, also where it is no terminal.
  -h, --help          Show this.

  Accepted, and without effect: --interaction-policy reject, --replay, --no-replay.

A spec
  { "prompt": "Review {{ file }}", "parameters": [{ "name": "file", "required": true }],
    "permission_mode": "read-only", "max_iterations": 20, "output": { "format": "json" } }
  Names: prompt, instructions (instead of AGENTAO.md), parameters [name, required, default,
  choices], cwd, model, base_url, permission_mode, interaction_policy (reject), permissions {allow,
  deny}, max_iterations, max_cost, timeout (seconds, or as above), replay, output {format}. Rules in
  permissions are RULEs as above, or objects {tool, args, domain} as in permissions.json. There is
  no place for keys.

Examples
  agentao run "what does this project do?"
  git diff | agentao run "write a commit message for this" | git commit -F -
  agentao run --mode read-only --format json "find dead code" | jq -r .final_text
  agentao run --allow 'run_shell_command(npm test)' --timeout 10m "make the tests pass"
  agentao run --continue "and now the docs"
  agentao run --spec review.json --param file=src/main.ts
  agentao run --agent "npx -y some-acp-agent --stdio" "say hello"

Exit codes
  0    done
  1    the model or the agent failed, or gave no answer, or the answer could not be written
  2    the command line or the spec makes no sense, or names what cannot be had
  3    a permission was missing, or the agent asked a question
  4    a limit was reached: --max-turns, --max-cost, --timeout
  130  interrupted (Ctrl-C, SIGTERM); a second Ctrl-C ends it at once
`;
