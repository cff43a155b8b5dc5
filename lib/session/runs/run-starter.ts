// Starts one run at a time and publishes its events.
import { EMPTY, Subject, defer, finalize, ignoreElements, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { run } from '../../operators/run/run.ts'
import type { QueueName, RunInput, LoadBlobs } from '../../operators/ports/run-ports.ts'
import { runs } from '../../operators/run/runs.ts'
import type { RunRequest } from '../../operators/run/runs.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { OutputSchema } from '../../streams/messages/output-schema.ts'
import type { RunLimits } from '../../streams/config/settings.ts'
import type { SessionRecord } from '../../streams/log/log-line.ts'
import { createStopSwitch } from '../../streams/rx/stop-switch.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { createRunPorts } from './create-run-ports.ts'
import type { RunParts } from './create-run-ports.ts'
import { runSnapshots } from './run-snapshots.ts'
import type { SessionCore } from './session-core.ts'
import { loadBlobs } from '../../operators/request/load-blobs.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import { bashExecutionIn, bashExecutionInput } from '../../streams/messages/bash-execution.ts'
import { contextMessageIn } from '../../streams/messages/context-message.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Message } from '../../streams/messages/message.ts'

/** The request of a run. */
export interface RunStart extends RunRequest {
  readonly prompt?: RunInput
  /** The queue of a run without a prompt: see RunOptions. */
  readonly take?: QueueName
  readonly limits: RunLimits | undefined
  /** The schema of the run's last answer. Default: text. */
  readonly outputSchema?: OutputSchema | undefined
}

export interface StartedRun extends RunStart {
  readonly stop: StopSwitch
}

export interface RunStarter {
  /** Starts a run, after one that is just ending. Only if no run is active. */
  start(request: RunStart): void
  /** Completes when no run is active, and the last one has released its resources. */
  idle(): Observable<never>
  close(): void
}

type RunPipeline = Pick<Pipeline, 'publish' | 'next' | 'writeError$'>

/** Runs publish their events, one by one, on the session's pipeline; a failed write ends the active run. */
export function runStarter(core: SessionCore, pipeline: RunPipeline): RunStarter {
  const { activeRun, parts } = core
  const play$ = parts.run ?? run
  const start$ = new Subject<StartedRun>()
  const ended$ = new Subject<void>()
  let pending = 0
  const onSettled = (): void => {
    activeRun.running = undefined
  }
  const forgetWhenSettled = (started: StartedRun): void => {
    pipeline.next(isEndOf(started)).subscribe({
      next: () => {
        if (activeRun.unsettled === started) activeRun.unsettled = undefined
      },
      error: () => {
        forgetWhenSettled(started) // a later retry writes it
      },
    })
  }
  const onRunEnd = (): void => {
    pending -= 1
    if (pending === 0) ended$.next()
  }
  const portsOf = (start: RunRequest, limits?: RunLimits, outputSchema?: OutputSchema) => ({
    ...createRunPorts(core, limits, { ...runParts(core, pipeline, start), outputSchema }),
    runId: start.runId,
  })
  const record$ = start$.pipe(
    runs(({ limits, outputSchema, ...start }) =>
      defer(() => play$({ ...start, ports: portsOf(start, limits, outputSchema), onSettled })).pipe(finalize(onRunEnd)),
    ),
  )
  record$.subscribe(pipeline.publish)
  pipeline.writeError$.subscribe((failure) => activeRun.running?.stop.stop('error', failure))
  return {
    start: (request) => {
      const started = { ...request, stop: createStopSwitch() }
      activeRun.running = started // state first: an abort that comes next must find it
      activeRun.unsettled = started
      pending += 1
      forgetWhenSettled(started)
      start$.next(started)
    },
    idle: () => defer(() => (pending === 0 ? EMPTY : ended$.pipe(take(1), ignoreElements()))),
    close: () => {
      start$.complete()
    },
  }
}

/** Matches the run's `agent_settled`. */
export function isEndOf({ runId }: RunRequest): (record: SessionRecord) => boolean {
  return (record) => record.runId === runId && record.event.type === 'agent_settled'
}

function runParts(core: SessionCore, { publish }: Pick<RunPipeline, 'publish'>, { runId }: RunRequest): RunParts {
  const { blobs } = core.parts.log
  const publishEvent = (event: AgentEvent): void => {
    publish({ event, runId })
  }
  return {
    publishEvent,
    runSnapshots: runSnapshots(core, publishEvent),
    loadBlobs: blobs && blobLoader(blobs, publishEvent),
  }
}

/** Loads externalised content for one run; publishes a `warning` for each lost blob, once a run. */
function blobLoader(blobs: Blobs, publishEvent: (event: AgentEvent) => void): LoadBlobs {
  const reported = new Set<string>()
  return loadBlobs({
    blobs,
    onMissing: ({ blob, bytes }, { message }) => {
      if (reported.has(blob)) return
      reported.add(blob)
      const more = `${message}. The model gets a notice in its place. Restore the file, or repair the session`
      publishEvent({ type: 'warning', code: 'blob_lost', message: more, context: { blob, bytes }, recoverable: true })
    },
  })
}

/**
 * The input of a `continue` (docs/loop.md#25): the transcript's end alone, or the first filled queue, steering before
 * follow-ups. An empty answer that failed or was aborted is skipped: no model receives it.
 * @throws Failure `bad_request` if there is nothing to continue
 */
export function planContinuation({ conversation, queues }: SessionCore): { readonly take?: QueueName } {
  const last = conversation.messages.findLast(isForModel)
  if (last === undefined) throw nothingToContinue('The session is empty')
  if (last.role !== 'assistant') return {}
  if (queues.size('steering') > 0) return { take: 'steering' }
  if (queues.size('followUp') > 0) return { take: 'followUp' }
  throw nothingToContinue('The last message is an answer, and nothing is queued')
}

function isForModel(message: Message): boolean {
  if (contextMessageIn(message) !== undefined) return false
  if (bashExecutionIn(message) !== undefined) return bashExecutionInput(message) !== undefined
  if (message.role !== 'assistant') return true
  return message.content.length > 0 || (message.stopReason !== 'error' && message.stopReason !== 'aborted')
}

function nothingToContinue(why: string): Failure {
  return new Failure('bad_request', `${why}: there is nothing to continue; send a prompt`)
}
