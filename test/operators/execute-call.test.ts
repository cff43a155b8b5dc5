import { EMPTY, NEVER, Observable, Subject, concat, finalize, map, of, range, take, tap, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { defaultToolLimitMs, executeCall } from '../../lib/operators/execute-call.ts'
import type { ReadyCall } from '../../lib/operators/prepare-call.ts'
import type { CallPorts } from '../../lib/operators/run-ports.ts'
import type { AgentEvent, EventNamed } from '../../lib/streams/event.ts'
import type { Hooks } from '../../lib/streams/hooks.ts'
import { stopSwitch } from '../../lib/streams/stop-switch.ts'
import type { StopSwitch } from '../../lib/streams/stop-switch.ts'
import { textResult } from '../../lib/streams/tool.ts'
import type { Tool, ToolContext, ToolProgress, ToolResult } from '../../lib/streams/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import type { FakeToolOutput } from '../../lib/testing/fake-tool.ts'
import { marbles } from '../../lib/testing/marbles.ts'
import { timeline } from '../../lib/testing/timeline.ts'

type Output = FakeToolOutput | ((call: { context: ToolContext }) => FakeToolOutput)

function ready(output: Output, more: Partial<Omit<Tool, 'name' | 'execute'>> = {}): ReadyCall {
  const tool = fakeTool('slow', output, more)
  return {
    call: { type: 'toolCall', id: 'c', name: 'slow', arguments: {} },
    tool,
    args: { a: 1 },
    argsChanged: false,
    locks: {},
  }
}

function ports(hooks: Hooks = {}, graceMs = 5_000): CallPorts {
  return {
    activeTools: () => [],
    tools: { cwd: '/here', env: { A: 'b' }, sessionId: 'aaaaaaaaaaaa' },
    validatorOf: () => () => [],
    hooks,
    graceMs,
  }
}

const progress = (content: string, more: Partial<ToolProgress> = {}): ToolProgress => ({
  type: 'progress',
  updateType: 'stdout',
  content,
  ...more,
})
const letters: Record<string, ToolProgress | ToolResult> = {
  p: progress('p'),
  q: progress('q'),
  r: textResult('r'),
  s: textResult('s'),
  e: textResult('e', { isError: true }),
}

/** `p` for progress with that text, `=text` for the end, `!text` for an end in error. */
function nameOf(event: AgentEvent): string {
  if (event.type === 'tool_execution_update') return event.content
  if (event.type !== 'tool_execution_end') return event.type
  const [first] = event.content
  return `${event.isError ? '!' : '='}${first?.type === 'text' ? first.text : ''}`
}

function played(
  output: Output | string,
  options: { stop?: StopSwitch; ports?: CallPorts; tool?: Partial<Tool> } = {},
): string {
  const stop = options.stop ?? stopSwitch()
  return timeline(
    ({ cold }) => {
      const marble = typeof output === 'string' && output.startsWith('marble ') ? output.slice(7) : undefined
      const call = ready(marble === undefined ? output : cold(marble, letters), options.tool)
      return executeCall(call, options.ports ?? ports(), stop)
    },
    { name: nameOf },
  )
}

/** The end of a call that ends at once. */
function ended(output: Output, hooks: Hooks = {}): EventNamed<'tool_execution_end'> {
  const events: AgentEvent[] = []
  executeCall(ready(output), ports(hooks), stopSwitch()).subscribe((event) => events.push(event))
  const end = events.at(-1)
  if (end?.type !== 'tool_execution_end') throw new Error('the call has not ended')
  return end
}

describe('executeCall', () => {
  it.each([
    ['a result', 'marble --r', '2:=r,|'],
    ['an error result', 'marble --e', '2:!e,|'],
    ['progress before the result', 'marble -p-q-r', '1:p 3:q 5:=r,|'],
    ['the first of two results', 'marble -r-s', '1:=r,|'],
    ['no progress after the result', 'marble -r-p|', '1:=r,|'],
    ['a tool without a result', 'marble -p-|', '1:p 3:!slow ended without a result.,|'],
    ['a tool that does nothing', 'marble |', '0:!slow ended without a result.,|'],
    ['a tool that fails', 'marble -p-#', '1:p 3:!error,|'],
  ])('tells %s [PORT-tool]', (_, output, expected) => {
    expect(played(output)).toBe(expected)
  })

  it('tells what a throwing tool said', () => {
    expect(
      played(() => {
        throw new TypeError('oops')
      }),
    ).toBe('0:!oops,|')
    expect(played(new Observable<never>((subscriber) => subscriber.error('just text')))).toBe('0:!just text,|')
    expect(played(throwError(() => new RangeError()))).toBe('0:!RangeError,|')
    const textless$ = new Observable<never>((subscriber) => subscriber.error(Object.create(null)))
    expect(played(textless$)).toBe('0:!what was thrown has no text,|')
  })

  it('takes a promise of a result', async () => {
    const name = await new Promise((resolve) => {
      executeCall(ready(Promise.resolve(textResult('promised'))), ports(), stopSwitch()).subscribe((event) => {
        resolve(nameOf(event))
      })
    })
    expect(name).toBe('=promised')
  })

  it('tells a rejected promise as an error result', async () => {
    const name = await new Promise((resolve) => {
      executeCall(
        ready(() => Promise.reject(new Error('rejected'))),
        ports(),
        stopSwitch(),
      ).subscribe((event) => {
        resolve(nameOf(event))
      })
    })
    expect(name).toBe('!rejected')
  })

  it('gives the tool its arguments and its surroundings [PORT-context]', () => {
    const call = ready('x')
    executeCall(call, ports(), stopSwitch()).subscribe()
    const tool = call.tool as ReturnType<typeof fakeTool>
    expect(tool.calls[0]?.args).toEqual({ a: 1 })
    const { cwd, env, sessionId, toolCallId } = tool.calls[0]?.context ?? {}
    expect({ cwd, env, sessionId, toolCallId }).toEqual({
      cwd: '/here',
      env: { A: 'b' },
      sessionId: 'aaaaaaaaaaaa',
      toolCallId: 'c',
    })
  })

  it('tells details, terminate and how long it took [EVENT-tool_end]', () => {
    marbles(({ expectObservable, cold }) => {
      const result = { ...textResult('x'), details: { lines: 1 }, terminate: true }
      expectObservable(executeCall(ready(cold('---r', { r: result })), ports(), stopSwitch())).toBe('---(e|)', {
        e: {
          type: 'tool_execution_end',
          toolCallId: 'c',
          toolName: 'slow',
          isError: false,
          content: [{ type: 'text', text: 'x' }],
          details: { lines: 1 },
          terminate: true,
          durationMs: 3,
        },
      })
    })
  })

  it('counts a result without content as empty', () => {
    expect(ended(of({ type: 'result' } as ToolResult))).toMatchObject({ content: [], isError: false })
  })

  it('says terminate only where the result asks for it', () => {
    expect(ended('x')).not.toHaveProperty('terminate')
    expect(ended(of(textResult('x', { terminate: false })))).not.toHaveProperty('terminate')
  })

  it('gives progress its offsets per kind, and leaves those that a tool gives [EVENT-tool_update]', () => {
    const result$ = of<(ToolProgress | ToolResult)[]>(
      progress('ab'),
      progress('x', { updateType: 'stderr' }),
      progress('c', { progressPercent: 50 }),
      progress('z', { offset: 100 }),
      progress('!'),
      textResult(''),
    )
    const updates: unknown[] = []
    executeCall(ready(result$), ports(), stopSwitch()).subscribe((event) => {
      if (event.type === 'tool_execution_update') updates.push([event.updateType, event.offset, event.progressPercent])
    })
    expect(updates).toEqual([
      ['stdout', 0, undefined],
      ['stderr', 0, undefined],
      ['stdout', 2, 50],
      ['stdout', 100, undefined],
      ['stdout', 101, undefined],
    ])
  })

  it('stops a tool that fires on after its result [LOOP-11a]', () => {
    let fired = 0
    const firehose$ = concat(
      of(textResult('x')),
      range(0, 1_000).pipe(
        tap(() => fired++),
        map(() => progress('late')),
      ),
    )
    expect(ended(firehose$)).toBeDefined()
    expect(fired).toBe(0)
  })
})

describe('executeCall and its time limit', () => {
  it('ends a call that takes too long, and lets go of its tool', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const result$ = cold('-p', letters)
      const names$ = executeCall(ready(result$, { timeoutMs: 5 }), ports(), stopSwitch()).pipe(map(nameOf))
      const text = '!slow took longer than its limit of 0.005 s and was ended.'
      expectObservable(names$).toBe('-p---(e|)', { p: 'p', e: text })
      expectSubscriptions(result$.subscriptions).toBe('^----!')
    })
  })

  it('gives a tool that says nothing else two minutes [LOOP-15a]', () => {
    expect(defaultToolLimitMs).toBe(120_000)
    expect(played(NEVER)).toBe('120000:!slow took longer than its limit of 120 s and was ended.,|')
  })

  it('gives a tool with a limit of 0 all the time it wants [LOOP-15a]', () => {
    expect(played(timer(3_600_000).pipe(map(() => textResult('late'))), { tool: { timeoutMs: 0 } })).toBe(
      '3600000:=late,|',
    )
  })

  it.each([2 ** 31, Infinity, -1, NaN])(
    'does not run a tool whose limit of %d ms no timer keeps [LOOP-28b]',
    (timeoutMs) => {
      const line = played('ran', { tool: { timeoutMs } })
      expect(line).toContain('not between 0 and 2147483647')
      expect(line).not.toContain('ran')
    },
  )

  it('aborts the signal of a call that takes too long', () => {
    marbles(({ flush }) => {
      let signal: AbortSignal | undefined
      const output = ({ context }: { context: ToolContext }) => {
        ;({ signal } = context)
        return NEVER
      }
      executeCall(ready(output, { timeoutMs: 5 }), ports(), stopSwitch()).subscribe()
      expect(signal?.aborted).toBe(false)
      flush()
      expect(signal?.aborted).toBe(true)
    })
  })

  it.each([
    ['a result', 'r'],
    ['a failure', '#'],
    ['no result', '|'],
  ])('has let go of the tool when it tells its end: %s', (_, ending) => {
    const seen: string[] = []
    marbles(({ cold }) => {
      const tool$ = cold(`-p-${ending}`, letters).pipe(finalize(() => seen.push('let go')))
      executeCall(ready(tool$), ports(), stopSwitch()).subscribe(({ type }) => seen.push(type))
    })
    expect(seen).toEqual(['tool_execution_update', 'let go', 'tool_execution_end'])
  })

  it('lets go of an overdue tool at once, however long a hook then thinks', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const result$ = cold('---------', letters)
      const hooks: Hooks = { afterToolCall: () => timer(10).pipe(map(() => undefined)) }
      const names$ = executeCall(ready(result$, { timeoutMs: 3 }), ports(hooks), stopSwitch()).pipe(map(nameOf))
      expectObservable(names$).toBe('13ms (e|)', { e: '!slow took longer than its limit of 0.003 s and was ended.' })
      expectSubscriptions(result$.subscriptions).toBe('^--!')
    })
  })
})

