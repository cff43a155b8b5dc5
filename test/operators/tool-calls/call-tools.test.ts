// Tests `callTools`, which runs the tool calls of one answer.
import { Type } from '@sinclair/typebox'
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { call, batchOf, name, sequential } from './call-tools-scene.ts'

describe('callTools', () => {
  it('completes at once without calls', () => {
    expect(timeline(batchOf({ calls: [] }).events$, { name })).toBe('0:|')
  })

  it('starts all in call order, ends each as it finishes, and emits the results in call order [LOOP-3a]', () => {
    const line = timeline(
      ({ cold }) =>
        batchOf({
          calls: [call('a'), call('b')],
          tools: [
            fakeTool('a', cold('----r', { r: textResult('of a') })),
            fakeTool('b', cold('--r', { r: textResult('of b') })),
          ],
        }).events$,
      { name },
    )
    expect(line).toBe('0:xs(a),xs(b) 2:xe(b) 4:xe(a),ms(a),me(a),ms(b),me(b),|')
  })

  it('runs them one by one in sequential mode [LOOP-5a]', () => {
    const line = timeline(
      ({ cold }) =>
        batchOf({
          calls: [call('a'), call('b')],
          tools: [
            fakeTool('a', cold('----r', { r: textResult('of a') })),
            fakeTool('b', cold('--r', { r: textResult('of b') })),
          ],
          ports: sequential,
        }).events$,
      { name },
    )
    expect(line).toBe('0:xs(a) 4:xe(a),ms(a),me(a),xs(b) 6:xe(b),ms(b),me(b),|')
  })

  it.each([
    ['side by side', {}, 'xs(a),xe(a),xs(b),xe(b),ms(a),me(a),ms(b),me(b)'],
    ['one by one', sequential, 'xs(a),xe(a),ms(a),me(a),xs(b),xe(b),ms(b),me(b)'],
  ])('ends a call that fails in preparation before it prepares the next: %s [LOOP-4b]', (_, ports, expected) => {
    const { events$, results } = batchOf({ calls: [call('a', 'none'), call('b', 'none')], ports })
    expect(timeline(events$, { name })).toBe(`0:${expected},|`)
    expect(results.map(({ message }) => [message.toolCallId, message.isError])).toEqual([
      ['a', true],
      ['b', true],
    ])
  })

  it('prepares all before it runs any [LOOP-4a]', () => {
    const emitted: string[] = []
    const tool = fakeTool('t', ({ context }) => {
      emitted.push(`run ${context.toolCallId}`)
      return 'x'
    })
    const hooks: Hooks = {
      beforeToolCall: (input) => {
        emitted.push(`prepare ${input.call.id}`)
        return of(undefined)
      },
    }
    const { events$ } = batchOf({
      calls: [call('a', 't'), call('b', 't')],
      tools: [tool],
      ports: { hooks },
    })
    events$.subscribe()
    expect(emitted).toEqual(['prepare a', 'prepare b', 'run a', 'run b'])
  })

  it('appends each result and calls onResult before its message', () => {
    const { events$, results, ports } = batchOf({
      calls: [call('a')],
      tools: [fakeTool('a', of(textResult('x', { details: { n: 1 }, terminate: true })))],
    })
    const emitted: unknown[] = []
    events$.subscribe((event) => {
      if (event.type === 'message_start') emitted.push(results.length, ports.conversation.messages.length)
    })
    expect(emitted).toEqual([1, 1])
    const { entryId } = results[0] ?? {}
    expect(ports.conversation.headEntryId).toBe(entryId)
    expect(results).toMatchObject([
      {
        terminate: true,
        message: {
          role: 'toolResult',
          toolCallId: 'a',
          toolName: 'a',
          content: [{ text: 'x' }],
          details: { n: 1 },
          isError: false,
        },
      },
    ])
  })

  it('chains the results as entries', () => {
    const { events$, ports } = batchOf({
      calls: [call('a'), call('b')],
      tools: [fakeTool('a', 'x'), fakeTool('b', 'y')],
    })
    ports.conversation.append('assistant', { role: 'user', content: '', timestamp: 0 })
    const chain: (string | null)[] = []
    events$.subscribe((event) => {
      if (event.type === 'message_end') chain.push(event.parentId, event.entryId)
    })
    expect(chain).toEqual(['assistant', chain[1], chain[1], chain[3]])
  })

  it('starts a result message empty and ends it whole [EVENT-once]', () => {
    const { events$ } = batchOf({ calls: [call('a')], tools: [fakeTool('a', of(textResult('x', { details: 1 })))] })
    const messages: unknown[] = []
    events$.subscribe((event) => {
      if (event.type === 'message_start' || event.type === 'message_end') messages.push(event.message)
    })
    expect(messages[0]).toMatchObject({ content: [], isError: false })
    expect(messages[0]).not.toHaveProperty('details')
    expect(messages[1]).toMatchObject({ content: [{ text: 'x' }], details: 1 })
  })

  it('emits the arguments of the model, unless a hook changed them [EVENT-tool_start]', () => {
    const sent = { ...call('a'), arguments: { n: '1' } }
    const counting = fakeTool('a', 'x', { parameters: Type.Object({ n: Type.Integer() }) })
    const args = (hooks: object) => {
      let emitted: unknown
      batchOf({ calls: [sent], tools: [counting], ports: { hooks } }).events$.subscribe((event) => {
        if (event.type === 'tool_execution_start') emitted = [event.args, event.argsChanged, event.entryId]
      })
      return emitted
    }
    expect(args({})).toEqual([{ n: '1' }, undefined, 'assistant'])
    expect(args({ beforeToolCall: () => of({ args: { n: 2 } }) })).toEqual([{ n: 2 }, true, 'assistant'])
  })

  it('runs none of them if all are refused', () => {
    const tool = fakeTool('a', 'never')
    const { events$, results } = batchOf({ calls: [call('a'), call('b', 'a')], tools: [tool], refuseAll: 'cut off' })
    expect(timeline(events$, { name })).toBe('0:xs(a),xe(a),ms(a),me(a),xs(b),xe(b),ms(b),me(b),|')
    expect(results.map(({ message }) => message.content)).toMatchObject([[{ text: 'cut off' }], [{ text: 'cut off' }]])
    expect(tool.calls).toEqual([])
  })

  it('keeps two calls with the same id apart', () => {
    let count = 0
    const { events$, results } = batchOf({
      calls: [call('a'), call('a')],
      tools: [fakeTool('a', () => `result ${++count}`)],
    })
    events$.subscribe()
    expect(results.map(({ message }) => message.content)).toMatchObject([
      [{ text: 'result 1' }],
      [{ text: 'result 2' }],
    ])
  })

  it('gives each of 2,000 calls its result, without recursion', () => {
    const calls = Array.from({ length: 2_000 }, (_, index) => call(`${index}`, 'a'))
    for (const ports of [{}, sequential]) {
      const { events$, results } = batchOf({ calls, tools: [fakeTool('a', 'x')], ports })
      events$.subscribe()
      expect(results.map(({ message }) => message.toolCallId)).toEqual(calls.map(({ id }) => id))
    }
  })
})
