// What is said between client and agent before any session: versions, capabilities, signing in.

export const connectionDocs = {
  Meta: "Extra information the protocol has no field for. Keys are chosen by whoever adds them and should name their owner, as in `example.com/trace`; a receiver ignores what it does not know.",

  RequestId:
    "The id of a JSON-RPC request. Integers may exceed what a double holds exactly; compare ids, do not compute with them.",
  ProtocolVersion:
    "A major version of the protocol. It changes only when something breaks; everything else is a capability.",
  CancelRequestNotification:
    "Says that the sender no longer needs the answer to one of its requests. The request is still answered: with a result, or with the error -32800.",
  "CancelRequestNotification.requestId": "The id under which the sender made the request.",

  InitializeRequest: "The client's opening: the newest version it speaks, what it can do, and who it is.",
  "InitializeRequest.protocolVersion": "The newest version the client speaks.",
  "InitializeRequest.clientCapabilities":
    "What the agent may ask of the client. Left out means nothing beyond the baseline.",
  "InitializeRequest.clientInfo": "Who the client is. Optional for now, expected from every client in a later version.",
  InitializeResponse: "The agent's reply: the version both will speak, what it can do, and how a user signs in.",
  "InitializeResponse.protocolVersion":
    "The client's version if the agent speaks it, else the newest the agent speaks. A client that does not speak that one closes the connection.",
  "InitializeResponse.agentCapabilities":
    "What the client may ask of the agent. Left out means nothing beyond the baseline.",
  "InitializeResponse.authMethods": "The ways to sign in. Empty or left out when no signing in is needed.",
  "InitializeResponse.agentInfo": "Who the agent is. Optional for now, expected from every agent in a later version.",
  Implementation: "The name and version of a program that speaks the protocol.",
  "Implementation.name": "A short name for programs, shown to people only where there is no title.",
  "Implementation.title": "A name for people.",

  ClientCapabilities: "What a client can do for an agent. An agent must not ask for what is not here.",
  "ClientCapabilities.fs": "Which file methods the client answers.",
  "ClientCapabilities.terminal": "Whether the client answers all of the `terminal/*` methods.",
  "ClientCapabilities.session": "What the client can show in a session beyond the baseline.",
  "ClientCapabilities.auth": "Which ways of signing in the client can carry out.",
  "ClientCapabilities.elicitation": "How the client can ask a person for input. Null or left out: not at all.",
  FileSystemCapabilities: "Which of the file methods a client answers; each is false unless it says true.",
  ClientSessionCapabilities:
    "What a client can show in a session beyond the baseline. An object, even an empty one, means yes; null or left out means no.",
  "ClientSessionCapabilities.compaction": "The client shows when an agent compacts its context.",
  "ClientSessionCapabilities.configOptions":
    "Kinds of configuration option the client can show besides a choice from a list.",
  "ClientSessionCapabilities.notices": "The client shows notices.",
  CompactionCapabilities: "Says that a client shows when an agent compacts its context. Its presence is all it says.",
  NoticeCapabilities: "Says that a client shows notices. Its presence is all it says.",
  SessionConfigOptionsCapabilities: "The kinds of configuration option a client can show besides a choice from a list.",
  "SessionConfigOptionsCapabilities.boolean":
    "The client can show an option that is on or off. Null or left out: an agent must not offer one.",
  BooleanConfigOptionCapabilities: "Says that a client can show options that are on or off.",
  AuthCapabilities: "The ways of signing in that a client can carry out.",
  "AuthCapabilities.terminal":
    "Whether the client can run the agent's own command again in an interactive terminal, for a user to sign in there.",
  ElicitationCapabilities:
    "The ways in which a client can ask a person for input. An object means yes; null or left out means no.",
  "ElicitationCapabilities.form": "The client shows forms.",
  "ElicitationCapabilities.url": "The client sends people to a web page, after asking them.",
  ElicitationFormCapabilities: "Says that a client shows forms.",
  ElicitationUrlCapabilities: "Says that a client sends people to web pages.",

  AgentCapabilities: "What an agent can do. A client must not ask for what is not here.",
  "AgentCapabilities.loadSession": "Whether `session/load` can open a stored session and replay its history.",
  "AgentCapabilities.promptCapabilities": "The content a prompt may have besides text and links.",
  "AgentCapabilities.mcpCapabilities": "How the agent reaches MCP servers besides starting them as processes.",
  "AgentCapabilities.sessionCapabilities": "Which session methods the agent answers besides the baseline.",
  "AgentCapabilities.auth": "Which methods around signing in the agent answers besides the baseline.",
  PromptCapabilities:
    "The kinds of content block a prompt may have besides text and resource links; each is false unless it says true.",
  "PromptCapabilities.image": "Prompts may have `image` blocks.",
  "PromptCapabilities.audio": "Prompts may have `audio` blocks.",
  "PromptCapabilities.embeddedContext":
    "Prompts may have `resource` blocks, that is, the content of a file within the prompt.",
  McpCapabilities: "The ways an agent reaches MCP servers besides stdio, which every agent supports.",
  "McpCapabilities.sse": "Deprecated by MCP itself; `http` took its place.",
  SessionCapabilities:
    "The session methods an agent answers besides the baseline. An object, even an empty one, means yes; null or left out means no.",
  "SessionCapabilities.list": "The agent answers `session/list`.",
  "SessionCapabilities.delete": "The agent answers `session/delete`.",
  "SessionCapabilities.additionalDirectories": "Sessions may have folders besides their working directory.",
  "SessionCapabilities.resume": "The agent answers `session/resume`.",
  "SessionCapabilities.close": "The agent answers `session/close`.",
  SessionListCapabilities: "Says that an agent can list its stored sessions.",
  SessionDeleteCapabilities: "Says that an agent can delete stored sessions.",
  SessionAdditionalDirectoriesCapabilities:
    "Says that an agent's sessions can have folders besides their working directory.",
  SessionResumeCapabilities: "Says that an agent can go on with a stored session without replaying it.",
  SessionCloseCapabilities: "Says that an agent can close a session.",
  AgentAuthCapabilities: "The methods around signing in that an agent answers besides `authenticate`.",
  "AgentAuthCapabilities.logout": "The agent answers `logout`.",
  LogoutCapabilities: "Says that a user can be signed out of an agent.",

  AuthMethod: "A way to sign in that an agent offers.",
  AuthMethodId: "Names a way to sign in; chosen by the agent.",
  AuthMethodAgent:
    "Signing in that the agent carries out itself, when it is asked to by `authenticate`. This is what a method is that does not say what it is.",
  "AuthMethodAgent.type": "Usually left out. A type this version does not know is read as this one too.",
  AuthMethodTerminal:
    "Signing in that a user does in a terminal: the client runs the agent's own command again, with these additions, and an exit code of 0 means success. It is never passed to `authenticate`.",
  "AuthMethodTerminal.args": "Put after the arguments the agent is usually started with.",
  "AuthMethodTerminal.env": "Environment variables by name, which win over those the agent is usually started with.",
  AuthenticateRequest: "Asks the agent to sign the user in.",
  "AuthenticateRequest.methodId": "One of the methods of the `initialize` answer, not one that runs in a terminal.",
  AuthenticateResponse: "The user is signed in.",
  LogoutRequest: "Asks the agent to forget who is signed in.",
  LogoutResponse: "Nobody is signed in any more.",
};
