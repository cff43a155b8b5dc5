// Cases of the wire: the socket, lines, attaching, slow clients.
import type { Section } from './chapter.ts'

export const protocolWire: readonly Section[] = [
  {
    id: 'SOCKET',
    about: 'The socket of the server.',
    cases: {
      'SOCKET-path': 'The runtime folder, else a folder of the user in /tmp; `RXPI_SOCKET` and `--socket` override it.',
      'SOCKET-private': 'Its folder is 0700 and the socket 0600, whatever the umask.',
      'SOCKET-stale': 'A dead server’s socket is replaced, a live one’s refused.',
      'SOCKET-twenty': 'Of twenty servers that start at once, one wins.',
      'SOCKET-start': 'A client without a server starts one, and prints how to end it.',
      'SOCKET-version': 'A server of another version is replaced if it is idle, else named with the way to stop it.',
      'SOCKET-descriptors':
        'Without file descriptors a command is answered `overloaded`; idle sessions are closed, and the server recovers.',
      'SOCKET-idle': 'A server that a client started ends after 30 minutes without client, run or job.',
    },
  },
  {
    id: 'WIRE',
    about: 'Lines, requests and answers.',
    cases: {
      'WIRE-lines':
        'UTF-8, one object a line, ended by a line feed alone; blank lines are ignored; the last line of a stream counts without it.',
      'WIRE-too_large': 'A line over 16 MiB is answered `message_too_large` and skipped.',
      'WIRE-hello':
        'The server sends the first line: version, protocol, limits, capabilities, and an epoch that is new at every start.',
      'WIRE-once': 'Each request has exactly one response with its id.',
      'WIRE-wrong':
        'Unknown fields are ignored; unknown types, wrong shapes and bad JSON get a code and the field, and the connection stays open.',
      'WIRE-timeout': '`timeoutMs` and `cancel` end the request, not the work that it started.',
      'WIRE-opId':
        'A command repeated with its opId gets the same response and is executed once, also after a restart.',
      'WIRE-event': 'A durable event is its log line behind the session, byte for byte, built once for all clients.',
      'WIRE-delta': 'Pieces have a compact form with channel, block and offset; other transient events are whole.',
      'WIRE-bounds': '1,000 commands of a session can wait; the next is `overloaded`.',
      'WIRE-codes': 'Error codes are one table, in the code and in the docs.',
      'WIRE-schema':
        'The whole protocol is one JSON Schema, which fits every line of a conversation; the page has an example for each command.',
      'WIRE-stdio': '`rxpi rpc` uses the same protocol on standard input and output.',
    },
  },
  {
    id: 'ATTACH',
    about: 'Joining a session.',
    cases: {
      'ATTACH-order': 'The response comes first, then the log after the requested point, the mark, then live events.',
      'ATTACH-whole': 'There is no gap and no repeat, at any moment, with lost connections and resumptions.',
      'ATTACH-live': 'Without a point only live events come, with the open message and the running tools.',
      'ATTACH-deltas': 'Without deltas, all durable events and no pieces are sent.',
      'ATTACH-join': 'Pieces can be joined over a time in milliseconds.',
      'ATTACH-state':
        '`get_state` returns position, queues, questions, the active run, and whether all lines are verified.',
      'ATTACH-ui': 'Only clients with `hello {ui: true}` count as able to answer.',
      'ATTACH-channel':
        'Calls of a client’s tools go to that client alone; `channel_result` answers and `channel_cancel` ends them.',
      'ATTACH-files':
        'Tools use the files of the client that offered them last; if it leaves or fails they use the disk, and say so.',
      'ATTACH-terminals':
        'Commands outside of the sandbox run in the terminals of the client that offered them last; its end is an error of the call.',
    },
  },
  {
    id: 'SLOW',
    about: 'A slow client affects only itself.',
    cases: {
      'SLOW-lagging':
        'A lagging client gets one notice; the server stores only its position, and it gets all missed events.',
      'SLOW-threshold': 'A client lags with more than 1 MiB of unread data.',
      'SLOW-long': 'A long line for many slow clients is read once and held once.',
      'SLOW-others': 'The run and the other clients do not wait for it.',
      'SLOW-reads': 'A log is read at the pace of the client, in pieces of 64 KiB.',
      'SLOW-cut': 'A client that reads nothing for 60 s is disconnected, and can resume.',
      'SLOW-ended': 'Text that was not sent when its message ended comes from the end of the message.',
    },
  },
  {
    id: 'CLIENT',
    about: 'Clients of the library.',
    cases: {
      'CLIENT-reconnect':
        'A reconnecting client continues behind the last `seq` and repeats only commands with an opId.',
      'CLIENT-unknown': 'A client ignores unknown frames and events.',
      'CLIENT-stranger': 'A client can be written from the page alone.',
    },
  },
]
