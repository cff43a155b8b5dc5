// Tests `prepareCall` with a `beforeToolCall` hook.
import { EMPTY, NEVER, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { prepareCall } from '../../../lib/operators/tool-calls/prepare-call.ts'
import type { CallPorts } from '../../../lib/operators/ports/run-ports.ts'
import type { BeforeToolCallAnswer } from '../../../lib/streams/ports/hooks.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { read, call, ports, prepare, refusalOf, withHook, throwBroken } from './prepare-call-scene.ts'

describe('prepareCall with a hook', () => {
  it('calls it with call, tool and repaired arguments, if the call is valid', () => {
    const calls: unknown[] = []
    const callPorts = withHook((input) => {
      calls.push(input)
      return EMPTY
    })
    prepare(call({}), callPorts)
    prepare(call({ path: 'a', limit: '2' }), callPorts)
    expect(calls).toMatchObject([{ call: { id: 'c' }, tool: { name: 'read' }, args: { path: 'a', limit: 2 } }])
  })

  it.each([
    ['says nothing', EMPTY],
    ['says undefined', of(undefined)],
    ['has nothing against it', of({})],
  ])('continues if it %s', (_, answer$) => {
    expect(
      prepare(
        call({ path: 'a' }),
        withHook(() => answer$),
      ).args,
    ).toEqual({ path: 'a' })
  })

  it('uses its first answer', () => {
    const callPorts = withHook(() => of<BeforeToolCallAnswer[]>({ block: { reason: 'no' } }, {}))
    expect(prepare(call({ path: 'a' }), callPorts).text).toBe('no')
  })

  it('accepts a promise', async () => {
    const callPorts = withHook(() => Promise.resolve({ block: { reason: 'promised' } }))
    const text = await new Promise((resolve) => {
      prepareCall(call({ path: 'a' }), callPorts, createStopSwitch()).subscribe((step) => {
        resolve(refusalOf(step))
      })
    })
    expect(text).toBe('promised')
  })

  it('passes the changed arguments to the tool, with the locks for them', () => {
    const tool = { ...read, locks: ({ path }: never) => ({ write: [path] }) }
    const callPorts = ports([tool], { beforeToolCall: () => of({ args: { path: 'b' } }) })
    const { step } = prepare(call({ path: 'a' }), callPorts)
    expect(step).toMatchObject({
      args: { path: 'b' },
      argsChanged: true,
      locks: { write: ['b'] },
      call: { arguments: { path: 'a' } },
    })
  })

  it('refuses invalid arguments of a hook', () => {
    const { text } = prepare(
      call({ path: 'a' }),
      withHook(() => of({ args: { path: 7 } })),
    )
    expect(text).toMatch(/^A hook changed the arguments\. The arguments of read are not valid:\n- \/path: must be text/)
  })

  it.each([
    ['throws', withHook(throwBroken)],
    ['fails', withHook(() => throwError(() => new Error('broken')))],
  ])('refuses the call if it %s', (_, callPorts) => {
    expect(prepare(call({ path: 'a' }), callPorts).text).toBe('broken')
  })

  it('refuses the call if it takes longer than 30 s, with a reason', () => {
    marbles(({ expectObservable }) => {
      const text$ = prepareCall(
        call({ path: 'a' }),
        withHook(() => NEVER),
        createStopSwitch(),
      ).pipe(map(refusalOf))
      expectObservable(text$).toBe('30s (r|)', { r: 'The hook beforeToolCall did not answer within 30 s.' })
    })
  })

  it('waits for an approval of the hook’s arguments without a time limit', () => {
    marbles(({ cold, expectObservable }) => {
      const calls: unknown[] = []
      const waiting: CallPorts = {
        ...withHook(() => of({ args: { path: 'b' } })),
        refusalOf: ({ args }) => {
          calls.push(args)
          return cold('60m r', { r: 'no' })
        },
      }
      const text$ = prepareCall(call({ path: 'a' }), waiting, createStopSwitch()).pipe(
        map((step) => [refusalOf(step), ...calls]),
      )
      expectObservable(text$).toBe('60m (r|)', { r: ['no', { path: 'b' }] })
    })
  })

  it('stops waiting for an approval when the run is stopped', () => {
    const stop = createStopSwitch()
    const emitted: (string | undefined)[] = []
    prepareCall(call({ path: 'a' }), { ...ports(), refusalOf: () => NEVER }, stop).subscribe((step) =>
      emitted.push(refusalOf(step)),
    )
    stop.stop('aborted')
    expect(emitted).toEqual(['Aborted'])
  })

  it('unsubscribes it when it is unsubscribed', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const answer$ = cold<undefined>('-----a')
      expectObservable(
        prepareCall(
          call({ path: 'a' }),
          withHook(() => answer$),
          createStopSwitch(),
        ),
        '^-!',
      ).toBe('')
      expectSubscriptions(answer$.subscriptions).toBe('^-!')
    })
  })
})
