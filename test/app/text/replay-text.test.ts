// Tests the text of a replayed session.
import { expect, it } from 'vitest'
import { createOutput } from '../../../app/process/output.ts'
import { createReplayPrinter } from '../../../app/text/replay-text.ts'
import type { MessageDelta } from '../../../lib/streams/messages/delta.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { recordingStream } from '../../support/fake-world.ts'

const entryId = 'aaaaaaaa'
const update = (delta: MessageDelta): AgentEvent => ({ type: 'message_update', entryId, delta })
const piece = (contentIndex: number, offset: number, text: string): AgentEvent =>
  update({ type: 'text_delta', contentIndex, offset, text })
const start = (message: Message): AgentEvent => ({ type: 'message_start', entryId, parentId: null, message })
const end = (message: Message): AgentEvent => ({ type: 'message_end', entryId, parentId: null, message })
const two = assistant([
  { type: 'text', text: 'Hello' },
  { type: 'thinking', thinking: 'hm' },
  { type: 'text', text: 'there' },
])
const speaker = `── ${two.provider}/${two.model}\n`

function spoken(events: readonly AgentEvent[]): string {
  const stream = recordingStream()
  const speak = createReplayPrinter(createOutput({ stream, name: 'standard output', colours: false }))
  for (const event of events) speak(event)
  return stream.written
}

it.each<[string, AgentEvent[], string]>([
  ['a prompt', [start(user('')), end(user('Hi'))], '── you\nHi\n\n'],
  ['an answer as it comes', [start(two), piece(0, 0, 'He'), piece(0, 2, 'l')], `${speaker}Hel`],
  ['the rest with the end', [start(two), piece(0, 0, 'He'), end(two)], `${speaker}Hello\nthere\n\n`],
  ['no piece twice', [start(two), piece(0, 0, 'Hel'), piece(0, 0, 'Hello'), end(two)], `${speaker}Hello\nthere\n\n`],
  ['nothing behind a gap but with the end', [start(two), piece(0, 0, 'H'), piece(0, 3, 'l')], `${speaker}H`],
  [
    'no later block before it',
    [start(two), piece(0, 3, 'l'), piece(2, 0, 'there'), end(two)],
    `${speaker}Hello\nthere\n\n`,
  ],
  ['why an answer failed', [start(two), end(assistant([], { errorMessage: 'cut' }))], `${speaker}[cut]\n\n`],
  ['nothing of an answer that calls alone', [start(two), end(assistant([]))], ''],
  ['no tool’s result', [start(toolResult()), end(toolResult())], ''],
  [
    'pictures by their kind',
    [start(user('')), end(user([{ type: 'image', mimeType: 'image/png', data: '' }]))],
    '── you\n[image: image/png]\n\n',
  ],
])('prints %s', (_, events, text) => {
  expect(spoken(events)).toBe(text)
})
