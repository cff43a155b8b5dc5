// The run for tests of aborts: it has every state of a run, and its subscriptions are counted.
import { Observable, of } from 'rxjs'
import type { RunHelpers } from 'rxjs/testing'
import type { AssistantDelta } from '../../lib/streams/messages/delta.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { noUsage } from '../../lib/streams/messages/message.ts'
import { textResult } from '../../lib/streams/ports/tool.ts'
import type { ToolProgress, ToolResult } from '../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../lib/testing/fake-tool.ts'
import type { RunScene } from '../../lib/testing/run-scene.ts'

/** The current number of subscriptions. */
export interface Watch {
  live: number
  subscribed: number
}

export interface Watches {
  readonly requests: Watch
  readonly tools: Watch
}

export function newWatches(): Watches {
  return { requests: { live: 0, subscribed: 0 }, tools: { live: 0, subscribed: 0 } }
}

/** The milliseconds before the second attempt, and the time of the steer. */
export const retryMs = 3
export const steerMs = 12

/** A failed attempt, thinking, text, three calls (one immediate, one with a signal, one alone), and a second turn. */
export function referenceScene(
  { cold }: RunHelpers,
  { requests, tools }: Watches,
): Required<Pick<RunScene, 'script' | 'tools'>> {
  const slow$ = watched(tools, cold('--p--r', outputs))
  return {
    script: [
      new Failure('provider_error', 'busy', { data: { kind: 'overloaded', retryAfterMs: retryMs } }),
      { deltas$: watched(requests, cold('-h-a-b-c-d-e-f-0-1-2-3-4-5-6-7-8-(z|)', answer)) },
      { deltas$: watched(requests, cold('-a-b-(z|)', second)) },
    ],
    tools: [
      fakeTool('fast', watched(tools, of(textResult('at once')))),
      fakeTool('slow', ({ context }) => (context.signal.aborted ? 'never' : slow$)),
      fakeTool('alone', watched(tools, cold('-p-r', outputs)), { mustSerial: true }),
    ],
  }
}

/** The events of an undisturbed reference run with a steer at `steerMs`, without those of the queue. */
export const wholeRun =
  'AS TS ms(user) me(user) auto_retry ms(asst) mu me(asst) xs xs xs xe xu xe xu xe ' +
  'ms(result) me(result) ms(result) me(result) ms(result) me(result) TE ' +
  'TS ms(user) me(user) queue_update ms(asst) mu me(asst) TE AE SET'

/** Counts the source's subscriptions. */
export function watched<Value>(watch: Watch, source$: Observable<Value>): Observable<Value> {
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
