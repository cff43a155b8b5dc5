// Runs a prompt as a cold stream of events: a subscription is a run, and unsubscribing aborts it.
import {
  EMPTY,
  Observable,
  concat,
  defer,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  takeUntil,
  throwError,
} from 'rxjs'
import { takeThrough } from '../../operators/core/take-through.ts'
import type { QueueName } from '../../operators/ports/run-ports.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { RunPromptOptions, Session, SessionCommand } from '../contract/session.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { RunStarter } from '../runs/run-starter.ts'
import type { RunHandle, SessionCore, ActiveRun } from '../runs/session-core.ts'
import { expandInput, expansionOf } from './expand-input.ts'
import type { InputMessage } from './expand-input.ts'
import { enqueue } from './queue-input.ts'
import { requireModel } from './require-model.ts'
import { runExtensionCommand } from './run-extension-command.ts'
import { busyFailure, checkLimits, outputSchemaFailure } from './validate-input.ts'
import type { Subscriber } from 'rxjs'

interface PromptRunParts {
  readonly core: SessionCore
  readonly pipeline: Pipeline
  readonly starter: RunStarter
  /** Fails when the session is closed. */
  readonly closed$: Observable<never>
  /** Fails at an `abort`, too: while the input is prepared. */
  readonly starting$: Observable<never>
}

/** @param check throws a Failure if the session takes no such command now */
export function promptRunner({
  check,
  ...parts
}: PromptRunParts & { readonly check: (command: SessionCommand) => void }): Session['run'] {
  const { core, pipeline } = parts
  const line = runLine({ activeRun: core.activeRun, records$: pipeline.records$ })
  return (text, options = {}) =>
    defer(() => {
      const { whileRunning, ...input } = { text, ...options }
      check({ type: 'prompt', ...input })
      checkMode(whileRunning)
      checkLimits(options.limits)
      const start = { ...parts, closed$: parts.starting$ }
      const expansion = expansionOf(start)
      const start$ = (sent: typeof input): Observable<AgentEvent> =>
        requireModel(start, () => {
          checkFree({ ...parts, line }, options)
          const begin$ = (message: InputMessage) => runInput({ ...parts, line }, message, options)
          return expandInput({ type: 'prompt', ...sent }, expansion, begin$, EMPTY)
        })
      const outcome$ = runExtensionCommand(input, expansionOf(parts))
      if (outcome$ === undefined) return start$(input)
      return outcome$.pipe(
        mergeMap(({ prompt }) => (prompt === undefined ? EMPTY : start$({ ...input, text: prompt, expand: false }))),
      )
    })
}

const modes: ReadonlySet<unknown> = new Set([undefined, 'steer', 'follow_up', 'replace', 'wait'])

/** For callers without types. @throws Failure `bad_request` */
function checkMode(mode: unknown): void {
  if (modes.has(mode)) return
  throw new Failure('bad_request', `whileRunning is ${JSON.stringify(mode)}: ${hint}`)
}

type RunParts = PromptRunParts & { readonly line: RunLine }

/** Starts a run, or joins the one that is on. A run that is ending takes no input: it is waited for. */
function runInput(parts: RunParts, message: InputMessage, options: RunPromptOptions): Observable<AgentEvent> {
  const { running } = parts.core.activeRun
  const { whileRunning } = options
  if (isTaking(running) && (whileRunning === 'steer' || whileRunning === 'follow_up')) {
    return joinRun(parts, running, message, options)
  }
  checkFree(parts, options)
  const turn$ = parts.line.enter({ replaces: whileRunning === 'replace' }).pipe(takeUntil(parts.closed$))
  return turn$.pipe(mergeMap(() => startRun(parts, message, options)))
}

/** @throws Failure `busy` if a run is on, and the prompt is not for it */
function checkFree({ core, line }: RunParts, { whileRunning }: RunPromptOptions): void {
  if (whileRunning === undefined && (isTaking(core.activeRun.running) || line.hasWaiting())) throw busyFailure(hint)
}

/** Whether the run takes inputs: it is on, and not ending. */
function isTaking(running: RunHandle | undefined): running is RunHandle {
  return running !== undefined && running.stop.reason === undefined
}

const hint = 'pass whileRunning: "steer", "follow_up", "replace" or "wait"'

