// Tests the tool calls of a run (docs/loop.md#tool-calls).
// Over 250 lines: one chapter of docs/loop.md, case by case in its order.
import { Type } from '@sinclair/typebox'
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { compileSchema } from '../../../lib/streams/schema/compile-schema.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import type { ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { FakeTool } from '../../../lib/testing/fake-tool.ts'
import type { RunScene } from '../../../lib/testing/run-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { checkEvent } from '../../../lib/streams/validation/validators.ts'
import { faultsOfRun } from '../../support/laws.ts'

const parameters = Type.Object({
  path: Type.String(),
  lines: Type.Optional(Type.Integer()),
  tags: Type.Optional(Type.Array(Type.String())),
})

/** A run with one call of `name`, then a text. */
function calling(name: string, args: Record<string, unknown> | string, scene: Partial<RunScene> = {}): VirtualRun {
  return virtualRun({
    script: [{ toolCalls: [{ name, id: 'c', arguments: args }] }, 'done'],
    ...scene,
    ports: { validatorOf: (tool) => tool.validate ?? compileSchema(tool.parameters), ...scene.ports },
  })
}

function textsOf(played: VirtualRun): string[] {
  return played.messages.flatMap((message) =>
    message.role === 'toolResult'
      ? [
          `${message.isError ? '!' : ''}${message.content.map((part) => (part.type === 'text' ? part.text : part.type)).join()}`,
        ]
      : [],
  )
}

function reasonOf(played: VirtualRun): EventNamed<'agent_end'> | undefined {
  return played.events.find((event) => event.type === 'agent_end')
}

const circle: Record<string, unknown> = {}
circle['self'] = circle

const read = (output: ConstructorParameters<typeof Array>[0] = 'done'): FakeTool =>
  fakeTool('read', String(output), { parameters })

describe('an unknown tool', () => {
  it('gets an error result that names it and the active tools, and the run goes on [LOOP-7a]', () => {
    const played = calling('edit', {}, { tools: [read(), fakeTool('bash', 'x')] })
    expect(textsOf(played)).toEqual(['!There is no active tool "edit". Active tools: read, bash.'])
    expect([played.requests.length, reasonOf(played)?.terminationReason]).toEqual([2, 'completed'])
  })
})

