// Plays a whole run in virtual time and records its events with their exact millisecond.
import { Subject, takeUntil, timer } from 'rxjs'
import { TestScheduler } from 'rxjs/testing'
import type { RunHelpers } from 'rxjs/testing'
import { run } from '../operators/run/run.ts'
import type { AgentEvent } from '../streams/events/event.ts'
import type { Message } from '../streams/messages/message.ts'
import type { ProviderRequest } from '../streams/ports/provider.ts'
import { createStopSwitch } from '../streams/rx/stop-switch.ts'
import { scenePorts } from './run-scene.ts'
import type { RunControl, RunScene } from './run-scene.ts'
import { shortName, shortNotation } from './short-name.ts'
import type { ShortNameOptions } from './short-name.ts'
import { timelineText } from './timeline.ts'

export interface TimedEvent {
  /** Virtual milliseconds since the run's start. */
  readonly at: number
  readonly event: AgentEvent
}

export interface VirtualRun {
  readonly timed: readonly TimedEvent[]
  readonly events: readonly AgentEvent[]
  /** `AS TS ms(user) me(user) …`, one `mu` for several in a row. */
  notation(options?: ShortNameOptions): string
  /** Every event with its time: `0:AS,TS,ms(user),me(user) 5:ms(asst),mu …` */
  timeline(options?: ShortNameOptions): string
  /** `complete`; `open` if it hangs or was unsubscribed; else an error, with which no run may end. */
  readonly end: unknown
  /**
   * The virtual millisecond at which nothing was left to do. Later than the last event and the last of the scene's own
   * `at`: the run left a timer or a subscription behind.
   */
  readonly idleAt: number
  /** The requests to the model and its fallbacks, in order. */
  readonly requests: readonly ProviderRequest[]
  /** The transcript after the run. */
  readonly messages: readonly Message[]
}

/**
 * Plays a scene from its prompt until nothing is left to do. For marbles (fake tools as cold Observables), pass a
 * function that creates the scene inside the virtual time:
 *
 * `virtualRun(({ cold }) => ({ script: […], tools: [fakeTool('slow', cold('--r|', { r: textResult('done') }))] }))`
 */
export function virtualRun(scene: RunScene | ((helpers: RunHelpers) => RunScene)): VirtualRun {
  const scheduler = new TestScheduler(() => undefined)
  // `run` flushes when its callback has returned: by then the record is complete
  return scheduler.run((helpers) => play(typeof scene === 'function' ? scene(helpers) : scene, () => scheduler.now()))
}

function play(scene: RunScene, now: () => number): VirtualRun {
  const { ports, requests } = scenePorts(scene)
  const stop = createStopSwitch()
  const gone$ = new Subject<void>()
  const timed: TimedEvent[] = []
  const control = controlOf({ ports, stop, gone$ })
  let end: unknown = 'open'
  let isGone = false
  gone$.subscribe(() => {
    isGone = true
  })
  for (const [at, act] of Object.entries(scene.at ?? {})) {
    timer(Number(at)).subscribe(() => {
      act(control)
    })
  }
  run({ prompt: { content: scene.prompt ?? 'Go' }, ports, stop, onSettled: () => undefined })
    .pipe(takeUntil(gone$))
    .subscribe({
      next: (event) => {
        timed.push({ at: now(), event })
        scene.onEvent?.(event, control)
      },
      error: (error: unknown) => {
        end = error
      },
      complete: () => {
        if (!isGone) end = 'complete'
      },
    })
  return {
    timed,
    get events() {
      return eventsOf(timed)
    },
    notation: (options) => shortNotation(eventsOf(timed), options),
    timeline: (options) => timelineOf(timed, options),
    get end() {
      return end
    },
    get idleAt() {
      return now()
    },
    requests,
    messages: ports.conversation.messages,
  }
}

interface Handles extends Pick<Parameters<typeof run>[0], 'ports' | 'stop'> {
  readonly gone$: Subject<void>
}

function controlOf({ ports, stop, gone$ }: Handles): RunControl {
  const enqueue = (queue: 'steering' | 'followUp', text: string): void => {
    ports.queues.add({ queueId: ports.ids.short(), queue, content: text })
  }
  return {
    steer: (text) => {
      enqueue('steering', text)
    },
    followUp: (text) => {
      enqueue('followUp', text)
    },
    stop: (reason = 'aborted') => {
      stop.stop(reason)
    },
    unsubscribe: () => {
      gone$.next()
    },
  }
}

function eventsOf(timed: readonly TimedEvent[]): AgentEvent[] {
  return timed.map(({ event }) => event)
}

function timelineOf(timed: readonly TimedEvent[], options: ShortNameOptions | undefined): string {
  const marks = new Map<number, string[]>()
  for (const { at, event } of timed) marks.set(at, [...(marks.get(at) ?? []), shortName(event, options)])
  return timelineText(marks)
}