describe('executeCall and afterToolCall', () => {
  it('tells nothing that the tool says while the hook thinks [LOOP-11a, PORT-tool]', () => {
    const hooks: Hooks = { afterToolCall: () => timer(5).pipe(map(() => undefined)) }
    expect(played('marble -p-r-q-q', { ports: ports(hooks) })).toBe('1:p 8:=r,|')
  })

  const replacing = (answer: ReturnType<NonNullable<Hooks['afterToolCall']>>): Hooks => ({
    afterToolCall: () => answer,
  })

  it('may replace the result', () => {
    expect(
      ended('x', replacing(of({ ...textResult('y', { isError: true, terminate: true }), details: 1 }))),
    ).toMatchObject({
      content: [{ type: 'text', text: 'y' }],
      isError: true,
      terminate: true,
      details: 1,
    })
  })

  it.each([
    ['says nothing', EMPTY],
    ['says undefined', of(undefined)],
  ])('leaves the result where it %s', (_, answer$) => {
    expect(ended('x', replacing(answer$))).toMatchObject({ content: [{ text: 'x' }], isError: false })
  })

  it('is given what was called and what came of it', () => {
    const asked: unknown[] = []
    ended('x', {
      afterToolCall: (input) => {
        asked.push(input)
        return EMPTY
      },
    })
    expect(asked).toMatchObject([
      { call: { id: 'c' }, tool: { name: 'slow' }, args: { a: 1 }, result: textResult('x') },
    ])
  })

  it.each([
    [
      'throws',
      (): never => {
        throw new Error('hook')
      },
    ],
    ['fails', () => throwError(() => new Error('hook'))],
  ])('makes the result an error where it %s', (_, afterToolCall) => {
    expect(ended('x', { afterToolCall })).toMatchObject({ content: [{ text: 'hook' }], isError: true })
  })

  it('has 30 s, and is named where they are over', () => {
    expect(played('x', { ports: ports(replacing(NEVER)) })).toBe(
      '30000:!The hook afterToolCall did not answer within 30 s.,|',
    )
  })

  it('is not waited for when the run is stopped', () => {
    const stop = stopSwitch()
    const hooks: Hooks = {
      afterToolCall: () => {
        timer(4).subscribe(() => stop.stop('aborted'))
        return NEVER
      },
    }
    expect(played('x', { stop, ports: ports(hooks) })).toBe(
      '4:!Aborted: the tool had ended, but afterToolCall had not answered yet.,|',
    )
  })

  it('is asked about a result that comes in the grace time, as far as it answers at once', () => {
    const asked: unknown[] = []
    const outcomeWith = (answer: ReturnType<NonNullable<Hooks['afterToolCall']>>): string => {
      const stop = stopSwitch()
      const hooks: Hooks = {
        afterToolCall: ({ result }) => {
          asked.push(result)
          return answer
        },
      }
      return timeline(
        ({ cold }) => {
          timer(1).subscribe(() => stop.stop('aborted'))
          const answer$ = cold('---r', { r: textResult('secret') })
          const tool = fakeTool('a', ({ context }) => (context.signal.aborted ? 'never' : answer$))
          return executeCall({ ...ready('x'), tool }, ports(hooks), stop)
        },
        { name: nameOf },
      )
    }
    expect(outcomeWith(of(textResult('kept back')))).toBe('3:=kept back,|')
    expect(outcomeWith(NEVER)).toContain('!Aborted: the tool had ended')
    expect(asked).toHaveLength(2)
  })

  it('is not asked about a call that was unsubscribed', () => {
    let asked = 0
    const hooks: Hooks = {
      afterToolCall: () => {
        asked += 1
        return EMPTY
      },
    }
    executeCall(ready(NEVER), ports(hooks), stopSwitch()).subscribe().unsubscribe()
    executeCall(ready(of(progress('p'), progress('q'))), ports(hooks), stopSwitch())
      .pipe(take(1))
      .subscribe()
    expect(asked).toBe(0)
  })
})

