import { Type } from '@sinclair/typebox'
import { EMPTY, NEVER, map, of, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { prepareCall } from '../../lib/operators/prepare-call.ts'
import type { ReadyCall, RefusedCall } from '../../lib/operators/prepare-call.ts'
import type { CallPorts } from '../../lib/operators/run-ports.ts'
import { compileSchema } from '../../lib/streams/compile-schema.ts'
import type { BeforeToolCallAnswer, Hooks } from '../../lib/streams/hooks.ts'
import type { ToolCall } from '../../lib/streams/message.ts'
import { stopSwitch } from '../../lib/streams/stop-switch.ts'
import type { AnyTool } from '../../lib/streams/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import { marbles } from '../../lib/testing/marbles.ts'

const parameters = Type.Object({
  path: Type.String(),
  limit: Type.Optional(Type.Integer({ minimum: 1 })),
  tags: Type.Optional(Type.Array(Type.String())),
})
const read = fakeTool('read', 'done', { parameters })
const write = fakeTool('write', 'done')

function call(args: Record<string, unknown>, more: Partial<ToolCall> = {}): ToolCall {
  return { type: 'toolCall', id: 'c', name: 'read', arguments: args, ...more }
}

function ports(tools: readonly AnyTool[] = [read, write], hooks: Hooks = {}): CallPorts {
  return {
    activeTools: () => tools,
    tools: { cwd: '/here', env: {}, sessionId: 'aaaaaaaaaaaa' },
    validatorOf: (tool) => tool.validate ?? compileSchema(tool.parameters),
    hooks,
    graceMs: 0,
  }
}

/** What a preparation gives before control comes back. */
function prepared(toolCall: ToolCall, callPorts = ports(), stop = stopSwitch()) {
  const told: (ReadyCall | RefusedCall)[] = []
  let end = 'open'
  prepareCall(toolCall, callPorts, stop).subscribe({
    next: (step) => told.push(step),
    error: () => (end = 'error'),
    complete: () => (end = 'complete'),
  })
  const [step] = told
  return {
    step,
    end,
    count: told.length,
    text: refusalOf(step),
    args: step !== undefined && 'args' in step ? step.args : undefined,
  }
}

function refusalOf(step: ReadyCall | RefusedCall | undefined): string | undefined {
  if (step === undefined || !('refusal' in step)) return undefined
  const [first] = step.refusal.content
  expect(step.refusal.isError).toBe(true)
  return first?.type === 'text' ? first.text : undefined
}

const withHook = (beforeToolCall: NonNullable<Hooks['beforeToolCall']>) => ports([read], { beforeToolCall })

describe('prepareCall', () => {
  it('gives the call, its tool and its arguments once, at once, and completes', () => {
    const { step, end, count } = prepared(call({ path: 'a' }))
    expect([end, count]).toEqual(['complete', 1])
    expect(step).toEqual({ call: call({ path: 'a' }), tool: read, args: { path: 'a' }, argsChanged: false, locks: {} })
  })

  it('refuses a tool that is not active, naming it and those that are [LOOP-7a]', () => {
    expect(prepared(call({}, { name: 'bash' })).text).toBe('There is no active tool "bash". Active tools: read, write.')
    expect(prepared(call({}), ports([])).text).toBe('There is no active tool "read". Active tools: none.')
  })

  it('refuses arguments that do not fit, with tool, places, reasons and what was received', () => {
    const { text } = prepared(call({ limit: 0, tags: [1] }))
    expect(text).toBe(
      [
        'The arguments of read are not valid:',
        "- arguments: must have required property 'path'",
        '- /limit: must be >= 1',
        '- /tags/0: must be string',
        'Received: {"limit":0,"tags":[1]}',
      ].join('\n'),
    )
  })

  it('tells the first fifty places of very many, and how many more there are', () => {
    const text = prepared(call({ path: 'a', tags: Array.from({ length: 200 }, () => 1) })).text ?? ''
    const lines = text.split('\n')
    expect(lines.slice(50, 52)).toEqual(['- /tags/49: must be string', '- and 150 more'])
    expect(lines).toHaveLength(53)
  })

  it('refuses arguments that are no JSON, with the parse error and what was received', () => {
    const { text } = prepared(call({}, { argumentsText: '{"path":' }))
    expect(text).toBe('The arguments of read are not a JSON object: Unexpected end of JSON input\nReceived: {"path":')
    expect(prepared(call({}, { argumentsText: '[1]' })).text).toContain('expected a JSON object, got an array')
  })

  it('quotes no more than 2,000 characters of what was received', () => {
    const text = prepared(call({}, { argumentsText: 'x'.repeat(50_000) })).text ?? ''
    expect(text.length).toBeLessThan(2_300)
    expect(text).toMatch(/x… \(50000 characters\)$/)
  })

  it('repairs what models are known to miss, on a copy', () => {
    const sent = call({ path: 'a', limit: '5', tags: 'x', extra: { deep: [1] } })
    const before = structuredClone(sent)
    const { args, step } = prepared(sent)
    expect(args).toEqual({ path: 'a', limit: 5, tags: ['x'], extra: { deep: [1] } })
    expect(sent).toEqual(before)
    expect(args?.['extra']).not.toBe(sent.arguments['extra'])
    expect(step).toMatchObject({ argsChanged: false })
  })

  it('drops null where a property is optional', () => {
    expect(prepared(call({ path: 'a', limit: null })).args).toEqual({ path: 'a' })
  })

  it('lets the tool repair its arguments first, on a copy [LOOP-8c]', () => {
    const sent = call({ file: 'a' })
    const tool = fakeTool('read', 'done', {
      parameters,
      prepareArguments: (args) => {
        const { file, ...rest } = args
        delete args['file']
        return { ...rest, path: file }
      },
    })
    expect(prepared(sent, ports([tool])).args).toEqual({ path: 'a' })
    expect(sent.arguments).toEqual({ file: 'a' })
  })

  it.each<[string, Partial<AnyTool>]>([
    ['prepareArguments', { prepareArguments: thrower }],
    ['validate', { validate: thrower }],
    ['locks', { locks: thrower }],
  ])('refuses a call whose %s throws, with what it said', (_, broken) => {
    expect(prepared(call({ path: 'a' }), ports([{ ...read, ...broken }])).text).toBe('broken')
  })

  it('refuses a call whose tool has a schema that is none', () => {
    const tool = fakeTool('read', 'x', { parameters: { type: 'object', required: 'path' } as never })
    expect(prepared(call({}), ports([tool])).text).toMatch(/schema is invalid/)
  })

  it('asks for the locks with the repaired arguments and the folder', () => {
    const asked: unknown[] = []
    const tool = {
      ...read,
      locks: (args: never, context: object) => {
        asked.push(args, context)
        return { write: ['x'] }
      },
    }
    expect(prepared(call({ path: 'a', limit: '2' }), ports([tool])).step).toMatchObject({ locks: { write: ['x'] } })
    expect(asked).toEqual([{ path: 'a', limit: 2 }, { cwd: '/here' }])
  })
})

describe('prepareCall with a hook', () => {
  it('asks it with call, tool and repaired arguments, where the call could run', () => {
    const asked: unknown[] = []
    const callPorts = withHook((input) => {
      asked.push(input)
      return EMPTY
    })
    prepared(call({}), callPorts)
    prepared(call({ path: 'a', limit: '2' }), callPorts)
    expect(asked).toMatchObject([{ call: { id: 'c' }, tool: { name: 'read' }, args: { path: 'a', limit: 2 } }])
  })

  it.each([
    ['says nothing', EMPTY],
    ['says undefined', of(undefined)],
    ['has nothing against it', of({})],
  ])('goes on where it %s', (_, answer$) => {
    expect(
      prepared(
        call({ path: 'a' }),
        withHook(() => answer$),
      ).args,
    ).toEqual({ path: 'a' })
  })

  it('takes its first answer', () => {
    const callPorts = withHook(() => of<BeforeToolCallAnswer[]>({ block: { reason: 'no' } }, {}))
    expect(prepared(call({ path: 'a' }), callPorts).text).toBe('no')
  })

  it('takes a promise, too', async () => {
    const callPorts = withHook(() => Promise.resolve({ block: { reason: 'promised' } }))
    const text = await new Promise((resolve) => {
      prepareCall(call({ path: 'a' }), callPorts, stopSwitch()).subscribe((step) => {
        resolve(refusalOf(step))
      })
    })
    expect(text).toBe('promised')
  })

  it('gives the tool the arguments that it changed, with the locks of these', () => {
    const tool = { ...read, locks: ({ path }: never) => ({ write: [path] }) }
    const callPorts = ports([tool], { beforeToolCall: () => of({ args: { path: 'b' } }) })
    const { step } = prepared(call({ path: 'a' }), callPorts)
    expect(step).toMatchObject({
      args: { path: 'b' },
      argsChanged: true,
      locks: { write: ['b'] },
      call: { arguments: { path: 'a' } },
    })
  })

  it('refuses arguments of a hook that do not fit', () => {
    const { text } = prepared(
      call({ path: 'a' }),
      withHook(() => of({ args: { path: 7 } })),
    )
    expect(text).toMatch(
      /^A hook changed the arguments\. The arguments of read are not valid:\n- \/path: must be string/,
    )
  })

  it.each([
    ['throws', withHook(thrower)],
    ['fails', withHook(() => throwError(() => new Error('broken')))],
  ])('refuses the call where it %s', (_, callPorts) => {
    expect(prepared(call({ path: 'a' }), callPorts).text).toBe('broken')
  })

  it('refuses the call where it takes longer than 30 s, and says so', () => {
    marbles(({ expectObservable }) => {
      const text$ = prepareCall(
        call({ path: 'a' }),
        withHook(() => NEVER),
        stopSwitch(),
      ).pipe(map(refusalOf))
      expectObservable(text$).toBe('30s (r|)', { r: 'The hook beforeToolCall did not answer within 30 s.' })
    })
  })

  it('waits for an approval as long as it takes, on the arguments that the hook left', () => {
    marbles(({ cold, expectObservable }) => {
      const asked: unknown[] = []
      const waiting: CallPorts = {
        ...withHook(() => of({ args: { path: 'b' } })),
        refusalOf: ({ args }) => {
          asked.push(args)
          return cold('60m r', { r: 'no' })
        },
      }
      const text$ = prepareCall(call({ path: 'a' }), waiting, stopSwitch()).pipe(
        map((step) => [refusalOf(step), ...asked]),
      )
      expectObservable(text$).toBe('60m (r|)', { r: ['no', { path: 'b' }] })
    })
  })

  it('stops waiting for an approval when the run is stopped', () => {
    const stop = stopSwitch()
    const told: (string | undefined)[] = []
    prepareCall(call({ path: 'a' }), { ...ports(), refusalOf: () => NEVER }, stop).subscribe((step) =>
      told.push(refusalOf(step)),
    )
    stop.stop('aborted')
    expect(told).toEqual(['Aborted'])
  })

  it('lets go of it when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold<undefined>('-----a')
      expectObservable(
        prepareCall(
          call({ path: 'a' }),
          withHook(() => answer$),
          stopSwitch(),
        ),
        '^-!',
      ).toBe('')
      expectSubscriptions(answer$.subscriptions).toBe('^-!')
    })
  })
})

