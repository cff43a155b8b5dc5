// The rules about who is not trusted: what a model says, what a tool prints, what a folder holds, other users, other pages.
import type { Chapter } from './chapter.ts'

export const security: Chapter = {
  title: 'Security',
  about:
    'Not trusted are: what a model says, what a tool prints, what a folder holds, a session from elsewhere, other users of the machine, other web origins. Trusted are a person whose client passed the checks of the socket, and files that only this person can write.',
  sections: [
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
    {
      id: 'S13',
      about: 'The sandbox and sockets.',
      cases: {
        S13a: {
          says: 'A sandboxed call reaches no Unix socket outside of the workspace, and no agent or bus by its environment.',
          comesWith: 'tools and safety',
        },
      },
    },
    {
      id: 'S14',
      about: 'Places that are not written.',
      cases: {
        S14a: {
          says: 'No tool writes rxpi’s own files, `.rxpi`, or git’s hooks and configuration, wherever they are; start-up files ask.',
          comesWith: 'tools and safety',
        },
        S14b: {
          says: 'Policy is read when a session is opened; what loosens it on disk waits for a person.',
          comesWith: 'tools and safety',
        },
      },
    },
    {
      id: 'S15',
      about: 'Git.',
      cases: {
        S15a: 'Our own calls of git run no program that a repository names.',
        S15b: 'Snapshots lie in the state folder and are bounded.',
        S15c: 'What is ignored is in no snapshot, and nothing of one in the user’s repository.',
        S15d: 'The name of the branch is read from `.git/HEAD`.',
      },
    },
    {
      id: 'S16',
      about: 'Programs.',
      cases: {
        S16a: 'git, ripgrep and the shell are found by absolute paths outside of the workspace.',
        S16b: 'ripgrep reads no configuration.',
        S16c: {
          says: 'A persistent shell carries its folder and exported variables; changing where programs come from suspends approvals.',
          comesWith: 'tools and safety',
        },
      },
    },
    {
      id: 'S17',
      about: 'Full outputs.',
      cases: {
        S17a: 'Their files are made exclusively, follow no link, and are their user’s alone.',
        S17b: 'They lie in the state folder.',
        S17c: 'They end at 256 MiB, and it is said.',
      },
    },
    {
      id: 'S18',
      about: 'Secrets.',
      cases: {
        S18a: 'Whatever a provider repeats of a key, header or address that it was sent is cut out before it is told or kept.',
        S18b: {
          says: 'Secrets in outputs are put out of live pieces, files, blobs, checkpoints, exports and errors alike.',
          comesWith: 'tools and safety',
        },
        S18c: { says: 'An edit writes no placeholder into a file.', comesWith: 'tools and safety' },
      },
    },
    {
      id: 'S19',
      about: 'Terminals.',
      cases: {
        S19a: 'Nothing untrusted acts on a terminal: control, C1, bidi, zero-width and tag characters are made visible.',
        S19b: 'JSON on a terminal escapes them and keeps its value; where no terminal reads, every byte stays.',
      },
    },
    {
      id: 'S20',
      about: 'Approvals on a screen.',
      cases: {
        S20a: 'An approval looks unlike every other question, and each question names who asks.',
        S20b: 'It shows the exact command, whole, a page at a time where it is long.',
        S20c: 'Keys of its first 300 ms are ignored.',
      },
    },
    {
      id: 'S21',
      about: 'HTML pages of sessions.',
      cases: {
        S21a: 'Their policy allows their own style sheet by its hash, pictures in the page, and nothing else.',
        S21b: 'They load nothing from elsewhere, and link to http, https and mail alone.',
      },
    },
    {
      id: 'S22',
      about: 'Context files.',
      cases: {
        S22a: {
          says: 'One above the repository is read where nobody else could write it; one behind a link or in an ignored folder is not.',
          comesWith: 'context engineering',
        },
        S22b: {
          says: 'Each that is loaded is told; invisible characters are taken out with a warning.',
          comesWith: 'context engineering',
        },
      },
    },
    {
      id: 'S23',
      about: 'Extensions.',
      cases: {
        S23a: {
          says: 'A hash covers every file of a package and its dependencies, and what runs is what was hashed.',
          comesWith: 'extensions',
        },
        S23b: {
          says: 'Changed content waits for trust, but in folders that a person marked; install scripts never run.',
          comesWith: 'extensions',
        },
      },
    },
  ],
}
