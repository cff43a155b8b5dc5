// Security rules S1 to S12: sources of permission, and the server.
import type { Section } from './chapter.ts'

export const securityPower: readonly Section[] = [
  {
    id: 'S1',
    about: 'Sources of permission.',
    cases: {
      S1a: 'A tool cannot create an approval, and no other question looks like one.',
      S1b: 'Policy, trust, sandbox and endpoints change only by a command of a client or by files of the user.',
      S1c: 'A change of phase that adds power waits for a person if a tool result or an extension caused it.',
      S1g: 'A phase only refuses: no rule, model or lack of a person makes it allow a call.',
      S1h: 'A phase whose scenario is gone lets calls only read, until a person chooses another.',
      S1d: 'No extension lets a call run that policy asks about or refuses, or changes its arguments afterwards.',
    },
  },
  {
    id: 'S2',
    about: 'The configuration of a folder.',
    cases: {
      S2a: 'Without trust no configuration is read from a folder; no models.json and no .env ever is.',
      S2b: 'The settings of a trusted folder can only tighten: no endpoint, header, key, command, proxy, mode or allow rule.',
      S2c: 'Commands of a folder at events are listed with its digest, and run only after a person trusted it.',
      S2d: 'MCP servers of a folder are listed with its digest, secrets by name, and run only after a person trusted it.',
    },
  },
  {
    id: 'S3',
    about: 'Trust of a folder.',
    cases: {
      S3a: 'Trust gates the content of a folder by a digest, which is shown before the question. Any change asks again.',
      S3b: 'AGENTS.md is content and never permission.',
      S3c: 'Trust and remembered approvals are in the state folder, private, by real path; no session or import brings them.',
      S3f: 'Scenarios of a folder count only while a person trusts it, and can only restrict.',
      S3e: 'Skills and templates of a folder are not read before a person trusts it.',
      S3d: 'Extensions of a folder wait for its trust, and then for a decision of their own.',
    },
  },
  {
    id: 'S4',
    about: 'The decision about a call.',
    cases: {
      S4a: 'The decision comes after the hooks, on the arguments that the tool gets.',
      S4b: 'If no client can answer, ask means no.',
      S4c: 'The strictest rule wins; an allow of the user lowers ask, never deny.',
      S4d: 'An allow pattern counts if every simple command matches, nothing is unknown, no variable is set in front, and no redirection leaves the workspace.',
    },
  },
  {
    id: 'S5',
    about: 'An approval.',
    cases: {
      S5a: 'An approval is for one call: the next call asks again, with its own id and arguments.',
      S5b: 'Its id has 128 random bits and is used once; each later answer is refused.',
      S5c: 'Recovery closes it as denied.',
      S5d: 'An opId belongs to a session and a command; with another body it is refused.',
      S5e: 'A remembered approval is bound to arguments, folder and sandbox.',
    },
  },
  {
    id: 'S6',
    about: 'Actions without a question.',
    cases: {
      S6a: 'In the library, without an approver, reads run and all else is refused with the name of the option.',
      S6b: '`approve: "auto"` runs everything without a question, and must be set explicitly.',
      S6c: 'If no client can answer, a call that asks is refused; `rxpi -p` names it with what allows it, and exits with 1.',
      S6f: 'The docs say that without a sandbox an approval is a seat belt: approved code runs with the user’s rights.',
      S6g: 'Loaded skills count as inside the workspace for reading, and for nothing else.',
      S6d: 'With a sandbox, leaving it asks; without one, writes and commands ask. Reads outside the workspace ask.',
      S6e: 'No tool reads the keys of rxpi, of SSH or of clouds, or another process’s environment.',
    },
  },
  {
    id: 'S7',
    about: 'Environments.',
    cases: {
      S7a: 'A server that a client starts has the folder / and a fixed minimal environment.',
      S7b: 'A session has the folder and environment of its client, and of no other session.',
      S7c: 'A client’s environment is never logged, sent or returned.',
      S7d: 'The environment block of a server has no key, however the server was started.',
      S7e: 'Providers use the keys of a server’s start after those of the client; tools and commands get none of them.',
      S7f: 'A base URL counts only with a key of its own environment.',
      S7g: 'The server names the keys of its start, and each notice and list names the source of a key.',
    },
  },
  {
    id: 'S8',
    about: 'The socket.',
    cases: {
      S8a: 'The server uses only a private socket in a private folder of its user, and no link.',
      S8b: 'The client checks the same and sends nothing if a check fails.',
      S8c: 'A path that the kernel would truncate is refused: the limit is 107 bytes on Linux, 103 on macOS.',
    },
  },
  {
    id: 'S9',
    about: 'Names and files from elsewhere.',
    cases: {
      S9a: 'Ids of sessions, blobs and snapshots are checked against their pattern before they become part of a path.',
      S9b: 'A blob is returned only if it matches its hash.',
      S9c: 'Session folders and files belong to the user, and no link to them or in them is followed.',
      S9d: 'The name of a session folder has a hash, so similar folders stay separate.',
      S9e: 'An import activates no mode, tools, questions, queue or jobs.',
      S9f: 'An import gets the folder that the user names.',
    },
  },
  {
    id: 'S10',
    about: 'Tools of clients.',
    cases: {
      S10a: 'Their names contain the client’s name and shadow no other tool.',
      S10b: 'They ask, unless a decision exists.',
      S10c: 'Only the connection that got a call can answer it, once.',
    },
  },
  {
    id: 'S11',
    about: 'The LLM proxy, the gateway, and redirects.',
    cases: {
      S11a: 'A request has the name of a model, and no address, header or key.',
      S11b: 'The proxy listens on loopback by default.',
      S11c: 'Its bearer token is compared in constant time and never printed.',
      S11d: '`Host` must be on a list.',
      S11e: 'Pages of an origin that is not configured are refused.',
      S11f: 'Bodies and answers are bounded.',
      S11g: 'No provider adapter follows a redirect to another origin.',
    },
  },
  {
    id: 'S12',
    about: 'Models on this machine.',
    cases: {
      S12a: 'A model is used without a question only if its listener belongs to the user or a system account; any other is offered.',
      S12b: 'The owner of a listener comes from the system’s own tables.',
    },
  },
]
