// Tests how `executeCall` ends a call: time limit, stop and misbehaving tools.
import { EMPTY, NEVER, Observable, Subject, finalize, map, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { defaultToolLimitMs, executeCall } from '../../../lib/operators/tool-calls/execute-call.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { ToolContext, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import type { FakeToolOutput } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { ready, ports, letters, nameOf, playCall } from './execute-call-scene.ts'

describe('executeCall and its time limit', () => {
  it('ends a call that takes too long, and unsubscribes its tool', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const result$ = cold('-p', letters)
      const names$ = executeCall(ready(result$, { timeoutMs: 5 }), ports(), createStopSwitch()).pipe(map(nameOf))
      const text = '!slow took longer than its limit of 0.005 s and was ended.'
      expectObservable(names$).toBe('-p---(e|)', { p: 'p', e: text })
      expectSubscriptions(result$.subscriptions).toBe('^----!')
    })
  })

  it('has a default limit of two minutes [LOOP-15a]', () => {
    expect(defaultToolLimitMs).toBe(120_000)
    expect(playCall(NEVER)).toBe('120000:!slow took longer than its limit of 120 s and was ended.,|')
  })

  it('has no limit for 0 [LOOP-15a]', () => {
    expect(playCall(timer(3_600_000).pipe(map(() => textResult('late'))), { tool: { timeoutMs: 0 } })).toBe(
      '3600000:=late,|',
    )
  })

  it.each([2 ** 31, Infinity, -1, NaN])('does not run a tool with a limit of %d ms [LOOP-28b]', (timeoutMs) => {
    const line = playCall('ran', { tool: { timeoutMs } })
    expect(line).toContain('not between 0 and 2147483647')
    expect(line).not.toContain('ran')
  })

  it('accepts the longest delay of a timer as limit', () => {
    expect(playCall('ran', { tool: { timeoutMs: 2 ** 31 - 1 } })).toBe('0:=ran,|')
  })

  it('aborts the signal of a call that takes too long', () => {
    marbles(({ flush }) => {
      let signal: AbortSignal | undefined
      const output = ({ context }: { context: ToolContext }) => {
        ;({ signal } = context)
        return NEVER
      }
      executeCall(ready(output, { timeoutMs: 5 }), ports(), createStopSwitch()).subscribe()
      expect(signal?.aborted).toBe(false)
      flush()
      expect(signal?.aborted).toBe(true)
      expect(signal?.reason).toMatchObject({
        name: 'TimeoutError',
        message: 'slow took longer than its limit of 0.005 s and was ended.',
      })
    })
  })

  it.each([
    ['a result', 'r'],
    ['a failure', '#'],
    ['no result', '|'],
  ])('unsubscribes the tool before it emits the end: %s', (_, ending) => {
    const received: string[] = []
    marbles(({ cold }) => {
      const tool$ = cold(`-p-${ending}`, letters).pipe(finalize(() => received.push('let go')))
      executeCall(ready(tool$), ports(), createStopSwitch()).subscribe(({ type }) => received.push(type))
    })
    expect(received).toEqual(['tool_execution_update', 'let go', 'tool_execution_end'])
  })

  it('unsubscribes an overdue tool before it runs a slow hook', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const result$ = cold('---------', letters)
      const hooks: Hooks = { afterToolCall: () => timer(10).pipe(map(() => undefined)) }
      const names$ = executeCall(ready(result$, { timeoutMs: 3 }), ports(hooks), createStopSwitch()).pipe(map(nameOf))
      expectObservable(names$).toBe('13ms (e|)', { e: '!slow took longer than its limit of 0.003 s and was ended.' })
      expectSubscriptions(result$.subscriptions).toBe('^--!')
    })
  })
})

describe('executeCall at a stop', () => {
  function stoppedAt(
    at: number,
    output: (call: { context: ToolContext }, cold: ColdOutput) => FakeToolOutput,
    callPorts = ports(),
  ): string {
    const stop = createStopSwitch()
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

  it('unsubscribes that tool', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const stop = createStopSwitch()
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

  it('ends the call when the grace time is over [LOOP-24f]', () => {
    const output = ({ context }: { context: ToolContext }) => (context.signal.aborted ? EMPTY : NEVER)
    expect(stoppedAt(3, output)).toBe('5003:!Aborted,|')
    expect(stoppedAt(3, output, ports({}, 50))).toBe('53:!Aborted,|')
  })

  it.each([
    [undefined, '2003:!Aborted,|'],
    [50, '53:!Aborted,|'],
  ])('gives two seconds of grace at most if the server shuts down, of %s ms [LOOP-24f]', (graceMs, expected) => {
    const stop = createStopSwitch()
    const output = ({ context }: { context: ToolContext }) => (context.signal.aborted ? EMPTY : NEVER)
    const line = timeline(
      () => {
        const call$ = executeCall(ready(output), ports({}, graceMs), stop)
        timer(3).subscribe(() => stop.stop('server_shutdown'))
        return call$
      },
      { name: nameOf },
    )
    expect(line).toBe(expected)
  })

  it('emits progress during the grace time', () => {
    const output = ({ context }: { context: ToolContext }, cold: ColdOutput) =>
      context.signal.aborted ? NEVER : cold('-p---q-r')
    expect(stoppedAt(3, output)).toBe('1:p 5:q 7:=r,|')
  })

  it.each([
    ['fails for it', '-p---#'],
    ['ends without a result for it', '-p---|'],
  ])('reports a tool that %s as aborted', (_, marble) => {
    const output = ({ context }: { context: ToolContext }, cold: ColdOutput) =>
      context.signal.aborted ? NEVER : cold(marble)
    expect(stoppedAt(3, output)).toBe('1:p 5:!Aborted,|')
  })

  it('aborts the signal at the stop', () => {
    marbles(({ flush }) => {
      const stop = createStopSwitch()
      let signal: AbortSignal | undefined
      const output = ({ context }: { context: ToolContext }) => {
        ;({ signal } = context)
        return NEVER
      }
      executeCall(ready(output), ports(), stop).subscribe()
      stop.stop('aborted')
      expect(signal?.aborted).toBe(true)
      expect(signal?.reason).toMatchObject({ name: 'AbortError' })
      flush()
    })
  })

  it('gives a promise the grace time, as it cannot be unsubscribed [LOOP-24f]', async () => {
    const stop = createStopSwitch()
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
    const stop = createStopSwitch()
    stop.stop('aborted')
    expect(playCall('x', { stop })).toBe('0:!Aborted,|')
  })

  it('keeps a result that came before the stop', () => {
    expect(stoppedAt(3, (_, cold) => cold('-r'))).toBe('1:=r,|')
  })

  it('ends once if the tool emits its result synchronously at the stop', () => {
    const stop = createStopSwitch()
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

type ColdOutput = (marble: string) => Observable<ToolProgress | ToolResult>
