// LOOP.md 24: an abort is enforced at every boundary.
import { NEVER, Observable, of } from 'rxjs'
import type { RunHelpers } from 'rxjs/testing'
import { describe, expect, it } from 'vitest'
import type { AssistantDelta } from '../../../lib/streams/delta.ts'
import type { EventNamed } from '../../../lib/streams/event.ts'
import { Failure } from '../../../lib/streams/failure.ts'
import { noUsage } from '../../../lib/streams/message.ts'
import { textResult } from '../../../lib/streams/tool.ts'
import type { ToolProgress, ToolResult } from '../../../lib/streams/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import type { RunControl, RunScene } from '../../../lib/testing/run-scene.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import type { VirtualRun } from '../../../lib/testing/virtual-run.ts'
import { faultsOfRun } from '../../support/laws.ts'

/** What is subscribed at a time, counted. */
interface Watch {
  live: number
  subscribed: number
}

function watched<Value>(watch: Watch, source$: Observable<Value>): Observable<Value> {
  return new Observable((subscriber) => {
    watch.live += 1
    watch.subscribed += 1
    const subscription = source$.subscribe(subscriber)
    return () => {
      watch.live -= 1
      subscription.unsubscribe()
    }
  })
}

const answer: Record<string, AssistantDelta> = {
  h: { type: 'start', responseId: 'r' },
  a: { type: 'thinking_start', contentIndex: 0 },
  b: { type: 'thinking_delta', contentIndex: 0, text: 'hm' },
  c: { type: 'thinking_end', contentIndex: 0 },
  d: { type: 'text_start', contentIndex: 1 },
  e: { type: 'text_delta', contentIndex: 1, text: 'so' },
  f: { type: 'text_end', contentIndex: 1 },
  ...Object.fromEntries(
    ['fast', 'slow', 'alone'].flatMap((name, index): [string, AssistantDelta][] => [
      [`${index * 3}`, { type: 'toolcall_start', contentIndex: 2 + index, id: name, name }],
      [`${index * 3 + 1}`, { type: 'toolcall_delta', contentIndex: 2 + index, text: '{}' }],
      [`${index * 3 + 2}`, { type: 'toolcall_end', contentIndex: 2 + index, arguments: {} }],
    ]),
  ),
  z: { type: 'done', stopReason: 'toolUse', usage: noUsage },
}
const second: Record<string, AssistantDelta> = {
  a: { type: 'text_start', contentIndex: 0 },
  b: { type: 'text_delta', contentIndex: 0, text: 'done' },
  z: { type: 'done', stopReason: 'stop', usage: noUsage },
}
const outputs: Record<string, ToolProgress | ToolResult> = {
  p: { type: 'progress', updateType: 'stdout', content: 'x' },
  r: textResult('result'),
}

/** A failed attempt, thinking, text, three calls (one alone, one that takes its signal), a steer, a second turn. */
function reference({ cold }: RunHelpers, requests: Watch, tools: Watch): RunScene {
  const slow$ = watched(tools, cold('--p--r', outputs))
  return {
    script: [
      new Failure('provider_error', 'busy', { data: { kind: 'overloaded', retryAfterMs: 3 } }),
      { deltas$: watched(requests, cold('-h-a-b-c-d-e-f-0-1-2-3-4-5-6-7-8-(z|)', answer)) },
      { deltas$: watched(requests, cold('-a-b-(z|)', second)) },
    ],
    tools: [
      fakeTool('fast', watched(tools, of(textResult('at once')))),
      fakeTool('slow', ({ context }) => (context.signal.aborted ? 'never' : slow$)),
      fakeTool('alone', watched(tools, cold('-p-r', outputs)), { mustSerial: true }),
    ],
    ports: { graceMs: 4 },
    at: { 12: (control) => control.steer('hurry') },
  }
}

interface Aborted {
  readonly played: VirtualRun
  /** Requests and tools when the abort came, and at the end. */
  readonly requests: readonly [number, number]
  readonly tools: readonly [number, number]
  readonly live: number
}

