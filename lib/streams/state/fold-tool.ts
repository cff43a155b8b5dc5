// A tool call from its start to its result: what it was given, what it has put out lately, and how it ended.
import type { EventNamed } from '../events/event.ts'
import { appendOutput } from './kept-output.ts'
import type { KeptOutput } from './kept-output.ts'

/** A tool call between its start and its result message. */
export interface RunningTool {
  readonly toolCallId: string
  readonly toolName: string
  readonly entryId: string
  readonly args: unknown
  /** What is kept of its live output, per `updateType`. */
  readonly output: Readonly<Record<string, KeptOutput>>
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
