// Tests that an abort takes effect at every boundary of a run (docs/loop.md#24).
import { NEVER } from 'rxjs'
import type { RunHelpers } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { RunControl, RunScene } from '../../../lib/testing/run-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { newWatches, referenceScene, retryMs, steerMs, wholeRun } from '../../support/reference-run.ts'
import type { Watches } from '../../support/reference-run.ts'

/** The reference run with every limit that needs a timer. */
function reference(helpers: RunHelpers, watches: Watches): RunScene {
  return {
    ...referenceScene(helpers, watches),
    ports: { graceMs: 4, wallClockMs: 172_800_000, idle: { first: 600_000, each: 120_000 } },
    at: { [steerMs]: (control) => control.steer('hurry') },
  }
}

interface Aborted {
  readonly played: VirtualRun
  /** The numbers of requests and of tool executions, at the abort and at the end. */
  readonly requests: readonly [number, number]
  readonly tools: readonly [number, number]
  readonly live: number
  /** The time of the run's last own action; a later timer is a leak. */
  readonly done: number
}

/** Aborts the reference run within its event `index`, or at a millisecond. */
function abortedAt(where: { readonly index?: number; readonly ms?: number }): Aborted {
  const watches = newWatches()
  const { requests, tools } = watches
  let before: [number, number] = [-1, -1]
  const abort = (control: RunControl): void => {
    before = [requests.subscribed, tools.subscribed]
    control.stop()
  }
  let index = 0
  const played = virtualRun((helpers) => {
    const scene = reference(helpers, watches)
    return {
      ...scene,
      at: { ...scene.at, ...(where.ms === undefined ? {} : { [where.ms]: abort }) },
      onEvent: (_, control) => {
        if (index++ === where.index) abort(control)
      },
    }
  })
  return {
    played,
    requests: [before[0], requests.subscribed],
    tools: [before[1], tools.subscribed],
    live: requests.live + tools.live,
    done: Math.max(played.timed.at(-1)?.at ?? 0, steerMs, where.ms ?? 0),
  }
}

/** Lists the faults of an aborted run. */
function faultsOf({ played, requests, tools, live, done }: Aborted): string[] {
  const reason = played.events.find((event) => event.type === 'agent_end')?.terminationReason
  return [
    ...faultsOfRun(played.events),
    ...(played.end === 'complete' ? [] : [`it ends ${String(played.end)}`]),
    ...(requests[0] === requests[1] ? [] : [`${requests[1] - requests[0]} requests after the abort`]),
    ...(tools[0] === tools[1] ? [] : [`${tools[1] - tools[0]} tools after the abort`]),
    ...(live === 0 ? [] : [`${live} subscriptions are left`]),
    ...(played.idleAt <= done ? [] : [`timers are left until ${played.idleAt} ms`]),
    ...(reason === 'aborted' ? [] : [`it ends as ${String(reason)}`]),
  ]
}

const whole = abortedAt({})

describe('the reference run', () => {
  it('contains every event that an abort could meet', () => {
    expect(faultsOfRun(whole.played.events)).toEqual([])
    expect(whole.played.notation()).toBe(wholeRun)
    expect([whole.requests[1], whole.tools[1], whole.live]).toEqual([2, 3, 0])
    expect(whole.played.idleAt).toBe(whole.done)
  })
})

