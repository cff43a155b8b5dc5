// Tests `executeCall`, which executes one tool call.
// Over 250 lines: one race of result, limit and stop, in each order.
import { Observable, concat, map, mergeMap, of, range, tap, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { executeCall } from '../../../lib/operators/tool-calls/execute-call.ts'
import type { CallPorts } from '../../../lib/operators/ports/run-ports.ts'
import type { Answer, Question } from '../../../lib/streams/ports/ask.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { ToolContext, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { ready, ports, letters, progress, nameOf, playCall, playToEnd } from './execute-call-scene.ts'

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
  ])('passes on %s [PORT-tool]', (_, output, expected) => {
    expect(playCall(output)).toBe(expected)
  })

  it('turns a throw into an error result', () => {
    expect(
      playCall(() => {
        throw new TypeError('oops')
      }),
    ).toBe('0:!oops,|')
    expect(playCall(new Observable<never>((subscriber) => subscriber.error('just text')))).toBe('0:!just text,|')
    expect(playCall(throwError(() => new RangeError()))).toBe('0:!RangeError,|')
    const textless$ = new Observable<never>((subscriber) => subscriber.error(Object.create(null)))
    expect(playCall(textless$)).toBe('0:!the thrown value has no text,|')
  })

  it('accepts a promise of a result', async () => {
    const name = await new Promise((resolve) => {
      executeCall(ready(Promise.resolve(textResult('promised'))), ports(), createStopSwitch()).subscribe((event) => {
        resolve(nameOf(event))
      })
    })
    expect(name).toBe('=promised')
  })

  it('turns a rejected promise into an error result', async () => {
    const name = await new Promise((resolve) => {
      executeCall(
        ready(() => Promise.reject(new Error('rejected'))),
        ports(),
        createStopSwitch(),
      ).subscribe((event) => {
        resolve(nameOf(event))
      })
    })
    expect(name).toBe('!rejected')
  })

  it('passes arguments and surroundings to the tool [PORT-context]', () => {
    const call = ready('x')
    executeCall(call, ports(), createStopSwitch()).subscribe()
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

  it('emits details, terminate and the duration [EVENT-tool_end]', () => {
    marbles(({ expectObservable, cold }) => {
      const result = { ...textResult('x'), details: { lines: 1 }, terminate: true }
      expectObservable(executeCall(ready(cold('---r', { r: result })), ports(), createStopSwitch())).toBe('---(e|)', {
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

  it('counts its time from its own start', () => {
    marbles(({ cold, expectObservable }) => {
      const call$ = executeCall(ready(cold('---r', letters)), ports(), createStopSwitch())
      const took$ = timer(1_000).pipe(
        mergeMap(() => call$),
        map((event) => event.type === 'tool_execution_end' && event.durationMs),
      )
      expectObservable(took$).toBe('1003ms (d|)', { d: 3 })
    })
  })

  it.each([[undefined], [null], [7], ['text'], [{}], [{ type: 'song' }]])('does not accept %j as a result', (other) => {
    expect(playToEnd(of(other) as Observable<ToolResult>)).toMatchObject({
      content: [{ text: 'slow returned a value that is neither progress nor a result.' }],
      isError: true,
    })
  })

  it.each<[Question, unknown]>([
    [{ kind: 'confirm', text: 'Go on?' }, false],
    [{ kind: 'select', text: 'Which?', options: ['a', 'b'], default: 'b' }, 'b'],
    [{ kind: 'input', text: 'Which?' }, null],
  ])('answers a tool’s question %j by its default without an `ask` port', (question, outcome) => {
    const answers: Answer[] = []
    playToEnd(({ context }) =>
      context.ask(question).pipe(
        tap((answer) => answers.push(answer)),
        map(() => textResult('x')),
      ),
    )
    expect(answers).toEqual([{ outcome, by: 'default' }])
  })

  it('passes the call with a tool’s question', () => {
    const requested: unknown[] = []
    const question: Question = { kind: 'confirm', text: 'Go on?' }
    const answer: Answer = { outcome: true, by: 'client' }
    const asking: CallPorts = {
      ...ports(),
      ask: (...input) => {
        requested.push(input)
        return of(answer)
      },
    }
    const call = ready(({ context }) => context.ask(question).pipe(map(({ by }) => textResult(by))))
    const names: string[] = []
    executeCall(call, asking, createStopSwitch()).subscribe((event) => names.push(nameOf(event)))
    expect([names, requested]).toEqual([['=client'], [[question, call.call]]])
  })

  it('counts a result without content as empty', () => {
    expect(playToEnd(of({ type: 'result' } as ToolResult))).toMatchObject({ content: [], isError: false })
  })

  it('sets terminate only if the result does', () => {
    expect(playToEnd('x')).not.toHaveProperty('terminate')
    expect(playToEnd(of(textResult('x', { terminate: false })))).not.toHaveProperty('terminate')
  })

  it('counts offsets of progress per kind, and keeps those that the tool sets [EVENT-tool_update]', () => {
    const result$ = of<(ToolProgress | ToolResult)[]>(
      progress('ab'),
      progress('x', { updateType: 'stderr' }),
      progress('c', { progressPercent: 50 }),
      progress('z', { offset: 100 }),
      progress('!'),
      textResult(''),
    )
    const updates: unknown[] = []
    executeCall(ready(result$), ports(), createStopSwitch()).subscribe((event) => {
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

  it('stops a tool that continues after its result [LOOP-11a]', () => {
    let fired = 0
    const firehose$ = concat(
      of(textResult('x')),
      range(0, 1_000).pipe(
        tap(() => fired++),
        map(() => progress('late')),
      ),
    )
    expect(playToEnd(firehose$)).toBeDefined()
    expect(fired).toBe(0)
  })
})

describe('executeCall and its subscriber', () => {
  it('never aborts the signal of a call that has its result', () => {
    let signal: AbortSignal | undefined
    const output = ({ context }: { context: ToolContext }) => {
      ;({ signal } = context)
      return of(textResult('r'))
    }
    const received: unknown[] = []
    const afterToolCall = () => {
      received.push(signal?.aborted)
      return undefined
    }
    expect(playCall(output, { ports: ports({ afterToolCall }) })).toBe('0:=r,|')
    expect([...received, signal?.aborted]).toEqual([false, false])
  })

  it.each([
    ['cut after 51,200 bytes, with a notice', undefined, [51_200, 103]],
    ['cut after the limit of its tool', 100, [100, 101]],
    ['left as it is if its tool says so', 0, [51_201]],
  ])('has a text result %s', (_, maxResultBytes, lengths) => {
    const long = textResult('x'.repeat(51_201))
    const ended$ = executeCall(
      ready(of(long), maxResultBytes === undefined ? {} : { maxResultBytes }),
      ports(),
      createStopSwitch(),
    )
    const received: number[][] = []
    ended$.subscribe((event) => {
      if (event.type === 'tool_execution_end')
        received.push(event.content.map((block) => (block.type === 'text' ? block.text.length : -1)))
    })
    expect(received).toEqual([lengths])
  })

  it('unsubscribes the tool and aborts its signal when it is unsubscribed', () => {
    let signal: AbortSignal | undefined
    let gone = false
    const output = ({ context }: { context: ToolContext }) => {
      ;({ signal } = context)
      return new Observable<ToolResult>(() => () => {
        gone = true
      })
    }
    executeCall(ready(output), ports(), createStopSwitch()).subscribe().unsubscribe()
    expect([gone, signal?.aborted]).toEqual([true, true])
    expect(signal?.reason).toMatchObject({ name: 'AbortError' })
  })

  it('leaves no timer and no listener of the stop behind', () => {
    marbles(({ flush }) => {
      const stop = createStopSwitch()
      const names: string[] = []
      executeCall(ready('x'), ports(), stop).subscribe((event) => names.push(nameOf(event)))
      stop.stop('aborted')
      flush()
      expect(names).toEqual(['=x'])
    })
  })

  it('runs the call anew for each subscription', () => {
    const call = ready('x')
    const call$ = executeCall(call, ports(), createStopSwitch())
    call$.subscribe()
    call$.subscribe()
    expect((call.tool as ReturnType<typeof fakeTool>).calls).toHaveLength(2)
  })
})
