// Tests `callTools` if a call fails, the run stops or the subscriber unsubscribes.
import { NEVER, throwError, timer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { CalledTool } from '../../../lib/operators/tool-calls/call-tools.ts'
import type { Hooks } from '../../../lib/streams/ports/hooks.ts'
import { createStopSwitch } from '../../../lib/streams/rx/stop-switch.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { timeline } from '../../../lib/testing/timeline.ts'
import { call, batchOf, name, sequential } from './call-tools-scene.ts'

describe('callTools after a failure', () => {
  it.each([
    ['throws', (): never => throwBroken()],
    ['fails', () => throwError(() => new Error('broken'))],
    ['rejects its arguments by throwing', undefined],
  ])('does not affect the other calls if a tool %s', (_, output) => {
    const broken = output === undefined ? fakeTool('a', 'x', { validate: throwBroken }) : fakeTool('a', output)
    const { events$, results } = batchOf({ calls: [call('a'), call('b')], tools: [broken, fakeTool('b', 'fine')] })
    events$.subscribe()
    expect(results.map(({ message }) => [message.isError, message.content[0]])).toMatchObject([
      [true, { text: 'broken' }],
      [false, { text: 'fine' }],
    ])
  })

  it('unsubscribes everything when it is unsubscribed, and emits nothing more', () => {
    marbles(({ cold, flush, expectSubscriptions }) => {
      const one$ = cold<never>('-----')
      const two$ = cold<never>('-----')
      const tools = [fakeTool('a', one$), fakeTool('b', two$)]
      const { events$, results } = batchOf({ calls: [call('a'), call('b')], tools })
      const emitted: string[] = []
      const subscription = events$.subscribe((event) => emitted.push(name(event)))
      timer(3).subscribe(() => {
        subscription.unsubscribe()
      })
      flush()
      expect([emitted, results]).toEqual([['xs(a)', 'xs(b)'], []])
      expectSubscriptions(one$.subscriptions).toBe('^--!')
      expectSubscriptions(two$.subscriptions).toBe('^--!')
    })
  })
})

describe('callTools at a stop', () => {
  const aborted = (results: readonly CalledTool[]) =>
    results.map(({ message }) => (message.content[0]?.type === 'text' ? message.content[0].text : ''))

  it('gives every running and waiting call its result [LOOP-24c]', () => {
    const stop = createStopSwitch()
    const tools = [fakeTool('a', NEVER), fakeTool('b', 'never run', { mustSerial: true })]
    const { events$, results } = batchOf({ calls: [call('a'), call('b'), call('c', 'a')], tools }, stop)
    const line = timeline(
      () => {
        timer(5).subscribe(() => stop.stop('aborted'))
        return events$
      },
      { name },
    )
    expect(line).toBe('0:xs(a),xs(b),xs(c) 5:xe(b),xe(c),xe(a),ms(a),me(a),ms(b),me(b),ms(c),me(c),|')
    expect(aborted(results)).toEqual(['Aborted', 'Aborted', 'Aborted'])
    expect(tools[1]?.calls).toEqual([])
  })

  it('prepares no further call, and still gives each a start, an end and a result [LOOP-24c]', () => {
    const stop = createStopSwitch()
    let prepared = 0
    const hooks: Hooks = {
      beforeToolCall: () => {
        prepared += 1
        return NEVER
      },
    }
    const { events$, results } = batchOf(
      {
        calls: [call('a'), call('b')],
        tools: [fakeTool('a', 'x'), fakeTool('b', 'x')],
        ports: { hooks },
      },
      stop,
    )
    const line = timeline(
      () => {
        timer(3).subscribe(() => stop.stop('aborted'))
        return events$
      },
      { name },
    )
    expect(line).toBe('3:xs(a),xe(a),xs(b),xe(b),ms(a),me(a),ms(b),me(b),|')
    expect([prepared, aborted(results)]).toEqual([1, ['Aborted', 'Aborted']])
  })

  it('starts no further call of a sequential batch', () => {
    const stop = createStopSwitch()
    const tools = [fakeTool('a', NEVER), fakeTool('b', 'never run')]
    const { events$, results } = batchOf({ calls: [call('a'), call('b')], tools, ports: sequential }, stop)
    const line = timeline(
      () => {
        timer(3).subscribe(() => stop.stop('aborted'))
        return events$
      },
      { name },
    )
    expect(line).toBe('0:xs(a) 3:xe(a),ms(a),me(a),xs(b),xe(b),ms(b),me(b),|')
    expect([aborted(results), tools[1]?.calls]).toEqual([['Aborted', 'Aborted'], []])
  })
})

function throwBroken(): never {
  throw new Error('broken')
}