describe('an abort', () => {
  const last = whole.played.events.length - 1
  const end = whole.played.timed.at(-1)?.at ?? 0

  it('within any event of the run leaves nothing open, sends no request and starts no tool [LOOP-24a, LOOP-24c, LOOP-24d]', () => {
    const faulty: unknown[] = []
    for (let index = 0; index < last - 1; index++) {
      const faults = faultsOf(abortedAt({ index }))
      if (faults.length > 0) faulty.push([index, ...faults])
    }
    expect(faulty).toEqual([])
  })

  it('at any millisecond of the run leaves nothing open, sends no request and starts no tool [LOOP-24a, LOOP-24c, LOOP-34d]', () => {
    const faulty: unknown[] = []
    for (let ms = 1; ms < end; ms++) {
      const faults = faultsOf(abortedAt({ ms }))
      if (faults.length > 0) faulty.push([ms, ...faults])
    }
    expect([faulty, end]).toEqual([[], 49])
  })

  it('within `agent_end` changes nothing', () => {
    for (const index of [last - 1, last]) {
      const { played } = abortedAt({ index })
      expect(played.events).toEqual(whole.played.events)
    }
  })

  it('ends the open message as aborted, with the content so far [LOOP-24b]', () => {
    const { played } = abortedAt({ ms: retryMs + 10 })
    const answered = played.messages.at(-1)
    expect(answered).toMatchObject({ role: 'assistant', stopReason: 'aborted' })
    expect(played.notation()).toMatch(/mu me\(asst\) TE AE SET$/)
    expect(answered?.content).toMatchObject([{ thinking: 'hm' }, { text: '' }])
  })

  it('adds no message if none had started', () => {
    expect(abortedAt({ ms: 2 }).played.notation()).toBe('AS TS ms(user) me(user) auto_retry TE AE SET')
  })

  it('gives each call of a cut message a result, and runs none [LOOP-24c]', () => {
    const { played, tools } = abortedAt({ ms: retryMs + 26 })
    expect(played.notation({ calls: true })).toMatch(
      /me\(asst\) xs\(fast\) xe\(fast\) ms\(fast\) me\(fast\) xs\(slow\) xe\(slow\) ms\(slow\) me\(slow\) TE AE SET$/,
    )
    expect(tools).toEqual([0, 0])
    expect(resultsOf(played)).toEqual(['Aborted', 'Aborted'])
  })

  it('waits for a tool that took its signal as long as the grace time, and counts its result [LOOP-24f]', () => {
    const begun = whole.played.timed.find(({ event }) => event.type === 'tool_execution_start')?.at ?? 0
    const inTime = abortedAt({ ms: begun + 2 }).played
    expect(resultsOf(inTime)).toEqual(['at once', 'result', 'Aborted'])
    const late = virtualRun({
      script: [{ toolCalls: [{ name: 'slow' }] }],
      tools: [fakeTool('slow', ({ context }) => (context.signal.aborted ? 'never' : NEVER))],
      at: { 1: (control) => control.stop() },
      ports: { graceMs: 5_000 },
    })
    expect(resultsOf(late)).toEqual(['Aborted'])
    expect(late.timed.at(-1)?.at).toBe(5_001)
  })

  it('takes effect while the message streams synchronously [LOOP-24d]', () => {
    function* endless(): Generator<AssistantDelta> {
      yield { type: 'text_start', contentIndex: 0 }
      for (;;) yield { type: 'text_delta', contentIndex: 0, text: 'x' }
    }
    let updates = 0
    const played = virtualRun({
      script: [endless()],
      onEvent: (event, control) => {
        if (event.type === 'message_update' && ++updates === 1_000) control.stop()
      },
    })
    expect(faultsOfRun(played.events)).toEqual([])
    expect(played.messages.at(-1)).toMatchObject({ content: [{ text: 'x'.repeat(999) }], stopReason: 'aborted' })
  })

  it('of an unsubscribed run emits nothing and leaves no timer', () => {
    for (let ms = 1; ms < end; ms++) {
      const watches = newWatches()
      const played = virtualRun((helpers) => {
        const scene = reference(helpers, watches)
        return { ...scene, at: { ...scene.at, [ms]: (control) => control.unsubscribe() } }
      })
      expect([played.end, watches.requests.live + watches.tools.live]).toEqual(['open', 0])
      expect(played.timed.every(({ at }) => at <= ms)).toBe(true)
      expect(played.idleAt).toBe(Math.max(ms, steerMs))
    }
  })
})

function resultsOf(played: VirtualRun): string[] {
  const ends = played.events.filter((event): event is EventNamed<'message_end'> => event.type === 'message_end')
  return ends.flatMap(({ message }) =>
    message.role === 'toolResult' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
  )
}
