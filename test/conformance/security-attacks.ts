// Security rules S24 to S30: lessons from attacks.
import type { Section } from './chapter.ts'

export const securityAttacks: readonly Section[] = [
  {
    id: 'S24',
    about: 'A log that lost its file.',
    cases: {
      S24a: 'After its file was removed, replaced, truncated or appended to, a log acknowledges nothing and takes no line.',
      S24b: 'A further hard link to the log is no fault.',
      S24c: 'The run ends, every client gets `storage`, and `rxpi -p` ends with 5.',
      S24d: 'A session without its log is shown as read-only, and leaves memory when its last client has left.',
    },
  },
  {
    id: 'S25',
    about: 'Files that a person names.',
    cases: {
      S25a: 'A device and a named pipe get the text as they take it, and stay what they are.',
      S25b: 'An existing file is replaced only with `--force` (wire: `overwrite`); an aborted or failed write leaves it as it was.',
      S25c: 'rxpi never writes to a socket, a disk, its own state, the log of an open session, or through a symbolic link.',
    },
  },
  {
    id: 'S26',
    about: 'Debuggers.',
    cases: {
      S26a: 'No process of rxpi opens a debugger on SIGUSR1, however it was started.',
    },
  },
  {
    id: 'S27',
    about: 'Patterns of foreign schemas, and processes that compute without end.',
    cases: {
      S27a: 'A pattern is matched in linear time, exactly as JavaScript matches it.',
      S27b: 'What linear time cannot do is matched in a worker, for 100 ms in one validation; then it counts as unmatched, and the result says so.',
      S27c: 'A client’s tool with a hostile pattern holds up no other client, and `--output-schema` with one ends in time.',
      S27d: 'On Linux the guardian ends a process of `serve`, `rpc` or `-p` that computes without a turn of its event loop (10 s of CPU time), and says so: SIGTERM and Ctrl-C never wait for it longer.',
      S27e: 'After `--timeout` the limit is 2 s of CPU time; the commands of the run end too, and the session goes on as after `kill -9`.',
      S27f: 'A process that was stopped, that waits, or whose event loop turns is spared.',
    },
  },
  {
    id: 'S28',
    about: 'Answers with more than the API has.',
    cases: {
      S28a: 'After the terminal event only usage counts: no text, no call and no failure.',
      S28b: 'Content after a finish reason and before the terminal event counts.',
      S28c: 'A frame that is not the API’s is skipped; one warning a model has their number.',
      S28d: 'A broken frame of the API is a `network` failure, which is retried.',
    },
  },
  {
    id: 'S29',
    about: 'Processes of a dead server.',
    cases: {
      S29a: 'Every process of an rxpi that was killed in one instant with its guardian is found by its mark and ended.',
      S29b: 'Processes of a living rxpi, of another pid namespace, and without a readable mark are spared.',
      S29c: 'A server that starts and the recovery of a session do this, and report it.',
    },
  },
  {
    id: 'S30',
    about: 'The environment of `rxpi serve`.',
    cases: {
      S30a: 'The environment block of a server is an allow-list, however the server was started.',
      S30b: 'The server reads all variables of its start once, from a descriptor that it empties and closes.',
      S30c: 'Proxies of providers are those of the server’s start, and are read from memory.',
    },
  },
]
