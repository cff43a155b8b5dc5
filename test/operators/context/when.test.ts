// Tests `when`, which applies a transform to some contexts only.
import { delay, map, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { injectContext } from '../../../lib/operators/context/inject-context.ts'
import { when } from '../../../lib/operators/context/when.ts'
import type { AgentContext, ContextTransform } from '../../../lib/streams/ports/agent-context.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { user } from '../../streams/events/samples.ts'
import { applyTransform, behavesAsTransform, contextOf } from './context-samples.ts'

const long = contextOf([user(), user('More')])
const short = contextOf([user()])
const shout = { ...long, system: 'BE BRIEF.' }
const isLong = ({ messages }: AgentContext): boolean => messages.length > 1
const capitals$: ContextTransform = map((context) => ({ ...context, system: context.system.toUpperCase() }))

describe('when', () => {
  behavesAsTransform(() => when(isLong, capitals$), long, shout, short)

  it('keeps the state of the transform between contexts', () => {
    let count = 0
    const counting$: ContextTransform = map((context) => ({ ...context, system: String(++count) }))
    const transform$ = when(isLong, counting$)
    const systems = [long, short, long].map((context) => applyTransform(transform$, context).system)
    expect(systems).toEqual(['1', 'Be brief.', '2'])
  })

  it('waits for a transform that takes time, and unsubscribes it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const text$ = cold('---(r|)', { r: 'rule' })
      const transform$ = when(isLong, injectContext(text$, { place: 'system' }))
      expectObservable(cold('l|', { l: long }).pipe(transform$), '^-!').toBe('')
      expectSubscriptions(text$.subscriptions).toBe(['^-!', '^--!'])
      expectObservable(cold('l|', { l: long }).pipe(transform$)).toBe('---(r|)', {
        r: { ...long, system: 'Be brief.\n\nrule' },
      })
    })
  })

  it('lets a context replace one that is being transformed', () => {
    marbles(({ cold, expectObservable }) => {
      const source$ = cold('l-s|', { l: long, s: short })
      expectObservable(source$.pipe(when(isLong, delay(5)))).toBe('--s|', { s: short })
    })
  })

  it.each<[string, ContextTransform]>([
    ['the condition throws', when(() => { throw new Error('broken') }, capitals$)], // prettier-ignore
    ['the transform fails', when(isLong, () => throwError(() => new Error('broken')))],
  ])('fails if %s', (_, transform$) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-l-l|', { l: long })
      expectObservable(source$.pipe(transform$)).toBe('-#', undefined, new Error('broken'))
      expectSubscriptions(source$.subscriptions).toBe('^!')
    })
  })
})
