// Provides frozen sample contexts, and the tests that every context transform must pass.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AgentContext, ContextTransform } from '../../../lib/streams/ports/agent-context.ts'
import type { Message, ToolCall } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'

/** Deeply frozen: a write throws. */
export function contextOf(messages: readonly Message[], fields: Partial<AgentContext> = {}): AgentContext {
  return freeze({ system: 'Be brief.', messages, tools: [], model: scriptedModel, ...fields })
}

export function call(id: string, name = 'read', args: Record<string, unknown> = {}): ToolCall {
  return { type: 'toolCall', id, name, arguments: args }
}

/** Returns the result of a transform for one context. */
export function applyTransform(transform: ContextTransform, context: AgentContext): AgentContext {
  const received: AgentContext[] = []
  of(context)
    .pipe(transform)
    .subscribe((input) => received.push(input))
  const [only, ...more] = received
  if (only === undefined || more.length > 0) throw new Error(`${received.length} contexts came of one`)
  return only
}

/** Tests the timing of a transform that answers each context at once: `a` becomes `b`, and `c` needs no change. */
export function behavesAsTransform(
  make: () => ContextTransform,
  a: AgentContext,
  b: AgentContext,
  c: AgentContext,
): void {
  describe('as a transform', () => {
    it.each([
      ['stays open if the source never emits', '---', '---', '^'],
      ['completes with an empty source', '--|', '--|', '^-!'],
      ['passes one context on', '-a-|', '-b-|', '^--!'],
      ['passes every context on', '-a-c-a|', '-b-c-b|', '^-----!'],
      ['passes on several contexts at once', '-(ac)-|', '-(bc)-|', '^-----!'],
      ['fails with its source', '-a-#', '-b-#', '^--!'],
      ['fails if the source fails before its first value', '-#', '-#', '^!'],
    ])('%s', (_, marble, expected, subscription) => {
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source$ = cold(marble, { a, c })
        expectObservable(source$.pipe(make())).toBe(expected, { b, c })
        expectSubscriptions(source$.subscriptions).toBe(subscription)
      })
    })

    it('unsubscribes its source when it is unsubscribed', () => {
      marbles(({ cold, expectObservable, expectSubscriptions }) => {
        const source$ = cold('-a-c-a', { a, c })
        expectObservable(source$.pipe(make()), '^--!').toBe('-b', { b })
        expectSubscriptions(source$.subscriptions).toBe('   ^--!')
      })
    })

    it('returns the same context if nothing changes', () => {
      expect(applyTransform(make(), c)).toBe(c)
    })

    it('keeps every unchanged message as the same object', () => {
      const { messages } = applyTransform(make(), a)
      const input = new Set(a.messages)
      const news = messages.filter((message) => !input.has(message))
      for (const message of news) expect(a.messages).not.toContainEqual(message)
    })

    it('has the same result at each subscription', () => {
      const made = { transform: make() }
      expect(applyTransform(made.transform, a)).toEqual(applyTransform(made.transform, a))
    })
  })
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    Object.values(value).forEach(freeze)
  }
  return value
}
