// What `agentao --help` prints.

export const help = `agentao: a governed agent that any host can drive

Usage
  agentao --acp [--stdio] [--resume [ID]]
  agentao --help | --version

Options
  --acp          Serve the Agent Client Protocol (ACP) v1 over stdin and stdout, for editors and programs.
  --stdio        The transport of --acp. It is the only one so far, so it may be left out.
  --resume [ID]  With --acp: the first session/new goes on with session ID, or with the newest one of its folder.
  -h, --help     Show this.
  -V, --version  Show the version.

Try it without a key
  The built-in demo model needs neither a key nor a network:
  printf '%s\\n' '{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}' | agentao --acp

In an editor (Zed)
  { "agent_servers": { "agentao": { "command": "agentao", "args": ["--acp", "--stdio"] } } }

Environment
  AGENTAO_HOME   Where sessions and settings are kept. Default: ~/.agentao
  AGENTAO_LOG    A file to log what went wrong to. Default: agentao.log in AGENTAO_HOME
  AGENTAO_MODEL  The model of new sessions: scripted/demo, or scripted/FILE.json for a scenario of your own.

Exit codes
  0  done, or the client went away    2  the command line makes no sense    1  anything else
`;
