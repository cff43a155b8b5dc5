// A tool call from its start to its result: what it was given, what it has put out lately, and how it ended.
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
  /** What is kept of its live output, per `updateType`. */
  readonly output: Readonly<Record<string, OutputTail>>
  /** Its end, until its result message closes it. */
  readonly end?: EventNamed<'tool_execution_end'>
}

type ToolEvent = EventNamed<'tool_execution_start' | 'tool_execution_update' | 'tool_execution_end'>
type RunningTools = ReadonlyMap<string, RunningTool>

/** One event more; `argumentsOf` gives the call's own arguments, where the line left them out. */
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

// Of output that goes on and on the end is kept, bounded, with the place where it stands in the whole.

/** The last 64 to 128 Ki UTF-16 units of an output, and how many came before them; all of a shorter one. */
export interface OutputTail {
  readonly offset: number
  readonly text: string
}

/** UTF-16 units. */
const outputTail = 65_536

/** One piece more. A gap means that output was left out: what is kept starts anew behind it. */
export function appendOutput(
  before: OutputTail = { offset: 0, text: '' },
  piece: { readonly offset: number; readonly content: string },
): OutputTail {
  const end = before.offset + before.text.length
  return bounded(
    piece.offset > end
      ? { offset: piece.offset, text: piece.content }
      : { offset: before.offset, text: before.text + piece.content.slice(end - piece.offset) },
  )
}

/** Cut back once it is twice as long, so that a piece costs what it is long. */
function bounded(output: OutputTail): OutputTail {
  if (output.text.length <= 2 * outputTail) return output
  const text = lastUnits(output.text, outputTail)
  return { offset: output.offset + output.text.length - text.length, text }
}

// A job runs from its `job_start` to its `job_end`; each is matched by its id, and so is what it has put out meanwhile.

type Job = EventNamed<'job_start'>

/** One event more: the jobs that run, in the order in which they began; the very list where nothing changes. */
export function foldJobs(jobs: readonly Job[], event: EventNamed<'job_start' | 'job_end'>): readonly Job[] {
  if (event.type === 'job_start') return [...jobs, event]
  const index = jobs.findIndex(({ jobId }) => jobId === event.jobId)
  return index === -1 ? jobs : jobs.toSpliced(index, 1)
}

/** What is kept of the live output of jobs that run, by their ids. */
export type JobOutput = ReadonlyMap<string, OutputTail>

/** One event more; the very map where nothing changes. */
function foldJobOutput(outputs: JobOutput, event: EventNamed<'job_update' | 'job_end'>): JobOutput {
  const before = outputs.get(event.jobId)
  if (event.type === 'job_update') return new Map(outputs).set(event.jobId, appendOutput(before, event))
  if (before === undefined) return outputs
  const rest = new Map(outputs)
  rest.delete(event.jobId)
  return rest
}

/** What a session's state has of its jobs. */
interface JobsState {
  readonly jobs: readonly Job[]
  readonly jobOutput: JobOutput
  readonly deferred: readonly Message[]
}

/** One event more: what of the state it changes. */
export function foldJob(
  { jobs, jobOutput, deferred }: JobsState,
  event: EventNamed<'job_start' | 'job_update' | 'job_end'>,
): Partial<JobsState> {
  if (event.type === 'job_start') return { jobs: foldJobs(jobs, event) }
  if (event.type === 'job_update') return { jobOutput: foldJobOutput(jobOutput, event) }
  return {
    jobs: foldJobs(jobs, event),
    jobOutput: foldJobOutput(jobOutput, event),
    deferred: foldDeferred(deferred, event),
  }
}
