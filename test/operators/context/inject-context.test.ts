// Tests `injectContext`, which adds a text from a source to each request.
import { BehaviorSubject, EMPTY, Subject, defer, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { longestDelay } from '../../../lib/operators/core/time-limits.ts'
import { injectContext } from '../../../lib/operators/context/inject-context.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { user } from '../../streams/events/samples.ts'
import { contextOf, applyTransform } from './context-samples.ts'

const a = contextOf([user()])
const c = contextOf([user('again')])
/** The same messages with `now` at the end. */
const b = { ...a, messages: [...a.messages, user('now')] }
const d = { ...c, messages: [...c.messages, user('now')] }
const contexts = { a, b, c, d }

describe('injectContext', () => {
  it.each([
    ['stays open if no context comes', '---', 'n', '---', '^', []],
    ['completes without a context', '--|', 'n', '--|', '^-!', []],
    ['adds a text that is present', '-a-|', 'n', '-b-|', '^--!', ['-(^!)']],
    ['adds it to each context', '-a-c|', 'n', '-b-d|', '^---!', ['-(^!)', '---(^!)']],
    ['waits for the first text', '-a-|', '---n', '----(b|)', '^--!', ['-^--!']],
    ['uses the first of several texts', '-a-|', '-n-m', '--b|', '^--!', ['-^!']],
    ['waits no longer than waitMs', '-a-|', '--------', '------(a|)', '^--!', ['-^----!']],
    ['drops a waiting context when a newer one comes', '-a-c-|', '---n', '------(d|)', '^----!', ['-^-!', '---^--!']],
    ['adds nothing if the source is empty', '-a-|', '|', '-a-|', '^--!', ['-(^!)']],
    ['adds no empty text', '-a-|', 'o', '-a-|', '^--!', ['-(^!)']],
    ['fails if the contexts fail', '-a-#', 'n', '-b-#', '^--!', ['-(^!)']],
    ['fails if the contexts fail while it waits', '-a-#', '----n', '---#', '^--!', ['-^-!']],
    ['fails if the text’s source fails', '-a-|', '-#', '--#', '^-!', ['-^!']],
  ])('%s', (_, marble, text, expected, subscription, ofText) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold(marble, contexts)
      const text$ = cold(text, { n: 'now', m: 'more', o: '' })
      expectObservable(source$.pipe(injectContext(text$, { waitMs: 5 }))).toBe(expected, contexts)
      expectSubscriptions(source$.subscriptions).toBe(subscription)
      expectSubscriptions(text$.subscriptions).toBe(ofText)
    })
  })

  it('unsubscribes both sources when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-c', contexts)
      const text$ = cold('----')
      expectObservable(source$.pipe(injectContext(text$)), '^--!').toBe('----')
      expectSubscriptions(source$.subscriptions).toBe('     ^--!')
      expectSubscriptions(text$.subscriptions).toBe('       -^-!')
    })
  })

  it('waits one second by default', () => {
    marbles(({ cold, expectObservable }) => {
      const source$ = cold('a|', contexts)
      expectObservable(source$.pipe(injectContext(new Subject<string>()))).toBe('1s (a|)', contexts)
    })
  })

  it('takes synchronous values only with waitMs 0', () => {
    const current$ = new BehaviorSubject('now')
    expect(applyTransform(injectContext(current$, { waitMs: 0 }), a)).toEqual(b)
    expect(current$.observed).toBe(false)
  })

  it.each([
    ['Be brief.', 'Be brief.\n\nnow'],
    ['', 'now'],
  ])('adds to the system prompt %j', (system, expected) => {
    const context = contextOf([user()], { system })
    expect(applyTransform(injectContext(of('now'), { place: 'system' }), context)).toEqual({
      ...context,
      system: expected,
    })
  })

  it('adds to a context without messages', () => {
    const { messages } = applyTransform(injectContext(of('now')), contextOf([]))
    expect(messages).toEqual([{ role: 'user', content: 'now', timestamp: 0 }])
  })

  it('returns the same context if there is nothing to add', () => {
    expect(applyTransform(injectContext(EMPTY), a)).toBe(a)
  })

  it('fails with the error that the source throws on subscription', () => {
    const broken = new Error('broken')
    const source$ = defer(() => {
      throw broken
    })
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const context$ = cold('-a-|', contexts)
      expectObservable(context$.pipe(injectContext(source$))).toBe('-#', undefined, broken)
      expectSubscriptions(context$.subscriptions).toBe('^!')
    })
  })

  it('reads the source for each request and leaves nothing in the transcript', () => {
    let count = 0
    const { requests, messages } = virtualRun({
      script: [{ toolCalls: [{ name: 'none', arguments: {} }] }, 'done'],
      ports: { transformContext: injectContext(defer(() => of(`look ${++count}`))) },
    })
    expect(requests.map((request) => request.messages.at(-1)?.content)).toEqual(['look 1', 'look 2'])
    expect(requests[1]?.messages.filter(({ content }) => content === 'look 1')).toEqual([])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'toolResult', 'assistant'])
  })

  it.each([-1, NaN, longestDelay + 1])('throws bad_request for waitMs %d', (waitMs) => {
    expect(() => injectContext(EMPTY, { waitMs })).toThrow(expect.objectContaining({ code: 'bad_request' }) as Error)
  })
})
