// S1 to S12: where power comes from, the server, and who may reach what.
import type { Section } from './chapter.ts'

export const securityPower: readonly Section[] = [
  {
    id: 'S1',
    about: 'Where power comes from.',
    cases: {
      S1a: 'A tool cannot ask for an approval of its own making, and a question of others cannot pass for one.',
      S1b: {
        says: 'Policy, trust, sandbox and endpoints change by a client’s command or the user’s own files alone.',
        comesWith: 'tools and safety',
      },
      S1c: {
        says: 'A change of phase that adds power and that a tool’s result causes waits for a person.',
        comesWith: 'context engineering',
      },
      S1d: { says: 'No extension changes policy, approvals, trust or endpoints.', comesWith: 'extensions' },
    },
  },
  {
    id: 'S2',
    about: 'The configuration of a folder.',
    cases: {
      S2a: 'Until folders can be trusted, nothing in a folder is read as configuration: no settings, no models, no .env.',
      S2b: {
        says: 'The settings of a trusted folder can only tighten: no endpoint, header, key, command, proxy, mode or allow rule.',
        comesWith: 'context engineering',
      },
    },
  },
  {
    id: 'S3',
    about: 'Trust of a folder.',
    cases: {
      S3a: {
        says: 'Trust gates what a folder brings, by a digest of all of it that is shown before asking; any change asks again.',
        comesWith: 'context engineering',
      },
      S3b: { says: 'AGENTS.md is content and never permission.', comesWith: 'context engineering' },
      S3c: {
        says: 'Trust and remembered approvals lie in the state folder, private, by real path, and come with no session or import.',
        comesWith: 'tools and safety',
      },
      S3d: { says: 'Extensions of a folder wait for its trust.', comesWith: 'extensions' },
    },
  },
  {
    id: 'S4',
    about: 'The decision about a call.',
    cases: {
      S4a: 'It is made after the hooks, on the arguments that the tool gets.',
      S4b: 'Where nobody can answer, ask means no.',
      S4c: {
        says: 'Of all that has a say the strictest wins; a user’s allow lowers ask and never deny.',
        comesWith: 'tools and safety',
      },
      S4d: {
        says: 'An allow pattern counts where every simple command matches, without assignments and redirections.',
        comesWith: 'tools and safety',
      },
    },
  },
  {
    id: 'S5',
    about: 'An approval.',
    cases: {
      S5a: 'It is for one call: the next one asks again, with an id and arguments of its own.',
      S5b: 'Its id is 128 random bits, is answered once, and every later answer is refused.',
      S5c: 'Recovery closes it as denied.',
      S5d: 'An opId belongs to session and command; with another body it is refused.',
      S5e: {
        says: 'One that is remembered is bound to arguments, folder and sandbox.',
        comesWith: 'tools and safety',
      },
    },
  },
  {
    id: 'S6',
    about: 'What is allowed unasked.',
    cases: {
      S6a: 'In the library, with nobody to ask, reads run and all else is refused with the name of the option.',
      S6b: '`approve: "auto"` runs everything unasked, and is said explicitly.',
      S6c: 'Until there is policy the command runs tools unasked.',
      S6f: {
        says: 'The docs say plainly that without a sandbox an approval is a seat belt: what it lets run, runs as its user.',
        comesWith: 'tools and safety',
      },
      S6d: {
        says: 'With a sandbox leaving it asks; without one, writes and commands ask; reads outside the workspace ask.',
        comesWith: 'tools and safety',
      },
      S6e: {
        says: 'No tool reads the keys of rxpi, of SSH or of clouds, or another process’s environment.',
        comesWith: 'tools and safety',
      },
    },
  },
  {
    id: 'S7',
    about: 'Environments.',
    cases: {
      S7a: 'A server that a client starts has / for its folder and a fixed minimal environment.',
      S7b: 'A session has the folder and environment that its client gave, and no other session’s.',
      S7c: 'A client’s environment is never logged, told or returned.',
      S7d: 'A server’s environment block holds no key, whatever started it.',
    },
  },
  {
    id: 'S8',
    about: 'The socket.',
    cases: {
      S8a: 'The server uses no socket and folder but private ones of its user’s, no link and nothing else.',
      S8b: 'The client checks the same, and sends nothing where it does not hold.',
      S8c: 'A path that the kernel would cut is refused: 107 bytes on Linux, 103 on macOS.',
    },
  },
  {
    id: 'S9',
    about: 'Names and files from elsewhere.',
    cases: {
      S9a: 'The ids of sessions, blobs and snapshots fit their pattern before they touch a path.',
      S9b: 'A blob is what its hash says, or it is not given.',
      S9c: 'Folders and files of sessions are the user’s own, and no link to them or in them is followed.',
      S9d: 'The name of a folder’s sessions has a hash: folders that look alike stay apart.',
      S9e: 'An import brings no mode, tools, questions, queue or jobs into force.',
      S9f: 'An import gets the folder that its user names.',
    },
  },
  {
    id: 'S10',
    about: 'Tools of clients.',
    cases: {
      S10a: 'They are named by their client and shadow no other tool.',
      S10b: 'They ask, unless somebody has decided.',
      S10c: 'Only the connection that got a call answers it, once.',
    },
  },
  {
    id: 'S11',
    about: 'The LLM proxy, and redirects.',
    cases: {
      S11a: 'It takes the name of a model, and no address, header or key.',
      S11b: 'It listens on loopback unless it is told otherwise.',
      S11c: 'Its bearer token is compared in constant time, and said nowhere.',
      S11d: 'Host is on a list.',
      S11e: 'Pages are refused whose origin nobody configured.',
      S11f: 'Bodies and answers are bounded.',
      S11g: 'No wire follows a redirect to another origin.',
    },
  },
  {
    id: 'S12',
    about: 'Models on this machine.',
    cases: {
      S12a: 'One is used unasked only where its listener is the user’s or a system account’s; any other is offered.',
      S12b: 'Whose it is, is read from the system’s own tables.',
    },
  },
]
