// Tests `executeCall` with an `afterToolCall` hook.
import { EMPTY, NEVER, map, of, take, throwError, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { executeCall } from '../../../lib/operators/tool-calls/execute-call.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { ToolResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { ready, ports, progress, nameOf, playCall, playToEnd } from './execute-call-scene.ts'

describe('executeCall with afterToolCall', () => {
  it('emits no progress while the hook runs [LOOP-11a, PORT-tool]', () => {
    const hooks: Hooks = { afterToolCall: () => timer(5).pipe(map(() => undefined)) }
    expect(playCall('marble -p-r-q-q', { ports: ports(hooks) })).toBe('1:p 8:=r,|')
  })

  const replacing = (answer: ReturnType<NonNullable<Hooks['afterToolCall']>>): Hooks => ({
    afterToolCall: () => answer,
  })

  it('may replace the result', () => {
    expect(
      playToEnd('x', replacing(of({ ...textResult('y', { isError: true, terminate: true }), details: 1 }))),
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
  ])('keeps the result if it %s', (_, answer$) => {
    expect(playToEnd('x', replacing(answer$))).toMatchObject({ content: [{ text: 'x' }], isError: false })
  })

  it('receives the call and its result', () => {
    const calls: unknown[] = []
    playToEnd('x', {
      afterToolCall: (input) => {
        calls.push(input)
        return EMPTY
      },
    })
    expect(calls).toMatchObject([
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
  ])('makes the result an error if it %s', (_, afterToolCall) => {
    expect(playToEnd('x', { afterToolCall })).toMatchObject({ content: [{ text: 'hook' }], isError: true })
  })

  it('has a time limit of 30 s, and is named after it', () => {
    expect(playCall('x', { ports: ports(replacing(NEVER)) })).toBe(
      '30000:!The hook afterToolCall did not answer within 30 s.,|',
    )
  })

  it('does not delay a stop', () => {
    const stop = createStopSwitch()
    const hooks: Hooks = {
      afterToolCall: () => {
        timer(4).subscribe(() => stop.stop('aborted'))
        return NEVER
      },
    }
    expect(playCall('x', { stop, ports: ports(hooks) })).toBe(
      '4:!Aborted: the tool had ended, but afterToolCall had not answered yet.,|',
    )
  })

  it('is called once, also if the time limit passes or the run is stopped meanwhile', () => {
    let calls = 0
    const stop = createStopSwitch()
    const hooks: Hooks = {
      afterToolCall: () => {
        calls += 1
        return timer(10).pipe(map(() => undefined))
      },
    }
    expect(playCall('marble -r', { ports: ports(hooks), tool: { timeoutMs: 5 } })).toBe('11:=r,|')
    const stopped = timeline(
      ({ cold }) => {
        timer(4).subscribe(() => stop.stop('aborted'))
        return executeCall(ready(cold('-r', { r: textResult('r') })), ports(hooks), stop)
      },
      { name: nameOf },
    )
    expect(stopped).toBe('4:!Aborted: the tool had ended, but afterToolCall had not answered yet.,|')
    expect(calls).toBe(2)
  })

  it('is not called for a call that the stop ended', () => {
    const stop = createStopSwitch()
    let calls = 0
    const hooks: Hooks = {
      afterToolCall: () => {
        calls += 1
        return EMPTY
      },
    }
    const line = timeline(
      () => {
        timer(4).subscribe(() => stop.stop('aborted'))
        return executeCall(ready(NEVER), ports(hooks), stop)
      },
      { name: nameOf },
    )
    expect([line, calls]).toEqual(['4:!Aborted,|', 0])
  })

  it.each([[7], ['text'], [[]], [{}], [{ type: 'progress' }]])(
    'makes the result an error if it returns %j',
    (other) => {
      expect(playToEnd('x', replacing(of(other) as Observable<ToolResult>))).toMatchObject({
        content: [{ text: 'afterToolCall returned a value that is not a result.' }],
        isError: true,
      })
    },
  )

  it('is called for a result of the grace time, and applies if it answers synchronously', () => {
    const calls: unknown[] = []
    const outcomeWith = (answer: ReturnType<NonNullable<Hooks['afterToolCall']>>): string => {
      const stop = createStopSwitch()
      const hooks: Hooks = {
        afterToolCall: ({ result }) => {
          calls.push(result)
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
    expect(calls).toHaveLength(2)
  })

  it('is not called for an unsubscribed call', () => {
    let calls = 0
    const hooks: Hooks = {
      afterToolCall: () => {
        calls += 1
        return EMPTY
      },
    }
    executeCall(ready(NEVER), ports(hooks), createStopSwitch()).subscribe().unsubscribe()
    executeCall(ready(of(progress('p'), progress('q'))), ports(hooks), createStopSwitch())
      .pipe(take(1))
      .subscribe()
    expect(calls).toBe(0)
  })
})
