// Starts the run of a `prompt` or `continue` command.
import type { Observable } from 'rxjs'
import { isAnswer } from '../../operators/run/runs.ts'
import type { SessionCommand } from '../contract/session.ts'
import { respondAfter } from '../pipeline/respond-when-durable.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { planContinuation } from '../runs/run-starter.ts'
import type { RunStarter } from '../runs/run-starter.ts'
import type { SessionCore } from '../runs/session-core.ts'
import type { InputMessage } from './expand-input.ts'
import { enqueue } from './queue-input.ts'
import { busyFailure, checkLimits, outputSchemaFailure } from './validate-input.ts'

interface StartOptions {
  readonly core: SessionCore
  readonly pipeline: Pipeline
  readonly starter: RunStarter
}

type Named<Name extends SessionCommand['type']> = Extract<SessionCommand, { type: Name }>
type Origin = { readonly opId?: string }

/** Starts a run, or queues the input for the one that is on. Emits when its first line is durable. */
export function startPrompt(
  options: StartOptions,
  command: Named<'prompt'>,
  input: InputMessage,
  origin: Origin,
): Observable<object> {
  const { core, pipeline, starter } = options
  if (core.activeRun.running !== undefined) return promptWhileRunning(options, command, input, origin)
  core.hold.check() // again: preparing the input may have taken time
  const { limits, outputSchema } = command
  checkLimits(limits)
  const runId = core.ids.short()
  const delivered$ = pipeline.next((record) => record.runId === runId && isAnswer(record.event, 'message_end'))
  starter.start({ runId, ...origin, prompt: input, limits, outputSchema })
  return respondAfter(delivered$, pipeline, { status: 'started', runId })
}

function promptWhileRunning(
  options: StartOptions,
  command: Named<'prompt'>,
  input: InputMessage,
  origin: Origin,
): Observable<object> {
  checkFree(options, command)
  if (command.outputSchema !== undefined) throw outputSchemaFailure()
  const queue = command.whileRunning === 'steer' ? 'steering' : 'followUp'
  return enqueue(options, queue, input, origin, { status: 'queued' })
}

/** @throws Failure `busy` if a run is on, and the prompt is not for it */
export function checkFree({ core }: Pick<StartOptions, 'core'>, { whileRunning }: Named<'prompt'>): void {
  if (core.activeRun.running !== undefined && whileRunning === undefined)
    throw busyFailure('send steer or follow_up, or the prompt with whileRunning: "steer" or "follow_up"')
}

/** Starts a run without a new input. @throws Failure `busy`, or `bad_request` if there is nothing to go on with */
export function startContinuation(
  options: StartOptions,
  { limits }: Named<'continue'>,
  origin: Origin,
): Observable<object> {
  const { core, pipeline, starter } = options
  if (core.activeRun.running !== undefined) throw busyFailure('send continue after agent_settled')
  core.hold.check()
  checkLimits(limits)
  const from = planContinuation(core)
  const runId = core.ids.short()
  const started$ = pipeline.next((record) => record.runId === runId && record.event.type === 'agent_start')
  starter.start({ runId, ...origin, ...from, limits, answeredBy: 'agent_start' })
  return respondAfter(started$, pipeline, { status: 'started', runId })
}
