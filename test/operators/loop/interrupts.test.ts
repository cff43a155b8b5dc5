// Tests `steering: 'interrupt'`: a steer skips the calls not yet started (docs/loop.md#queues).
import { NEVER } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { queues } from '../../../lib/operators/run/queues.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { steering, followUp, requestTexts } from './queues-scene.ts'

describe("a steer while tools run, with steering: 'interrupt'", () => {
  const skipped = 'Skipped: the user sent a new message.'
  const interrupt = { steering: 'interrupt' } as const
  const calls = (...names: string[]) => ({ toolCalls: names.map((name) => ({ name, id: name })) })
  const locks = (name: string) => () => ({ write: [name] })

  /** Returns the result of each call, after checking that each call has one start, one end and one result. */
  function results(played: VirtualRun): Record<string, unknown> {
    expect([played.end, faultsOfRun(played.events)]).toEqual(['complete', []])
    return Object.fromEntries(
      played.messages.flatMap((message) => {
        if (message.role !== 'toolResult') return []
        const [text] = message.content
        const output = text?.type === 'text' ? text.text : ''
        return [[message.toolCallId, message.isError ? `! ${output}` : output]]
      }),
    )
  }

  it('skips calls that wait for a lock, lets running calls end and delivers the steer in the next turn [LOOP-16b]', () => {
    const waiting = fakeTool('b', 'never', { locks: locks('x') })
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b', 'c'), 'done'],
      tools: [
        fakeTool('a', cold('---r', { r: textResult('of a') }), { locks: locks('x') }),
        waiting,
        fakeTool('c', cold('-----r', { r: textResult('of c') })),
      ],
      ports: interrupt,
      at: { 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: `! ${skipped}`, c: 'of c' })
    expect(waiting.calls).toEqual([])
    expect(played.timeline({ calls: true })).toMatch(
      /xs\(a\),xs\(b\),xs\(c\) 3:xe\(a\),xe\(b\) 5:xe\(c\),ms\(a\),me\(a\),ms\(b\),me\(b\),ms\(c\),me\(c\),TE,TS,ms\(user\)/,
    )
    expect(requestTexts(played)).toEqual([['Go'], ['stop that']])
  })

  it('skips the rest of a sequential batch, each with its start, end and result [LOOP-16b]', () => {
    const rest = [fakeTool('b', 'never'), fakeTool('c', 'never')]
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b', 'c'), 'done'],
      tools: [fakeTool('a', cold('---r', { r: textResult('of a') })), ...rest],
      ports: { ...interrupt, toolExecution: 'sequential' },
      at: { 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: `! ${skipped}`, c: `! ${skipped}` })
    expect(rest.flatMap((tool) => tool.calls)).toEqual([])
    expect(played.notation({ calls: true })).toContain(
      'xe(a) ms(a) me(a) xs(b) xe(b) ms(b) me(b) xs(c) xe(c) ms(c) me(c) TE',
    )
  })

  it.each(['parallel', 'sequential'] as const)(
    'skips the call whose hook is running, and runs no further hook: %s',
    (toolExecution) => {
      const requested: string[] = []
      const played = virtualRun(({ cold }) => ({
        script: [calls('a', 'b'), 'done'],
        tools: [fakeTool('a', 'never'), fakeTool('b', 'never')],
        ports: {
          ...interrupt,
          toolExecution,
          hooks: {
            beforeToolCall: ({ call }) => {
              requested.push(call.id)
              return cold('---(u|)', { u: undefined })
            },
          },
        },
        at: { 1: (control) => control.steer('stop that') },
      }))
      expect([results(played), requested]).toEqual([{ a: `! ${skipped}`, b: `! ${skipped}` }, ['a']])
    },
  )

  it('keeps the reason of a hook that blocks the call', () => {
    const played = virtualRun(({ cold }) => ({
      script: [calls('a'), 'done'],
      tools: [fakeTool('a', 'never')],
      ports: { ...interrupt, hooks: { beforeToolCall: () => cold('---b', { b: { block: { reason: 'not that' } } }) } },
      at: { 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: '! not that' })
  })

  it('skips all calls of an answer that was streaming', () => {
    const tools = [fakeTool('a', 'never'), fakeTool('b', 'never')]
    const played = virtualRun({
      script: [{ ...calls('a', 'b'), text: 'long', pieceLength: 1, pieceDelayMs: 10 }, 'done'],
      tools,
      ports: interrupt,
      at: { 15: (control) => control.steer('stop that') },
    })
    expect(results(played)).toEqual({ a: `! ${skipped}`, b: `! ${skipped}` })
    expect(tools.flatMap((tool) => tool.calls)).toEqual([])
    expect(requestTexts(played)).toEqual([['Go'], ['stop that']])
  })

  it('skips calls that have not started if it comes from within an event of the batch', () => {
    for (const type of ['tool_execution_start', 'tool_execution_end'] as const) {
      const played = virtualRun({
        script: [calls('a', 'b'), 'done'],
        tools: [fakeTool('a', 'of a'), fakeTool('b', 'of b')],
        ports: interrupt,
        onEvent: (event, control) => {
          if (event.type === type && event.toolCallId === 'a') control.steer('stop that')
        },
      })
      const started = type === 'tool_execution_end' ? 'of a' : `! ${skipped}`
      expect(results(played)).toEqual({ a: started, b: `! ${skipped}` })
    }
  })

  it('reports calls that an abort prevented as aborted, also if a steer waits', () => {
    const played = virtualRun({
      script: [calls('a', 'b'), 'never'],
      tools: [fakeTool('a', 'never'), fakeTool('b', 'never')],
      ports: interrupt,
      onEvent: (event, control) => {
        if (event.type !== 'message_end' || event.message.role !== 'assistant') return
        control.steer('stop that')
        control.stop()
      },
    })
    expect(results(played)).toEqual({ a: '! Aborted', b: '! Aborted' })
  })

  it('never skips a call that has started [LOOP-16b]', () => {
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b'), 'done'],
      tools: ['a', 'b'].map((name) => fakeTool(name, cold('-----r', { r: textResult(`of ${name}`) }))),
      ports: interrupt,
      at: { 0: (control) => control.steer('early'), 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: 'of b' })
  })

  it('delivers a second steer in a turn of its own, before any further call', () => {
    const played = virtualRun({
      script: [calls('a'), { toolCalls: [{ name: 'a', id: 'a2' }] }, 'done'],
      tools: [fakeTool('a', 'of a')],
      ports: { ...interrupt, queues: queues([steering('one'), steering('two')]) },
    })
    expect(results(played)).toEqual({ a: `! ${skipped}`, a2: 'of a' })
    expect(requestTexts(played)).toEqual([['Go', 'one'], ['two'], []])
  })

  it('skips nothing for follow-ups or a removed steer', () => {
    const waiting = queues([followUp('later')])
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b'), 'done', 'after'],
      tools: [
        fakeTool('a', cold('---r', { r: textResult('of a') }), { mustSerial: true }),
        fakeTool('b', 'of b', { mustSerial: true }),
      ],
      ports: { ...interrupt, queues: waiting },
      at: { 1: (control) => control.steer('stop that'), 2: () => waiting.clear('steering') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: 'of b' })
    expect(requestTexts(played)).toEqual([['Go'], [], ['later']])
  })

  it('yields to an abort: calls that have not started are aborted', () => {
    const played = virtualRun({
      script: [calls('a', 'b')],
      tools: [fakeTool('a', NEVER, { mustSerial: true }), fakeTool('b', 'never', { mustSerial: true })],
      ports: interrupt,
      at: { 1: (control) => control.steer('stop that'), 2: (control) => control.stop() },
    })
    expect(results(played)).toEqual({ a: '! Aborted', b: '! Aborted' })
  })

  it('keeps the reason of a truncated answer', () => {
    const played = virtualRun({
      script: [{ ...calls('a'), stopReason: 'length' }, 'done'],
      tools: [fakeTool('a', 'never')],
      ports: interrupt,
      onEvent: (event, control) => {
        if (event.type === 'message_update') control.steer('stop that')
      },
    })
    expect(String(results(played)['a'])).toMatch(/output limit/)
  })

  it.each([[undefined], ['wait' as const]])('skips nothing if steering is %s', (mode) => {
    const played = virtualRun(({ cold }) => ({
      script: [calls('a', 'b'), 'done'],
      tools: [
        fakeTool('a', cold('---r', { r: textResult('of a') }), { mustSerial: true }),
        fakeTool('b', 'of b', { mustSerial: true }),
      ],
      ports: mode === undefined ? {} : { steering: mode },
      at: { 1: (control) => control.steer('stop that') },
    }))
    expect(results(played)).toEqual({ a: 'of a', b: 'of b' })
  })
})