function startRun(
  { core, pipeline, starter }: PromptRunParts,
  prompt: InputMessage,
  { limits, outputSchema }: RunPromptOptions,
): Observable<AgentEvent> {
  return new Observable((subscriber) => {
    core.hold.check() // again: preparing the input may have taken time
    const runId = core.ids.short()
    subscriber.add(() => {
      const { running } = core.activeRun // undefined from just before `agent_settled`
      if (running?.runId === runId) running.stop.stop('aborted')
    })
    eventsUntilSettled(pipeline, runId, (record) => record.runId === runId).subscribe(subscriber)
    starter.start({ runId, prompt, limits, outputSchema })
  })
}

/** The run belongs to the subscription that started it: it goes on if this one ends. */
function joinRun(
  { core, pipeline }: PromptRunParts,
  { runId }: RunHandle,
  input: InputMessage,
  { whileRunning, outputSchema }: RunPromptOptions,
): Observable<AgentEvent> {
  if (outputSchema !== undefined) throw outputSchemaFailure()
  const queue: QueueName = whileRunning === 'steer' ? 'steering' : 'followUp'
  const queueId = core.ids.short()
  const isOfInput = ({ event }: SessionRecord): boolean => event.type === 'queue_update' && event.queueId === queueId
  return new Observable((subscriber) => {
    subscriber.add(() => {
      const isSettled = core.activeRun.running?.runId !== runId
      const isQueued = core.queues.waiting().some((waiting) => waiting.queueId === queueId)
      if (!isSettled && isQueued) pipeline.publish({ event: core.queues.remove(queueId) })
    })
    merge(
      eventsUntilSettled(pipeline, runId, (record) => record.runId === runId || isOfInput(record)),
      defer(() => enqueue({ core, pipeline }, queue, input, {}, { queueId })).pipe(ignoreElements()),
    ).subscribe(subscriber)
  })
}

/** Fails with the failure of the first write that fails, and with `cancelled` if the session is closed before the end. */
function eventsUntilSettled(
  { records$, writeError$ }: Pick<Pipeline, 'records$' | 'writeError$'>,
  runId: string,
  isOwn: (record: SessionRecord) => boolean,
): Observable<AgentEvent> {
  return concat(
    records$.pipe(filter(isOwn)),
    throwError(() => closedFailure()),
  ).pipe(
    takeThrough((record) => record.event.type === 'agent_settled' && record.runId === runId),
    map(({ event }) => event),
    takeUntil(writeError$.pipe(mergeMap((failure) => throwError(() => failure)))),
  )
}

function closedFailure(): Failure {
  return new Failure('cancelled', 'The session was closed before its run settled')
}

export interface RunLine {
  /** True if a run waits for the one that is on. */
  readonly hasWaiting: () => boolean
  /**
   * Emits once when a run may start, in the subscription if none is on, and completes. With `replaces` it stops the run that is
   * on and goes first; an earlier one that replaces and still waits completes without a value. Start the run in the `next`.
   */
  enter(options: { readonly replaces: boolean }): Observable<true>
}

interface RunLineParts {
  readonly activeRun: ActiveRun
  readonly records$: Observable<SessionRecord>
}

interface Waiter {
  readonly replaces: boolean
  readonly subscriber: Subscriber<true>
}

/** Buffers one entry for each subscription that waits. */
export function runLine({ activeRun, records$ }: RunLineParts): RunLine {
  let waiting: readonly Waiter[] = []
  const leave = (waiter: Waiter): void => {
    waiting = waiting.filter((each) => each !== waiter)
  }
  const stopReplaced = (): void => {
    if (waiting[0]?.replaces === true) activeRun.running?.stop.stop('aborted')
  }
  const advance = (): void => {
    while (activeRun.running === undefined) {
      const [waiter] = waiting
      if (waiter === undefined) return
      leave(waiter)
      waiter.subscriber.next(true)
      waiter.subscriber.complete()
    }
    stopReplaced() // another command has started a run first
  }
  const join = (waiter: Waiter): void => {
    if (!waiter.replaces) {
      waiting = [...waiting, waiter]
      return
    }
    const replaced = waiting.filter(({ replaces }) => replaces)
    waiting = [waiter, ...waiting.filter(({ replaces }) => !replaces)]
    for (const { subscriber } of replaced) subscriber.complete()
    stopReplaced()
  }
  records$.subscribe(({ event }) => {
    if (event.type === 'agent_settled') advance()
  })
  return {
    hasWaiting: () => waiting.length > 0,
    enter: ({ replaces }) =>
      new Observable((subscriber) => {
        if (activeRun.running === undefined) {
          subscriber.next(true)
          subscriber.complete()
          return
        }
        const waiter = { replaces, subscriber }
        subscriber.add(() => {
          leave(waiter)
        })
        join(waiter)
      }),
  }
}
