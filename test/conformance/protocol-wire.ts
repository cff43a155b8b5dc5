// The socket, its lines, joining a session, and those who are slow.
import type { Section } from './chapter.ts'

export const protocolWire: readonly Section[] = [
  {
    id: 'SOCKET',
    about: 'Where the server listens.',
    cases: {
      'SOCKET-path':
        'The runtime folder, else a folder of the user in /tmp; `RXPI_SOCKET`, then `--socket`, go before.',
      'SOCKET-private': 'Its folder is 0700 and the socket 0600, whatever the umask.',
      'SOCKET-stale': 'A dead server’s socket is replaced, a live one’s refused.',
      'SOCKET-twenty': 'Of twenty that start at once one wins.',
      'SOCKET-start': 'A client that needs a server starts one, and says how it ends.',
      'SOCKET-version': 'One of another version is replaced where nobody uses it, else named with how to stop it.',
      'SOCKET-idle': 'One that was started by a client leaves after 30 minutes without client, run or job.',
    },
  },
  {
    id: 'WIRE',
    about: 'Lines, requests and answers.',
    cases: {
      'WIRE-lines':
        'UTF-8, one object a line, ended by a line feed alone; blank lines are nothing; a last line counts at the end.',
      'WIRE-too_large': 'A line over 16 MiB is answered `message_too_large` and skipped.',
      'WIRE-hello':
        'The server speaks first: version, protocol, limits, capabilities, and an epoch that is new at every start.',
      'WIRE-once': 'Each request has exactly one answer under its id.',
      'WIRE-wrong':
        'Unknown fields are ignored; unknown types, wrong shapes and bad JSON are answered with a code and the field, and the connection lives on.',
      'WIRE-timeout': '`timeoutMs` and `cancel` end the request, and not what it began.',
      'WIRE-opId': 'What is sent again with its opId is answered the same and done once, also after a restart.',
      'WIRE-event': 'A durable event is its log line behind the session, byte for byte, made once for all clients.',
      'WIRE-delta': 'Pieces go in a compact form with channel, block and offset; other transient events whole.',
      'WIRE-bounds': '1,000 commands of a session may wait; the next is `overloaded`.',
      'WIRE-codes': 'Error codes are one table, in the code and in the docs.',
      'WIRE-schema':
        'The whole protocol is one JSON Schema, which fits every line of a conversation; the page has a worked line of each command.',
      'WIRE-stdio': '`rxpi rpc` speaks the same on standard input and output.',
    },
  },
  {
    id: 'ATTACH',
    about: 'Joining a session.',
    cases: {
      'ATTACH-order': 'The answer, then the log after the point asked for, the mark, then live.',
      'ATTACH-whole': 'Without gap or repeat, at whatever moment, with cuts and resumptions.',
      'ATTACH-live': 'With neither point it is live alone, with what is open in mid-message and the tools that run.',
      'ATTACH-deltas': 'Without deltas no pieces are sent, and everything durable is.',
      'ATTACH-join': 'Pieces may be joined over so many milliseconds.',
      'ATTACH-state': '`get_state` says where it is, what is queued and asked, what runs, and whether all is verified.',
      'ATTACH-ui': 'Only clients that said `hello {ui: true}` count as able to answer.',
      'ATTACH-channel':
        'Calls of a client’s tools go to it alone, are answered by `channel_result` and ended early by `channel_cancel`.',
    },
  },
  {
    id: 'SLOW',
    about: 'A slow client harms only itself.',
    cases: {
      'SLOW-lagging': 'Who lags is told once; nothing is held for it but where it was, and it gets all it missed.',
      'SLOW-threshold': 'It lags once it has left more than 1 MiB.',
      'SLOW-long': 'A long line that many are behind at is read once and held once.',
      'SLOW-others': 'The run and the others do not wait for it.',
      'SLOW-reads': 'A log is read as it is taken, in pieces of 64 KiB.',
      'SLOW-cut': 'Who takes nothing for 60 s is cut off, and resumes.',
      'SLOW-ended': 'Text that was not told when its message ended is told from that end.',
    },
  },
  {
    id: 'CLIENT',
    about: 'Clients of the library.',
    cases: {
      'CLIENT-reconnect': 'A client that reconnects goes on behind the last `seq` and repeats only what has an opId.',
      'CLIENT-unknown': 'Frames and events that a client does not know are passed over.',
      'CLIENT-stranger': 'A client can be written from the page alone.',
    },
  },
]
