// The chapter of the protocol: events, the log, the wire, commands, the command line.
import type { Chapter } from './chapter.ts'
import { protocolCommandLine } from './protocol-command-line.ts'
import { protocolCommands } from './protocol-commands.ts'
import { protocolEvents } from './protocol-events.ts'
import { protocolLog } from './protocol-log.ts'
import { protocolWire } from './protocol-wire.ts'

export const protocol: Chapter = {
  title: 'The protocol',
  about: 'The interface for front ends, scripts and other programs. [protocol.md](protocol.md) has every field.',
  sections: [...protocolEvents, ...protocolLog, ...protocolWire, ...protocolCommands, ...protocolCommandLine],
}