describe('prepareCall at a stop', () => {
  it('refuses the call where the stop came first, and asks nobody', () => {
    const stop = stopSwitch()
    stop.stop('aborted')
    let asked = 0
    const callPorts = withHook(() => {
      asked += 1
      return EMPTY
    })
    expect([prepared(call({ path: 'a' }), callPorts, stop).text, asked]).toEqual(['Aborted', 0])
    expect(prepared(call({ path: 'a' }), ports(), stop).text).toBe('Aborted')
  })

  it('refuses the call at once where the stop comes while a hook is asked', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const stop = stopSwitch()
      timer(3).subscribe(() => stop.stop('aborted'))
      const answer$ = cold<undefined>('-----a')
      const text$ = prepareCall(
        call({ path: 'a' }),
        withHook(() => answer$),
        stop,
      ).pipe(map(refusalOf))
      expectObservable(text$).toBe('---(r|)', { r: 'Aborted' })
      expectSubscriptions(answer$.subscriptions).toBe('^--!')
    })
  })

  it('refuses the call where the hook itself stops the run', () => {
    const stop = stopSwitch()
    const callPorts = withHook(() => {
      stop.stop('aborted')
      return of({ args: { path: 'b' } })
    })
    expect(prepared(call({ path: 'a' }), callPorts, stop).text).toBe('Aborted')
  })
})

function thrower(): never {
  throw new Error('broken')
}