describe('invalid arguments', () => {
  it('get an error result with tool, paths, reasons and the received arguments, and the tool is not run [LOOP-8a]', () => {
    const tool = read()
    const played = calling('read', { lines: 'many' }, { tools: [tool] })
    expect(textsOf(played)).toEqual([
      '!The arguments of read are not valid:\n- arguments: needs the field "path"\n- /lines: must be a whole number\n' +
        'Received: {"lines":"many"}',
    ])
    expect([tool.calls, played.requests.length]).toEqual([[], 2])
  })

  it('are repaired if they can be, on a copy: the transcript keeps what the model sent [LOOP-8b, LOOP-8c]', () => {
    const tool = read()
    const played = calling('read', { path: 'a', lines: '5', tags: 'x', none: null }, { tools: [tool] })
    expect(tool.calls[0]?.args).toEqual({ path: 'a', lines: 5, tags: ['x'], none: null })
    const answer = played.messages[1]
    expect(answer?.role === 'assistant' && answer.content).toMatchObject([
      { type: 'toolCall', arguments: { path: 'a', lines: '5', tags: 'x', none: null } },
    ])
  })

  it('drop null if a property is optional [LOOP-8b]', () => {
    const tool = read()
    calling('read', { path: 'a', lines: null }, { tools: [tool] })
    expect(tool.calls[0]?.args).toEqual({ path: 'a' })
  })

  it('get the parse error if they are not JSON [LOOP-8d]', () => {
    const tool = read()
    const played = calling('read', '{"path": "a"', { tools: [tool] })
    expect(textsOf(played)[0]).toMatch(/^!The arguments of read are not a JSON object: .+\nReceived: \{"path": "a"$/)
    expect(tool.calls).toEqual([])
  })
})

describe('a tool that fails', () => {
  it.each([
    ['throws', (): never => throwBroken()],
    ['fails', () => throwError(() => new Error('broken'))],
  ])('gets an error result with its message if it %s [LOOP-9a]', (_, output) => {
    expect(textsOf(calling('read', { path: 'a' }, { tools: [fakeTool('read', output)] }))).toEqual(['!broken'])
  })

  it('counts a result without content as empty [LOOP-9b]', () => {
    const played = calling('read', { path: 'a' }, { tools: [fakeTool('read', of({ type: 'result' } as ToolResult))] })
    expect(textsOf(played)).toEqual([''])
  })

  it.each<[string, unknown, string]>([
    ['nothing', undefined, '!read returned a value that is neither progress nor a result.'],
    ['null', null, '!read returned a value that is neither progress nor a result.'],
    ['a text', 'done', '!read returned a value that is neither progress nor a result.'],
    ['content without its type', { content: [] }, '!read returned a value that is neither progress nor a result.'],
    ['progress without content', { type: 'progress' }, '!read returned a value that is neither progress nor a result.'],
    [
      'progress of an unknown kind',
      { type: 'progress', updateType: 'song', content: 'la' },
      '!read returned a value that is neither progress nor a result.',
    ],
    [
      'content that is not a list',
      { type: 'result', content: 'done' },
      '!read returned a result that cannot be stored: /content ',
    ],
    [
      'a part without text',
      { type: 'result', content: [{ type: 'text' }] },
      '!read returned a result that cannot be stored: /content/0',
    ],
    [
      'details that are not JSON',
      textResult('done', { details: { size: 1n } }),
      '!read returned a result that cannot be stored: /details: it is not JSON (',
    ],
    [
      'circular details',
      textResult('done', { details: circle }),
      '!read returned a result that cannot be stored: /details: it is not JSON (',
    ],
  ])('gets an error result if it returned %s, and every event can be written', (_, output, text) => {
    const tools = [fakeTool('read', () => of(output as ToolResult))]
    const played = calling('read', { path: 'a' }, { tools })
    expect([faultsOfRun(played.events), reasonOf(played)?.terminationReason]).toEqual([[], 'completed'])
    expect(textsOf(played)[0]).toContain(text)
    for (const event of played.events) expect(checkEvent(event)).toMatchObject({ ok: true })
  })
})

describe('hooks', () => {
  const hooked = (hooks: Hooks, tools: readonly FakeTool[] = [read()]) =>
    calling('read', { path: 'a' }, { tools, ports: { hooks } })

  it.each<[string, Hooks, string]>([
    [
      'circular arguments',
      { beforeToolCall: () => of({ args: circle }) },
      '!A hook changed the arguments of read: it is not JSON (',
    ],
    [
      'a value that is no result',
      { afterToolCall: () => of(3 as unknown as ToolResult) },
      '!afterToolCall returned a value that is not a result.',
    ],
    [
      'a block without a reason',
      { beforeToolCall: () => of({ block: {} as { reason: string } }) },
      '!read returned a result that cannot be stored: /content/0',
    ],
  ])('turn the call into an error if they return %s', (_, hooks, text) => {
    const played = calling('read', {}, { tools: [fakeTool('read', 'done')], ports: { hooks } })
    expect([faultsOfRun(played.events), reasonOf(played)?.terminationReason]).toEqual([[], 'completed'])
    expect(textsOf(played)[0]).toContain(text)
    for (const event of played.events) expect(checkEvent(event)).toMatchObject({ ok: true })
  })

  it('may answer synchronously', () => {
    expect(textsOf(hooked({ beforeToolCall: () => undefined, afterToolCall: () => undefined }))).toEqual(['done'])
    expect(textsOf(hooked({ beforeToolCall: () => ({ block: { reason: 'No.' } }) }))).toEqual(['!No.'])
    expect(textsOf(hooked({ afterToolCall: () => textResult('hidden') }))).toEqual(['hidden'])
  })

  it('beforeToolCall may block: the reason is the result, and neither tool nor afterToolCall runs [LOOP-10a]', () => {
    const tool = read()
    let after = 0
    const played = hooked(
      {
        beforeToolCall: () => of({ block: { reason: 'Not on Sundays.' } }),
        afterToolCall: () => {
          after += 1
          return of(undefined)
        },
      },
      [tool],
    )
    expect([textsOf(played), tool.calls, after]).toEqual([['!Not on Sundays.'], [], 0])
  })

  it('beforeToolCall may change the arguments for the tool, not for the transcript [LOOP-10b]', () => {
    const tool = read()
    const played = hooked({ beforeToolCall: () => of({ args: { path: 'b' } }) }, [tool])
    expect(tool.calls[0]?.args).toEqual({ path: 'b' })
    const answer = played.messages[1]
    expect(answer?.role === 'assistant' && answer.content).toMatchObject([{ arguments: { path: 'a' } }])
  })

  it('afterToolCall may replace content, details, isError and terminate [LOOP-10c]', () => {
    const played = hooked({
      afterToolCall: () => of({ ...textResult('better'), details: 1, isError: true, terminate: true }),
    })
    expect(played.messages.at(-1)).toMatchObject({ content: [{ text: 'better' }], details: 1, isError: true })
    expect(reasonOf(played)?.terminationReason).toBe('terminated')
  })

  it('a throw of afterToolCall becomes the error result and does not affect other calls [LOOP-10d]', () => {
    const played = virtualRun({
      script: [{ toolCalls: [{ name: 'a' }, { name: 'b' }] }, 'done'],
      tools: [fakeTool('a', 'of a'), fakeTool('b', 'of b')],
      ports: {
        hooks: {
          afterToolCall: ({ call }) => {
            if (call.name === 'a') throw new Error('hook')
            return of(undefined)
          },
        },
      },
    })
    expect(textsOf(played)).toEqual(['!hook', 'of b'])
  })
})

describe('progress', () => {
  const progress = (content: string): ToolProgress => ({ type: 'progress', updateType: 'stdout', content })

  it('is emitted before the tool’s end, and ignored after it [LOOP-11a]', () => {
    const played = virtualRun(({ cold }) => ({
      script: [{ toolCalls: [{ name: 'a', id: 'a' }] }, 'done'],
      tools: [fakeTool('a', cold('-p-p-r-p', { p: progress('x'), r: textResult('done') }))],
    }))
    expect(played.timeline({ calls: true })).toMatch(/ 1:xu\(a\) 3:xu\(a\) 5:xe\(a\),ms\(a\),me\(a\),TE/)
    expect(played.notation().match(/xu/g)).toHaveLength(1)
    expect(played.events.filter(({ type }) => type === 'tool_execution_update')).toHaveLength(2)
  })
})

describe('terminate', () => {
  const result = (name: string, terminate: boolean) => fakeTool(name, of(textResult(name, { terminate })))
  const both = { script: [{ toolCalls: [{ name: 'a' }, { name: 'b' }] }, 'done'] }

  it('ends the run after the turn if every result sets it [LOOP-12a, LOOP-26b]', () => {
    const played = virtualRun({ ...both, tools: [result('a', true), result('b', true)] })
    expect([played.requests.length, reasonOf(played)?.terminationReason]).toEqual([1, 'terminated'])
  })

  it('does not end the run if one result does not set it [LOOP-12a, LOOP-26b]', () => {
    const played = virtualRun({ ...both, tools: [result('a', true), result('b', false)] })
    expect([played.requests.length, reasonOf(played)?.terminationReason]).toEqual([2, 'completed'])
  })

  it('continues with queued input, and makes no request for the results themselves', () => {
    const played = virtualRun({
      script: [...both.script, 'and done'],
      tools: [result('a', true), result('b', true)],
      onEvent: (event, control) => {
        if (event.type === 'agent_start') control.steer('wait')
        if (event.type === 'tool_execution_start') control.followUp('and then?')
      },
    })
    expect(played.requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(['wait', 'and then?', 'and then?'])
    expect(reasonOf(played)?.terminationReason).toBe('completed')
  })
})

describe('a response cut by the token limit', () => {
  it('runs none of its calls, reports each as cut off, and continues [LOOP-13a]', () => {
    const tool = fakeTool('a', 'never')
    const played = virtualRun({
      script: [
        {
          text: 'so',
          toolCalls: [
            { name: 'a', id: 'a' },
            { name: 'a', id: 'b' },
          ],
          stopReason: 'length',
        },
        'done',
      ],
      tools: [tool],
    })
    expect(played.notation({ calls: true })).toMatch(
      /xs\(a\) xe\(a\) ms\(a\) me\(a\) xs\(b\) xe\(b\) ms\(b\) me\(b\) TE TS/,
    )
    expect(textsOf(played).every((text) => text.includes('output limit'))).toBe(true)
    expect([tool.calls, played.requests.length]).toEqual([[], 2])
  })

  it('ends the run if it contains no call', () => {
    const played = virtualRun({ script: [{ text: 'so', stopReason: 'length' }] })
    expect([played.requests.length, reasonOf(played)?.terminationReason]).toEqual([1, 'completed'])
  })
})

describe('tool calls are found by content, not by stop reason [LOOP-14a]', () => {
  it('runs calls of a message with stop reason `stop`', () => {
    const played = virtualRun({
      script: [{ toolCalls: [{ name: 'a' }], stopReason: 'stop' }, 'done'],
      tools: [fakeTool('a', 'of a')],
    })
    expect([textsOf(played), played.requests.length]).toEqual([['of a'], 2])
  })

  it('ends after a message without calls and with stop reason `toolUse`', () => {
    expect(virtualRun({ script: [{ text: 'none', stopReason: 'toolUse' }] }).requests).toHaveLength(1)
  })
})

describe('time limits of tools', () => {
  it('end a call that takes too long, and the run continues [LOOP-15a]', () => {
    const played = virtualRun(({ cold }) => ({
      script: [{ toolCalls: [{ name: 'a' }] }, 'done'],
      tools: [fakeTool('a', cold('---------'), { timeoutMs: 2_000 })],
    }))
    expect(textsOf(played)).toEqual(['!a took longer than its limit of 2 s and was ended.'])
    expect(played.requests).toHaveLength(2)
    expect(played.timed.find(({ event }) => event.type === 'tool_execution_end')?.at).toBe(2_000)
  })
})

function throwBroken(): never {
  throw new Error('broken')
}
