// Tests `prepareCall`, which finds the tool and validates the arguments.
import { EMPTY, map, of, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { prepareCall } from '../../../lib/operators/tool-calls/prepare-call.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { parameters, read, call, ports, prepare, refusalOf, withHook, throwBroken } from './prepare-call-scene.ts'

describe('prepareCall', () => {
  it('emits call, tool and arguments once, synchronously, and completes', () => {
    const { step, end, count } = prepare(call({ path: 'a' }))
    expect([end, count]).toEqual(['complete', 1])
    expect(step).toEqual({ call: call({ path: 'a' }), tool: read, args: { path: 'a' }, argsChanged: false, locks: {} })
  })

  it('refuses an inactive tool, with its name and the active ones [LOOP-7a]', () => {
    expect(prepare(call({}, { name: 'bash' })).text).toBe('There is no active tool "bash". Active tools: read, write.')
    expect(prepare(call({}), ports([])).text).toBe('There is no active tool "read". Active tools: none.')
  })

  it('refuses invalid arguments, with tool, paths, reasons and the received arguments', () => {
    const { text } = prepare(call({ limit: 0, tags: [1] }))
    expect(text).toBe(
      [
        'The arguments of read are not valid:',
        '- arguments: needs the field "path"',
        '- /limit: must be at least 1',
        '- /tags/0: must be text',
        'Received: {"limit":0,"tags":[1]}',
      ].join('\n'),
    )
  })

  it('lists the first fifty paths, and the number of others', () => {
    const text = prepare(call({ path: 'a', tags: Array.from({ length: 200 }, () => 1) })).text ?? ''
    const lines = text.split('\n')
    expect(lines.slice(50, 52)).toEqual(['- /tags/49: must be text', '- and 150 more'])
    expect(lines).toHaveLength(53)
  })

  it('refuses arguments that are not JSON, with the parse error and the received text', () => {
    const { text } = prepare(call({}, { argumentsText: '{"path":' }))
    expect(text).toBe(
      'The arguments of read are not a JSON object: it is not JSON (line 1, column 9: the text ends too early)\nReceived: {"path":',
    )
    expect(prepare(call({}, { argumentsText: '[1]' })).text).toContain('expected a JSON object, got an array')
  })

  it('quotes no more than 2,000 characters of the received arguments', () => {
    const text = prepare(call({}, { argumentsText: 'x'.repeat(50_000) })).text ?? ''
    expect(text.length).toBeLessThan(2_300)
    expect(text).toMatch(/x… \(50000 characters\)$/)
  })

  it('repairs known mistakes of models, on a copy', () => {
    const sent = call({ path: 'a', limit: '5', tags: 'x', extra: { deep: [1] } })
    const before = structuredClone(sent)
    const { args, step } = prepare(sent)
    expect(args).toEqual({ path: 'a', limit: 5, tags: ['x'], extra: { deep: [1] } })
    expect(sent).toEqual(before)
    expect(args?.['extra']).not.toBe(sent.arguments['extra'])
    expect(step).toMatchObject({ argsChanged: false })
  })

  it('drops null if a property is optional', () => {
    expect(prepare(call({ path: 'a', limit: null })).args).toEqual({ path: 'a' })
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
    expect(prepare(sent, ports([tool])).args).toEqual({ path: 'a' })
    expect(sent.arguments).toEqual({ file: 'a' })
  })

  it.each<[string, Partial<AnyTool>]>([
    ['prepareArguments', { prepareArguments: throwBroken }],
    ['validate', { validate: throwBroken }],
    ['locks', { locks: throwBroken }],
  ])('refuses a call whose %s throws, with the error’s message', (_, broken) => {
    expect(prepare(call({ path: 'a' }), ports([{ ...read, ...broken }])).text).toBe('broken')
  })

  it('refuses a call whose tool has an invalid schema', () => {
    const tool = fakeTool('read', 'x', { parameters: { type: 'object', required: 'path' } as never })
    expect(prepare(call({}), ports([tool])).text).toMatch(/schema is not valid: \/required must be a list/)
  })

  it('computes the locks from the repaired arguments and the folder', () => {
    const calls: unknown[] = []
    const tool = {
      ...read,
      locks: (args: never, context: object) => {
        calls.push(args, context)
        return { write: ['x'] }
      },
    }
    expect(prepare(call({ path: 'a', limit: '2' }), ports([tool])).step).toMatchObject({ locks: { write: ['x'] } })
    expect(calls).toEqual([{ path: 'a', limit: 2 }, { cwd: '/here' }])
  })
})

describe('prepareCall at a stop', () => {
  it('refuses the call if the stop came first, and runs no hook', () => {
    const stop = createStopSwitch()
    stop.stop('aborted')
    let calls = 0
    const callPorts = withHook(() => {
      calls += 1
      return EMPTY
    })
    expect([prepare(call({ path: 'a' }), callPorts, stop).text, calls]).toEqual(['Aborted', 0])
    expect(prepare(call({ path: 'a' }), ports(), stop).text).toBe('Aborted')
  })

  it('refuses the call at once if the stop comes during a hook', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const stop = createStopSwitch()
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

  it('refuses the call if the hook itself stops the run', () => {
    const stop = createStopSwitch()
    const callPorts = withHook(() => {
      stop.stop('aborted')
      return of({ args: { path: 'b' } })
    })
    expect(prepare(call({ path: 'a' }), callPorts, stop).text).toBe('Aborted')
  })
})
