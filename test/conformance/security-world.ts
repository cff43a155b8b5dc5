// S13 to S23: tools, programs, screens and files.
import type { Section } from './chapter.ts'

export const securityWorld: readonly Section[] = [
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
]