describe('executeCall at a stop', () => {
  function stoppedAt(
    at: number,
    output: (call: { context: ToolContext }, cold: ColdOutput) => FakeToolOutput,
    callPorts = ports(),
  ): string {
    const stop = stopSwitch()
    return timeline(
      ({ cold }) => {
        timer(at).subscribe(() => stop.stop('aborted'))
        return executeCall(
          ready((call) => output(call, (marble) => cold(marble, letters))),
          callPorts,
          stop,
        )
      },
      { name: nameOf },
    )
  }

  it('ends a tool that did not take its signal at once [LOOP-24e]', () => {
    expect(stoppedAt(3, (_, cold) => cold('-p---r'))).toBe('1:p 3:!Aborted,|')
  })

  it('unsubscribes it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const stop = stopSwitch()
      timer(3).subscribe(() => stop.stop('aborted'))
      const result$ = cold('-----r', letters)
      expectObservable(executeCall(ready(result$), ports(), stop).pipe(map(nameOf))).toBe('---(e|)', { e: '!Aborted' })
      expectSubscriptions(result$.subscriptions).toBe('^--!')
    })
  })

  it('waits for the result of a tool that took its signal [LOOP-24f]', () => {
    const output = ({ context }: { context: ToolContext }, cold: ColdOutput) =>
      context.signal.aborted ? NEVER : cold('-----r')
    expect(stoppedAt(3, output)).toBe('5:=r,|')
  })

  it('ends it when the grace time is over [LOOP-24f]', () => {
    const output = ({ context }: { context: ToolContext }) => (context.signal.aborted ? EMPTY : NEVER)
    expect(stoppedAt(3, output)).toBe('5003:!Aborted,|')
    expect(stoppedAt(3, output, ports({}, 50))).toBe('53:!Aborted,|')
  })

  it('gives two seconds of grace where the server shuts down [LOOP-24f]', () => {
    const stop = stopSwitch()
    const output = ({ context }: { context: ToolContext }) => (context.signal.aborted ? EMPTY : NEVER)
    const line = timeline(
      () => {
        const call$ = executeCall(ready(output), ports(), stop)
        timer(3).subscribe(() => stop.stop('server_shutdown'))
        return call$
      },
      { name: nameOf },
    )
    expect(line).toBe('2003:!Aborted,|')
  })

  it('tells progress that comes in the grace time: the tool has not settled', () => {
    const output = ({ context }: { context: ToolContext }, cold: ColdOutput) =>
      context.signal.aborted ? NEVER : cold('-p---q-r')
    expect(stoppedAt(3, output)).toBe('1:p 5:q 7:=r,|')
  })

  it.each([
    ['fails for it', '-p---#'],
    ['ends without a result for it', '-p---|'],
  ])('calls a tool that %s aborted', (_, marble) => {
    const output = ({ context }: { context: ToolContext }, cold: ColdOutput) =>
      context.signal.aborted ? NEVER : cold(marble)
    expect(stoppedAt(3, output)).toBe('1:p 5:!Aborted,|')
  })

  it('aborts the signal at the stop', () => {
    marbles(({ flush }) => {
      const stop = stopSwitch()
      let signal: AbortSignal | undefined
      const output = ({ context }: { context: ToolContext }) => {
        ;({ signal } = context)
        return NEVER
      }
      executeCall(ready(output), ports(), stop).subscribe()
      stop.stop('aborted')
      expect(signal?.aborted).toBe(true)
      flush()
    })
  })

  it('gives a promise the grace time: it cannot be unsubscribed [LOOP-24f]', async () => {
    const stop = stopSwitch()
    const resolved = Promise.withResolvers<ToolResult>()
    const ends: string[] = []
    const done = new Promise<void>((resolve) => {
      executeCall(ready(resolved.promise), ports(), stop).subscribe({
        next: (event) => ends.push(nameOf(event)),
        complete: resolve,
      })
    })
    stop.stop('aborted')
    expect(ends).toEqual([])
    resolved.resolve(textResult('in time'))
    await done
    expect(ends).toEqual(['=in time'])
  })

  it('does not run a call when the stop came first', () => {
    const stop = stopSwitch()
    stop.stop('aborted')
    expect(played('x', { stop })).toBe('0:!Aborted,|')
  })

  it('keeps a result that came before the stop', () => {
    expect(stoppedAt(3, (_, cold) => cold('-r'))).toBe('1:=r,|')
  })

  it('ends once when the tool answers the stop within it', () => {
    const stop = stopSwitch()
    const result$ = new Subject<ToolResult>()
    const ends: string[] = []
    executeCall(
      ready(({ context }) => {
        context.signal.addEventListener('abort', () => {
          result$.next(textResult('cleaned up'))
        })
        return result$
      }),
      ports(),
      stop,
    ).subscribe((event) => ends.push(nameOf(event)))
    stop.stop('aborted')
    expect(ends).toEqual(['=cleaned up'])
  })
})

