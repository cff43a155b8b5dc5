// What becomes of each event that tells of a queued input, where lines around it were lost.
import { describe, expect, it } from 'vitest'
import { queueRepair } from '../../../lib/store/repair/repair-entries.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { assistantMessage } from '../sessions/sample-records.ts'

const words = [{ type: 'text', text: 'do this' }] as const
const said: Message = { role: 'user', content: words, timestamp: 1 }

function add(queueId = 'queuedaa'): AgentEvent {
  return { type: 'queue_update', op: 'add', queue: 'steering', queueId, content: words }
}

function take(queueId = 'queuedaa'): AgentEvent {
  return { type: 'queue_update', op: 'take', queue: 'steering', queueId }
}

function start(entryId = 'entryaaa', queueId = 'queuedaa'): AgentEvent {
  return { type: 'message_start', entryId, parentId: null, queueId, message: { ...said, content: [] } }
}

function end(entryId = 'entryaaa', message: Message = said): EventNamed<'message_end'> {
  return { type: 'message_end', entryId, parentId: null, message }
}

/** What is said of each of the events, one after the other; `undefined` where it stands as it was. */
function changesOf(...events: readonly AgentEvent[]) {
  const repair = queueRepair()
  return events.map((event) => repair.mend(event).change)
}

/** Whether each of the events is one that an input was taken without its message. */
function lostOf(...events: readonly AgentEvent[]) {
  return changesOf(...events).map((change) => change !== undefined)
}

describe('that an input was taken', () => {
  it('stays where its message is there [LOG-repair]', () => {
    expect(changesOf(add(), start(), end(), take())).toEqual([undefined, undefined, undefined, undefined])
  })

  it('is taken back where nothing of its message is there', () => {
    expect(changesOf(add(), take())).toEqual([undefined, expect.stringMatching(/is lost; the input is queued again/)])
    expect(queueRepair().mend(take()).event).toMatchObject({ type: 'error', code: 'lost_line', recoverable: true })
  })

  it('is taken back where a message started and did not end', () => {
    expect(lostOf(add(), start(), take())).toEqual([false, false, true])
  })

  it('stays where a message came whose start is lost: it may be its own', () => {
    expect(lostOf(add(), end(), take())).toEqual([false, false, false])
  })

  it('stays for one such message only once', () => {
    expect(lostOf(add(), add('queuedbb'), end(), take(), take('queuedbb'))).toEqual([false, false, false, false, true])
  })

  it('is taken back where the message before it was that of another input', () => {
    expect(lostOf(add(), add('queuedbb'), start(), end(), take('queuedbb'))).toEqual([false, false, false, false, true])
  })

  it("is taken back where only a model's message came whose start is lost", () => {
    expect(lostOf(add(), end('entryaaa', assistantMessage('done')), take())).toEqual([false, false, true])
  })
})

describe('the lost start of a message', () => {
  const told = (...events: readonly AgentEvent[]) => {
    const repair = queueRepair()
    for (const event of events) repair.mend(event)
    return repair
  }

  it('is made anew, without content, where a queued input has its words [LOG-repair]', () => {
    expect(told(add()).lostStart({ event: end() })).toEqual(start())
  })

  it.each<[string, AgentEvent[], AgentEvent]>([
    ['it was not lost', [add(), start()], end()],
    [
      'the input was removed',
      [add(), { type: 'queue_update', op: 'remove', queue: 'steering', queueId: 'queuedaa' }],
      end(),
    ],
    ['another message had delivered the input', [add(), start(), end()], end('entrybbb')],
    ['the model said the same words', [add()], end('entryaaa', { ...assistantMessage(''), content: words })],
  ])('is not made where %s', (_, events, event) => {
    expect(told(...events).lostStart({ event })).toBeUndefined()
  })
})
