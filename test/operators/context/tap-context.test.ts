// Tests `tapContext`, which calls a function with each context.
import { describe, expect, it } from 'vitest'
import { tapContext } from '../../../lib/operators/context/change-messages.ts'
import type { AgentContext } from '../../../lib/streams/ports/agent-context.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { user } from '../../streams/events/samples.ts'
import { behavesAsTransform, contextOf, applyTransform } from './context-samples.ts'

const context = contextOf([user()])

describe('tapContext', () => {
  behavesAsTransform(() => tapContext(() => undefined), context, context, context)

  it('calls the callback with each context', () => {
    const received: AgentContext[] = []
    applyTransform(
      tapContext((input) => received.push(input)),
      context,
    )
    expect(received).toEqual([context])
  })

  it('fails with the error of the callback, and unsubscribes its source', () => {
    const broken = new Error('broken')
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('-a-a|', { a: context })
      const look = (): void => {
        throw broken
      }
      expectObservable(source$.pipe(tapContext(look))).toBe('-#', undefined, broken)
      expectSubscriptions(source$.subscriptions).toBe('^!')
    })
  })
})
