// Tests `summariseOlder`, which replaces older messages of a request by a summary.
import { EMPTY, of, pipe, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { summariseOlder } from '../../../lib/operators/context/summarise-older.ts'
import { dropThinking } from '../../../lib/operators/context/trim-messages.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Summariser, SummaryRequest } from '../../../lib/streams/ports/agent-context.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { applyTransform, behavesAsTransform, call, contextOf } from './context-samples.ts'

/** A message of 100 estimated tokens: 384 characters and 16 for its role. */
const text = (name: string): string => name.padEnd(384, '.')
const asks = (name: string): Message => user(text(name))
const answers = (name: string): Message => assistant([{ type: 'text', text: text(name) }], { usage: noUsage })
const exchange = (name: string): Message[] => [asks(`${name}?`), answers(`${name}!`)]
const lead = 'The conversation up to here was summarised to save space. The summary:'
const summaryOf = (content: string): Message => ({ role: 'user', content: `${lead}\n\n${content}`, timestamp: 1 })

/** Names what it is asked to summarise. */
function naming(requests: SummaryRequest[] = []): Summariser {
  return (request) => {
    requests.push(request)
    const names = request.messages.map((message) => messageText(message).replaceAll('.', ''))
    return of([request.previous ?? [], names].flat().join(' '))
  }
}

const three = [...exchange('a'), ...exchange('b'), ...exchange('c')]
const long = contextOf(three)
const shortened = { ...long, messages: [summaryOf('a? a! b? b!'), ...exchange('c')] }
const short = contextOf(exchange('a'))
const options = { summariser: naming(), tokens: 500, keepTokens: 250 }

describe('summariseOlder', () => {
  behavesAsTransform(() => summariseOlder(options), long, shortened, short)

  it('keeps as many exchanges as fit', () => {
    const transform$ = summariseOlder({ ...options, keepTokens: 450 })
    expect(applyTransform(transform$, long).messages).toEqual([summaryOf('a? a!'), ...exchange('b'), ...exchange('c')])
  })

  it('keeps the last exchange, however long it is', () => {
    const last = [asks('c?'), answers('c!'), answers('c!'), answers('c!'), answers('c!')]
    const transform$ = summariseOlder({ ...options, keepTokens: 100 })
    expect(applyTransform(transform$, contextOf([...exchange('a'), ...last])).messages).toEqual([
      summaryOf('a? a!'),
      ...last,
    ])
    expect(applyTransform(transform$, contextOf(last)).messages).toEqual(last)
  })

  it('never separates a call from its result', () => {
    const turn = [
      asks('b?'),
      assistant([call('c')], { usage: noUsage }),
      toolResult({ toolCallId: 'c', content: [{ type: 'text', text: text('r') }] }),
    ]
    const { messages } = applyTransform(
      summariseOlder({ ...options, tokens: 250, keepTokens: 50 }),
      contextOf([...exchange('a'), ...turn]),
    )
    expect(messages).toEqual([summaryOf('a? a!'), ...turn])
  })

  it('asks for a summary once, and again for what has come since', () => {
    const requests: SummaryRequest[] = []
    const transform$ = summariseOlder({ ...options, summariser: naming(requests) })
    applyTransform(transform$, long)
    const [first] = requests
    expect(first).toEqual({ messages: long.messages.slice(0, 4), reason: 'compaction', part: 'history' })

    const four = contextOf([...long.messages, ...exchange('d')])
    expect(applyTransform(transform$, contextOf(long.messages)).messages).toEqual(shortened.messages)
    expect(applyTransform(transform$, four).messages).toEqual([...shortened.messages, ...exchange('d')])
    expect(requests).toHaveLength(1)

    const five = contextOf([...four.messages, ...exchange('e')])
    expect(applyTransform(transform$, five).messages).toEqual([summaryOf('a? a! b? b! c? c! d? d!'), ...exchange('e')])
    expect(requests[1]).toMatchObject({ messages: five.messages.slice(4, 8), previous: 'a? a! b? b!' })
    expect(requests).toHaveLength(2)
  })

  it('knows a message that another operator has made anew', () => {
    const requests: SummaryRequest[] = []
    const at = (message: Message, timestamp: number): Message => ({ ...message, timestamp })
    const thought = { type: 'thinking', thinking: 'Hm.' } as const
    const thoughtful = assistant([thought, { type: 'text', text: text('b!') }], { usage: noUsage })
    const messages = [...exchange('a'), asks('b?'), thoughtful, ...exchange('c')].map(at)
    const transform$ = pipe(dropThinking({ keepLast: 0 }), summariseOlder({ ...options, summariser: naming(requests) }))
    const first = applyTransform(transform$, contextOf(messages))
    const more = [...messages, at(asks('d?'), 9)]
    expect(applyTransform(transform$, contextOf(more)).messages).toEqual([...first.messages, more.at(-1)])
    expect(requests).toHaveLength(1)
  })

  it('begins anew on another branch', () => {
    const requests: SummaryRequest[] = []
    const transform$ = summariseOlder({ ...options, summariser: naming(requests) })
    applyTransform(transform$, long)
    const other = contextOf([...exchange('x'), ...exchange('y'), ...exchange('z')])
    expect(applyTransform(transform$, other).messages[0]).toEqual(summaryOf('x? x! y? y!'))
    expect(requests[1]).not.toHaveProperty('previous')
  })

  it.each<[string, Summariser]>([
    ['completes without a summary', () => EMPTY],
    ['emits progress only', () => of({ characters: 3 })],
    ['emits an empty summary', () => of({ text: ' \n' })],
  ])('leaves the messages as they are if the summariser %s', (_, summariser) => {
    expect(applyTransform(summariseOlder({ ...options, summariser }), long)).toBe(long)
  })

  it('waits for the summary, and then unsubscribes it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const summary$ = cold('-p-s-p', { p: { characters: 1 }, s: { text: ' a? a! b? b! ' } })
      const transform$ = summariseOlder({ ...options, summariser: () => summary$ })
      expectObservable(cold('l|', { l: long }).pipe(transform$)).toBe('---(s|)', { s: shortened })
      expectSubscriptions(summary$.subscriptions).toBe('^--!')
    })
  })

  it('cancels the summary when it is unsubscribed, and asks again', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const summary$ = cold('---s', { s: 'a? a! b? b!' })
      const transform$ = summariseOlder({ ...options, summariser: () => summary$ })
      expectObservable(cold('l|', { l: long }).pipe(transform$), '^-!').toBe('')
      expectObservable(cold('5ms (l|)', { l: long }).pipe(transform$)).toBe('8ms (s|)', {
        s: shortened,
      })
      expectSubscriptions(summary$.subscriptions).toBe(['^-!', '5ms ^--!'])
    })
  })

  it('fails with the summariser, and asks again in the next request', () => {
    let isBroken = true
    const broken = new Error('broken')
    const transform$ = summariseOlder({
      ...options,
      summariser: (request) => (isBroken ? throwError(() => broken) : naming()(request)),
    })
    const failures: unknown[] = []
    of(long)
      .pipe(transform$)
      .subscribe({ error: (error: unknown) => failures.push(error) })
    expect(failures).toEqual([broken])
    isBroken = false
    expect(applyTransform(transform$, long)).toEqual(shortened)
  })

  it.each([{ tokens: 0 }, { tokens: NaN }, { tokens: 10, keepTokens: 11 }, { tokens: 10, keepTokens: 0 }])(
    'refuses %j',
    (limits) => {
      expect(() => summariseOlder({ summariser: naming(), ...limits })).toThrow(
        expect.objectContaining({ code: 'bad_request' }),
      )
    },
  )
})
