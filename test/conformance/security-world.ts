// Security rules S13 to S23: tools, programs, screens and files.
import type { Section } from './chapter.ts'

export const securityWorld: readonly Section[] = [
  {
    id: 'S13',
    about: 'The sandbox and sockets.',
    cases: {
      S13a: 'A sandboxed call reaches no Unix socket outside the workspace, and no agent or bus through its environment.',
    },
  },
  {
    id: 'S14',
    about: 'Protected paths.',
    cases: {
      S14a: 'No tool writes rxpi’s own files, `.rxpi`, or git’s hooks and configuration, wherever they are; start-up files, skills and commands ask.',
      S14b: 'The policy is read when a session opens; a change on disk that loosens it waits for a person.',
    },
  },
  {
    id: 'S15',
    about: 'Git.',
    cases: {
      S15a: 'rxpi’s own git calls run no program that a repository configures.',
      S15b: 'Snapshots are in the state folder and are bounded.',
      S15c: 'No snapshot contains ignored files, and the user’s repository contains nothing of a snapshot.',
      S15e: 'A phase that only reads runs no git in another repository than that of the workspace.',
      S15d: 'The name of the branch is read from `.git/HEAD`.',
    },
  },
  {
    id: 'S16',
    about: 'Programs.',
    cases: {
      S16a: 'git, ripgrep and the shell are resolved to absolute paths outside the workspace.',
      S16b: 'ripgrep reads no configuration.',
      S16c: 'A persistent shell carries its folder and exported variables; changing where programs come from suspends approvals.',
    },
  },
  {
    id: 'S17',
    about: 'Files for long output.',
    cases: {
      S17a: 'The files are created exclusively, without following links, and belong to their user alone.',
      S17b: 'They are in the state folder.',
      S17c: 'They end at 256 MiB, and the result says so.',
    },
  },
  {
    id: 'S18',
    about: 'Secrets.',
    cases: {
      S18a: 'Text of a provider that repeats a key, header or address is removed before it is published or stored.',
      S18b: 'Secrets in outputs are removed from live pieces, files, blobs, checkpoints, exports and errors.',
      S18c: 'An edit or a write puts no placeholder of a secret into a file that does not have it.',
      S18d: 'Commands and jobs do not get the keys of model providers.',
    },
  },
  {
    id: 'S19',
    about: 'Terminals.',
    cases: {
      S19a: 'No untrusted text acts on a terminal: control, C1, bidi, zero-width and tag characters are made visible.',
      S19b: 'JSON on a terminal escapes them and keeps its value; other outputs keep every byte.',
      S19c: 'Lines of a surface keep text, colours and one cursor marker, and nothing else.',
      S19d: 'A surface is drawn 30 times a second at most, with 64 KiB at most; the latest lines win.',
    },
  },
  {
    id: 'S20',
    about: 'Approvals on a screen.',
    cases: {
      S20a: 'An approval looks different from every other question, and each question names its source.',
      S20b: 'It shows the exact command in full, page by page if it is long.',
      S20c: 'Keys in its first 300 ms are ignored.',
    },
  },
  {
    id: 'S21',
    about: 'HTML pages of sessions.',
    cases: {
      S21a: 'Their policy allows their own style sheet by hash, embedded pictures, and nothing else.',
      S21b: 'They load nothing, and link only to http, https and mail.',
    },
  },
  {
    id: 'S22',
    about: 'Context files.',
    cases: {
      S22a: 'A file above the repository is read only if the file, its folder and the target of its link belong to the user or root, and no other user can write them.',
      S22b: 'A file behind a link out of the workspace, in a vendored or ignored folder, or imported from outside or hidden is not read.',
      S22c: 'Each load is a `context_added` event; each refusal, cut and removal is a warning.',
      S22d: 'Invisible characters are removed with a warning.',
    },
  },
  {
    id: 'S23',
    about: 'Extensions.',
    cases: {
      S23a: 'A hash covers every file of a package and its dependencies; exactly the hashed code runs.',
      S23b: 'Changed content waits for trust, except in folders that a person marked; install scripts never run.',
    },
  },
]
