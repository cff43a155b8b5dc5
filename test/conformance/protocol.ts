// Events, the log, the wire, every command, the command line: what others may build on.
import type { Chapter } from './chapter.ts'
import { protocolCommandLine } from './protocol-command-line.ts'
import { protocolCommands } from './protocol-commands.ts'
import { protocolEvents } from './protocol-events.ts'
import { protocolLog } from './protocol-log.ts'
import { protocolWire } from './protocol-wire.ts'

export const protocol: Chapter = {
  title: 'The protocol',
  about:
    'What front ends, scripts and other programs may build on; the whole of it, field by field, is in [protocol.md](protocol.md).',
  sections: [...protocolEvents, ...protocolLog, ...protocolWire, ...protocolCommands, ...protocolCommandLine],
}
