// Tests `assembleMessage`, which turns the deltas of a request into message events.
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { assembleMessage } from '../../../lib/operators/request/assemble-message.ts'
import { foldMessage } from '../../../lib/streams/messages/fold-message.ts'
import type { AssistantMessage } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { shortName } from '../../../lib/testing/short-name.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { sampleUsage } from '../../streams/events/samples.ts'
import {
  textStart,
  text,
  textEnd,
  callStart,
  callPiece,
  done,
  letters,
  options,
  assemble,
} from './assemble-message-scene.ts'

describe('assembleMessage', () => {
  it.each([
    ['an answer', '-s-o-t-e-d|', '3:ms(asst),mu 5:mu 7:mu 10:me(asst),|'],
    ['an answer without content', '-s-d|', '4:ms(asst),me(asst),|'],
    ['events between deltas', '-r-o-r-(d|)', '1:auto_retry 3:ms(asst),mu 5:auto_retry 7:me(asst),|'],
    ['usage', '-o-u-d|', '1:ms(asst),mu 6:me(asst),|'],
    ['silence', '-', ''],
    ['an answer that stops emitting', '-o-t-', '1:ms(asst),mu 3:mu'],
    ['a completion without done', '-o-t|', '1:ms(asst),mu 3:mu 4:me(asst),|'],
    ['an empty stream', '--|', '2:ms(asst),me(asst),|'],
    ['a failure before anything', '--#', '2:ms(asst),me(asst),|'],
    ['a failure in the middle', '-o-t-#', '1:ms(asst),mu 3:mu 5:me(asst),|'],
    ['a failure after done', '-o-d-#', '1:ms(asst),mu 5:me(asst),|'],
    ['a delta of a missing block', '-o-x-t|', '1:ms(asst),mu 3:me(asst),|'],
  ])('turns %s into the events of one message', (_, marble, expected) => {
    const line = timeline(({ cold }) => cold(marble, letters).pipe(assembleMessage(options())), { name: shortName })
    expect(line).toBe(expected)
  })

  it('starts with an empty message and ends with the whole one [EVENT-message]', () => {
    const { events, message } = assemble([
      { type: 'start', responseId: 'r', model: 'other' },
      { type: 'thinking_start', contentIndex: 0 },
      { type: 'thinking_delta', contentIndex: 0, text: 'hm' },
      { type: 'thinking_end', contentIndex: 0, signature: 's' },
      textStart(1),
      text('a', 1),
      text('b', 1),
      textEnd(1),
      done('stop'),
    ])
    const { api, provider, id } = scriptedModel
    const head = { role: 'assistant', api, provider, model: id, responseId: 'r', responseModel: 'other' }
    expect(events[0]).toMatchObject({
      type: 'message_start',
      entryId: 'entry',
      parentId: 'parent',
      message: { ...head, content: [] },
    })
    expect(message).toMatchObject({
      ...head,
      content: [
        { type: 'thinking', thinking: 'hm', thinkingSignature: 's' },
        { type: 'text', text: 'ab' },
      ],
      stopReason: 'stop',
      usage: sampleUsage,
    })
    expect(message).not.toHaveProperty('errorMessage')
  })

  it('gives each piece its offset, so that folding the updates gives the message [EVENT-offset]', () => {
    const { events, message } = assemble([
      textStart(),
      text('a'),
      callStart('c', 1),
      text('b😀'),
      callPiece('{"a"', 1),
      text('c'),
      callPiece(':1}', 1),
      done(),
    ])
    const deltas = events.flatMap((event) => (event.type === 'message_update' ? [event.delta] : []))
    expect(deltas.flatMap((delta) => ('offset' in delta ? [delta.offset] : []))).toEqual([0, 1, 0, 4, 4])
    const [start] = events
    if (start?.type !== 'message_start' || message === undefined) throw new Error('no message')
    const folded = deltas.reduce(foldMessage, start.message as AssistantMessage)
    expect(folded.content).toEqual([
      { type: 'text', text: 'ab😀c' },
      { type: 'toolCall', id: 'c', name: 'read', arguments: {}, argumentsText: '{"a":1}' },
    ])
    expect(message.content[1]).toEqual({ type: 'toolCall', id: 'c', name: 'read', arguments: { a: 1 } })
  })

  it('sets the duration of the message', () => {
    marbles(({ cold, flush }) => {
      let message: unknown
      cold('---o-----d|', letters)
        .pipe(assembleMessage(options({ onAnswer: (answer) => (message = answer.message) })))
        .subscribe()
      flush()
      expect(message).toMatchObject({ timestamp: 0, durationMs: 10 })
    })
  })

  it('calls onAnswer before the message ends', () => {
    const emitted: string[] = []
    from([textStart(), done()])
      .pipe(assembleMessage(options({ onAnswer: ({ entryId }) => emitted.push(entryId) })))
      .subscribe((event) => emitted.push(shortName(event)))
    expect(emitted).toEqual(['ms(asst)', 'mu', 'entry', 'me(asst)'])
  })
})

describe('assembleMessage of tool calls', () => {
  it('parses a call that the provider did not close, if the answer is complete', () => {
    const { message } = assemble([
      callStart('c'),
      callPiece('{"a":1}'),
      callStart('d', 1),
      callPiece('oops', 1),
      done('toolUse'),
    ])
    expect(message?.content).toEqual([
      { type: 'toolCall', id: 'c', name: 'read', arguments: { a: 1 } },
      { type: 'toolCall', id: 'd', name: 'read', arguments: {}, argumentsText: 'oops' },
    ])
  })

  it('gives a call with a repeated id a new id, in message and updates', () => {
    const { message, events } = assemble([
      callStart('c'),
      callStart('c', 1),
      callStart('c', 2),
      callStart('c_1', 3),
      callStart('c_6', 4),
      callStart('c', 5),
      done('toolUse'),
    ])
    const ids = message?.content.map((block) => (block.type === 'toolCall' ? block.id : ''))
    expect(new Set(ids).size).toBe(6)
    expect(ids?.[0]).toBe('c')
    const emitted = events.flatMap((event) =>
      event.type === 'message_update' && event.delta.type === 'toolcall_start' ? [event.delta.id] : [],
    )
    expect(emitted).toEqual(ids)
  })

  it('gives a call without an id a new id', () => {
    const { message } = assemble([{ type: 'toolcall_start', contentIndex: 0, id: '', name: 'read' }, done('toolUse')])
    expect(message?.content).toMatchObject([{ id: 'call_1' }])
  })
})
