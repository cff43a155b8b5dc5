// Folds running tool calls and jobs with the tail of their output.
import type { EventNamed } from '../events/event.ts'
import { lastUnits } from '../values/truncate.ts'
import { foldDeferred } from './fold-inputs.ts'
import type { Message } from '../messages/message.ts'

/** A tool call between its start and its result message. */
export interface RunningTool {
  readonly toolCallId: string
  readonly toolName: string
  readonly entryId: string
  readonly args: unknown
  /** The tail of its live output, by `updateType`. */
  readonly output: Readonly<Record<string, OutputTail>>
  /** Its end, until its result message closes it. */
  readonly end?: EventNamed<'tool_execution_end'>
}

type ToolEvent = EventNamed<'tool_execution_start' | 'tool_execution_update' | 'tool_execution_end'>
type RunningTools = ReadonlyMap<string, RunningTool>

/** Applies one event; `argumentsOf` returns the call's own arguments if the line omits them. */
export function foldTool(
  tools: RunningTools,
  event: ToolEvent,
  argumentsOf: (event: EventNamed<'tool_execution_start'>) => unknown,
): RunningTools {
  const running = tools.get(event.toolCallId)
  if (event.type === 'tool_execution_start') {
    const args = event.args ?? argumentsOf(event)
    const { toolCallId, toolName, entryId } = event
    return new Map(tools).set(toolCallId, { toolCallId, toolName, entryId, args, output: {} })
  }
  if (running === undefined) return tools
  const next =
    event.type === 'tool_execution_end'
      ? { ...running, end: event }
      : { ...running, output: foldOutput(running, event) }
  return new Map(tools).set(event.toolCallId, next)
}

function foldOutput(running: RunningTool, event: EventNamed<'tool_execution_update'>): RunningTool['output'] {
  return { ...running.output, [event.updateType]: appendOutput(running.output[event.updateType], event) }
}

/** The last 64 to 128 Ki UTF-16 units of an output, and the number of units before them; all of a shorter output. */
export interface OutputTail {
  readonly offset: number
  readonly text: string
}

/** UTF-16 units. */
const tailLength = 65_536

/** Appends a piece. A gap means that output was skipped: the tail starts anew after it. */
export function appendOutput(
  before: OutputTail = { offset: 0, text: '' },
  piece: { readonly offset: number; readonly content: string },
): OutputTail {
  const end = before.offset + before.text.length
  return trimTail(
    piece.offset > end
      ? { offset: piece.offset, text: piece.content }
      : { offset: before.offset, text: before.text + piece.content.slice(end - piece.offset) },
  )
}

/** Cuts the tail when it is twice as long, so that a piece costs its own length. */
function trimTail(output: OutputTail): OutputTail {
  if (output.text.length <= 2 * tailLength) return output
  const text = lastUnits(output.text, tailLength)
  return { offset: output.offset + output.text.length - text.length, text }
}

type Job = EventNamed<'job_start'>

/**
 * The running jobs after one event, in the order of their starts: from `job_start` to `job_end` or `job_lost`. The
 * same list if nothing changes.
 */
export function foldJobs(
  jobs: readonly Job[],
  event: EventNamed<'job_start' | 'job_end' | 'job_lost'>,
): readonly Job[] {
  if (event.type === 'job_start') return [...jobs, event]
  const index = jobs.findIndex(({ jobId }) => jobId === event.jobId)
  return index === -1 ? jobs : jobs.toSpliced(index, 1)
}

/** The tails of the live output of running jobs, by job id. */
export type JobOutput = ReadonlyMap<string, OutputTail>

/** Applies one event; returns the same map if nothing changes. */
function foldJobOutput(outputs: JobOutput, event: EventNamed<'job_update' | 'job_end' | 'job_lost'>): JobOutput {
  const before = outputs.get(event.jobId)
  if (event.type === 'job_update') return new Map(outputs).set(event.jobId, appendOutput(before, event))
  if (before === undefined) return outputs
  const rest = new Map(outputs)
  rest.delete(event.jobId)
  return rest
}

/** The parts of a session's state about jobs. */
interface JobsState {
  readonly jobs: readonly Job[]
  readonly jobOutput: JobOutput
  readonly deferred: readonly Message[]
}

/** Applies one event and returns the changed parts. */
export function foldJob(
  { jobs, jobOutput, deferred }: JobsState,
  event: EventNamed<'job_start' | 'job_update' | 'job_end' | 'job_lost'>,
): Partial<JobsState> {
  if (event.type === 'job_start') return { jobs: foldJobs(jobs, event) }
  if (event.type === 'job_update') return { jobOutput: foldJobOutput(jobOutput, event) }
  return {
    jobs: foldJobs(jobs, event),
    jobOutput: foldJobOutput(jobOutput, event),
    ...(event.type === 'job_end' ? { deferred: foldDeferred(deferred, event) } : {}),
  }
}
