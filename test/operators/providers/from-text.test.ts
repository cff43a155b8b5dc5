// Tests `fromText`, which makes a provider of a stream of text.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { fromText } from '../../../lib/operators/providers/from-text.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { sampleUsage } from '../../streams/events/samples.ts'
import { sampleRequest } from './provider-samples.ts'

const values: Record<string, AssistantDelta> = {
  s: { type: 'start' },
  t: { type: 'text_start', contentIndex: 0 },
  a: { type: 'text_delta', contentIndex: 0, text: 'a' },
  b: { type: 'text_delta', contentIndex: 0, text: 'b' },
  e: { type: 'text_end', contentIndex: 0 },
  d: { type: 'done', stopReason: 'stop', usage: { ...noUsage, cost: 'unknown' } },
}

describe('fromText', () => {
  it.each([
    ['starts, and stays open if the text never comes', '---', 's--', '^'],
    ['emits the pieces in one block', '------a----b-----|', 's-----(ta)-b-----(ed|)', '^----------------!'],
    ['emits an empty answer for no text', '----|', 's---(d|)', '^---!'],
    ['leaves out empty pieces', '----x-----a----x-|', 's---------(ta)---(ed|)', '^----------------!'],
    ['fails with the text', '-----a------#', 's----(ta)---#', '^-----------!'],
  ])('%s', (_, marble, expected, subscription) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const text$ = cold(marble, { a: 'a', b: 'b', x: '' })
      expectObservable(fromText(text$)(sampleRequest)).toBe(expected, values)
      expectSubscriptions(text$.subscriptions).toBe(subscription)
    })
  })

  it('unsubscribes the text when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const text$ = cold('-----a----b')
      expectObservable(fromText(text$)(sampleRequest), '^--------!').toBe('s----(ta)', values)
      expectSubscriptions(text$.subscriptions).toBe('            ^--------!')
    })
  })

  it('creates the text from the request, and its usage from both', () => {
    const received: AssistantDelta[] = []
    const usage = (text: string) => ({ ...sampleUsage, output: text.length })
    fromText(({ messages }) => of('one ', messages.map(messageText).join()), { usage })(sampleRequest).subscribe(
      (delta) => received.push(delta),
    )
    expect(received.at(-1)).toEqual({ type: 'done', stopReason: 'stop', usage: { ...sampleUsage, output: 9 } })
  })

  it.each([
    ['the function throws', () => { throw new Error('broken') }], // prettier-ignore
    ['the text fails', () => throwError(() => new Error('broken'))],
  ])('fails if %s', (_, text) => {
    const errors: unknown[] = []
    fromText(text)(sampleRequest).subscribe({ error: (error: unknown) => errors.push(error) })
    expect(errors).toEqual([new Error('broken')])
  })

  it('is a provider of a run', () => {
    const played = virtualRun({
      script: [],
      ports: {
        settings: () => ({
          model: scriptedModel,
          provider: fromText(of('Hel', 'lo')),
          system: '',
          thinkingLevel: 'off',
          tools: [],
        }),
      },
    })
    expect(played.messages.at(-1)).toMatchObject({ content: [{ type: 'text', text: 'Hello' }], stopReason: 'stop' })
    expect(played.notation()).toMatch(/AE SET$/)
  })
})