/** The reference run, aborted within its `index`th event (or at a millisecond). */
function abortedAt(where: { readonly index?: number; readonly ms?: number }): Aborted {
  const requests: Watch = { live: 0, subscribed: 0 }
  const tools: Watch = { live: 0, subscribed: 0 }
  let before: [number, number] = [-1, -1]
  const abort = (control: RunControl): void => {
    before = [requests.subscribed, tools.subscribed]
    control.stop()
  }
  let index = 0
  const played = virtualRun((helpers) => {
    const scene = reference(helpers, requests, tools)
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
  }
}

/** What is wrong with an aborted run; nothing, one hopes. */
function faultsOf({ played, requests, tools, live }: Aborted): string[] {
  const reason = played.events.find((event) => event.type === 'agent_end')?.terminationReason
  return [
    ...faultsOfRun(played.events),
    ...(played.end === 'complete' ? [] : [`it ends ${String(played.end)}`]),
    ...(requests[0] === requests[1] ? [] : [`${requests[1] - requests[0]} requests after the abort`]),
    ...(tools[0] === tools[1] ? [] : [`${tools[1] - tools[0]} tools after the abort`]),
    ...(live === 0 ? [] : [`${live} subscriptions are left`]),
    ...(reason === 'aborted' ? [] : [`it ends as ${String(reason)}`]),
  ]
}

const whole = abortedAt({})

describe('LOOP 24: the reference run', () => {
  it('has everything that an abort could meet', () => {
    expect(faultsOfRun(whole.played.events)).toEqual([])
    expect(whole.played.notation()).toBe(
      'AS TS ms(user) me(user) auto_retry ms(asst) mu me(asst) xs xs xs xe xu xe xu xe ' +
        'ms(result) me(result) ms(result) me(result) ms(result) me(result) TE ' +
        'TS ms(user) me(user) queue_update ms(asst) mu me(asst) TE AE SET',
    )
    expect([whole.requests[1], whole.tools[1], whole.live]).toEqual([2, 3, 0])
  })
})

describe('LOOP 24: an abort', () => {
  const last = whole.played.events.length - 1
  const end = whole.played.timed.at(-1)?.at ?? 0

  it('within any event of the run leaves nothing open, asks nothing more and starts nothing more', () => {
    const faulty: unknown[] = []
    for (let index = 0; index < last - 1; index++) {
      const faults = faultsOf(abortedAt({ index }))
      if (faults.length > 0) faulty.push([index, ...faults])
    }
    expect(faulty).toEqual([])
  })

  it('at any millisecond of the run leaves nothing open, asks nothing more and starts nothing more', () => {
    const faulty: unknown[] = []
    for (let ms = 1; ms < end; ms++) {
      const faults = faultsOf(abortedAt({ ms }))
      if (faults.length > 0) faulty.push([ms, ...faults])
    }
    expect([faulty, end]).toEqual([[], 49])
  })

  it('within the run’s own end changes nothing', () => {
    for (const index of [last - 1, last]) {
      const { played } = abortedAt({ index })
      expect(played.events).toEqual(whole.played.events)
    }
  })

  it('ends the open message as aborted, with what had arrived', () => {
    const { played } = abortedAt({ ms: 3 + 10 })
    const answered = played.messages.at(-1)
    expect(answered).toMatchObject({ role: 'assistant', stopReason: 'aborted' })
    expect(played.notation()).toMatch(/mu me\(asst\) TE AE SET$/)
    expect(answered?.content).toMatchObject([{ thinking: 'hm' }, { text: '' }])
  })

  it('makes no message where none had begun', () => {
    expect(abortedAt({ ms: 2 }).played.notation()).toBe('AS TS ms(user) me(user) auto_retry TE AE SET')
  })

  it('gives each call of a cut message a result, and runs none', () => {
    const { played, tools } = abortedAt({ ms: 3 + 26 })
    expect(played.notation({ calls: true })).toMatch(
      /me\(asst\) xs\(fast\) xe\(fast\) xs\(slow\) xe\(slow\) ms\(fast\) me\(fast\) ms\(slow\) me\(slow\) TE AE SET$/,
    )
    expect(tools).toEqual([0, 0])
    expect(resultsOf(played)).toEqual(['Aborted', 'Aborted'])
  })

  it('waits for a tool that took its signal as long as the grace time, and counts its result', () => {
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

  it('is answered while the message still streams synchronously', () => {
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

  it('of a run that is unsubscribed tells nothing more and leaves nothing', () => {
    const requests: Watch = { live: 0, subscribed: 0 }
    const tools: Watch = { live: 0, subscribed: 0 }
    for (let ms = 1; ms < end; ms++) {
      const played = virtualRun((helpers) => {
        const scene = reference(helpers, requests, tools)
        return { ...scene, at: { [ms]: (control) => control.unsubscribe() } }
      })
      expect([played.end, requests.live + tools.live]).toEqual(['open', 0])
      expect(played.timed.every(({ at }) => at <= ms)).toBe(true)
    }
  })
})

function resultsOf(played: VirtualRun): string[] {
  const ends = played.events.filter((event): event is EventNamed<'message_end'> => event.type === 'message_end')
  return ends.flatMap(({ message }) =>
    message.role === 'toolResult' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : [],
  )
}