describe('executeCall and its subscriber', () => {
  it('aborts the signal before the hook is asked', () => {
    let signal: AbortSignal | undefined
    const output = ({ context }: { context: ToolContext }) => {
      ;({ signal } = context)
      return of(textResult('r'))
    }
    let seen: boolean | undefined
    const afterToolCall = () => {
      seen = signal?.aborted
      return undefined
    }
    expect([played(output, { ports: ports({ afterToolCall }) }), seen]).toEqual(['0:=r,|', true])
  })

  it('lets go of the tool and aborts its signal when it is unsubscribed', () => {
    let signal: AbortSignal | undefined
    let gone = false
    const output = ({ context }: { context: ToolContext }) => {
      ;({ signal } = context)
      return new Observable<ToolResult>(() => () => {
        gone = true
      })
    }
    executeCall(ready(output), ports(), stopSwitch()).subscribe().unsubscribe()
    expect([gone, signal?.aborted]).toEqual([true, true])
  })

  it('leaves no timer and no listener of the stop behind', () => {
    marbles(({ flush }) => {
      const stop = stopSwitch()
      const names: string[] = []
      executeCall(ready('x'), ports(), stop).subscribe((event) => names.push(nameOf(event)))
      stop.stop('aborted')
      flush()
      expect(names).toEqual(['=x'])
    })
  })

  it('makes each subscription a call of its own', () => {
    const call = ready('x')
    const call$ = executeCall(call, ports(), stopSwitch())
    call$.subscribe()
    call$.subscribe()
    expect((call.tool as ReturnType<typeof fakeTool>).calls).toHaveLength(2)
  })
})

type ColdOutput = (marble: string) => Observable<ToolProgress | ToolResult>
