// Tests the repair of queue events if lines around them were lost.
import { describe, expect, it } from 'vitest'
import { queueRepair } from '../../../lib/store/repair/repair-entries.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { assistantMessage } from '../sessions/sample-records.ts'

const words = [{ type: 'text', text: 'do this' }] as const
const userMessage: Message = { role: 'user', content: words, timestamp: 1 }

function add(queueId = 'queuedaa'): AgentEvent {
  return { type: 'queue_update', op: 'add', queue: 'steering', queueId, content: words }
}

function take(queueId = 'queuedaa'): AgentEvent {
  return { type: 'queue_update', op: 'take', queue: 'steering', queueId }
}

function start(entryId = 'entryaaa', queueId = 'queuedaa'): AgentEvent {
  return { type: 'message_start', entryId, parentId: null, queueId, message: { ...userMessage, content: [] } }
}

function end(entryId = 'entryaaa', message: Message = userMessage): EventNamed<'message_end'> {
  return { type: 'message_end', entryId, parentId: null, message }
}

/** The repair of each event, in order; `undefined` if it is unchanged. */
function changesOf(...events: readonly AgentEvent[]) {
  const repair = queueRepair()
  return events.map((event) => repair.mend(event).change)
}

/** Whether each of the events is the take of an input without its message. */
function lostOf(...events: readonly AgentEvent[]) {
  return changesOf(...events).map((change) => change !== undefined)
}

describe('the take of an input', () => {
  it('stays if its message exists [LOG-repair]', () => {
    expect(changesOf(add(), start(), end(), take())).toEqual([undefined, undefined, undefined, undefined])
  })

  it('is undone if no part of its message exists', () => {
    expect(changesOf(add(), take())).toEqual([undefined, expect.stringMatching(/is lost; the input is queued again/)])
    expect(queueRepair().mend(take()).event).toMatchObject({ type: 'error', code: 'lost_line', recoverable: true })
  })

  it('is undone if a message started and did not end', () => {
    expect(lostOf(add(), start(), take())).toEqual([false, false, true])
  })

  it('stays if a message without a start follows: it can be its own', () => {
    expect(lostOf(add(), end(), take())).toEqual([false, false, false])
  })

  it('stays for one such message only', () => {
    expect(lostOf(add(), add('queuedbb'), end(), take(), take('queuedbb'))).toEqual([false, false, false, false, true])
  })

  it('is undone if the message before it was that of another input', () => {
    expect(lostOf(add(), add('queuedbb'), start(), end(), take('queuedbb'))).toEqual([false, false, false, false, true])
  })

  it('is undone if only a message of the model without a start follows', () => {
    expect(lostOf(add(), end('entryaaa', assistantMessage('done')), take())).toEqual([false, false, true])
  })
})

describe('the lost start of a message', () => {
  const repairsOf = (...events: readonly AgentEvent[]) => {
    const repair = queueRepair()
    for (const event of events) repair.mend(event)
    return repair
  }

  it('is rebuilt, without content, if a queued input has its text [LOG-repair]', () => {
    expect(repairsOf(add()).lostStart({ event: end() })).toEqual(start())
  })

  it.each<[string, AgentEvent[], AgentEvent]>([
    ['it was not lost', [add(), start()], end()],
    [
      'the input was removed',
      [add(), { type: 'queue_update', op: 'remove', queue: 'steering', queueId: 'queuedaa' }],
      end(),
    ],
    ['another message had delivered the input', [add(), start(), end()], end('entrybbb')],
    ['the model answered with the same text', [add()], end('entryaaa', { ...assistantMessage(''), content: words })],
  ])('is not rebuilt if %s', (_, events, event) => {
    expect(repairsOf(...events).lostStart({ event })).toBeUndefined()
  })
})
