// A tool call from its start to its result: what it was given, what it has put out lately, and how it ended.
import type { EventNamed } from './event.ts'
import { lastUnits } from './truncate.ts'

/** A tool call between its start and its result message. */
export interface RunningTool {
  readonly toolCallId: string
  readonly toolName: string
  readonly entryId: string
  readonly args: unknown
  /** What is kept of its live output, per `updateType`: the last 64 to 128 KiB, and how many UTF-16 units came before them. */
  readonly output: Readonly<Record<string, { readonly offset: number; readonly text: string }>>
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

const outputKept = 65_536

function foldOutput(running: RunningTool, event: EventNamed<'tool_execution_update'>): RunningTool['output'] {
  const before = running.output[event.updateType] ?? { offset: 0, text: '' }
  const end = before.offset + before.text.length
  // a gap means that output was left out: what is kept starts anew behind it
  const joined =
    event.offset > end
      ? { offset: event.offset, text: event.content }
      : { offset: before.offset, text: before.text + event.content.slice(end - event.offset) }
  return { ...running.output, [event.updateType]: bounded(joined) }
}

/** Cut back once it is twice as long, so that a piece costs what it is long. */
function bounded(output: { readonly offset: number; readonly text: string }): typeof output {
  if (output.text.length <= 2 * outputKept) return output
  const text = lastUnits(output.text, outputKept)
  return { offset: output.offset + output.text.length - text.length, text }
}
