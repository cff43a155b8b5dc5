// Per-client cursor for data that is not in the log yet.
// It counts the characters already sent of each open block and running tool.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { AssistantContent } from '../../streams/messages/message.ts'
import type { SessionState } from '../../streams/state/fold-session.ts'
import { TextCursor } from '../../streams/values/text-cursor.ts'

export interface BlockCursor {
  readonly text: TextCursor
  hasEnded: boolean
}

export interface ClientCursor {
  /** The message that `blocks` belong to. */
  entryId: string
  /** The blocks whose start was sent, by their index in the message. */
  readonly blocks: Map<number, BlockCursor>
  /** By tool call, then by `updateType`. */
  readonly output: Map<string, Map<string, TextCursor>>
  /** By job. */
  readonly jobs: Map<string, TextCursor>
}

export function emptyCursor(): ClientCursor {
  return { entryId: '', blocks: new Map(), output: new Map(), jobs: new Map() }
}

/** The cursor of a client that was sent everything up to this state except the latest events. */
export function cursorBefore(state: SessionState, latest: readonly AgentEvent[]): ClientCursor {
  const cursor = emptyCursor()
  if (state.open?.message.role === 'assistant') {
    cursor.entryId = state.open.entryId
    for (const [index, block] of state.open.message.content.entries()) cursor.blocks.set(index, atEndOf(block))
  }
  for (const { toolCallId, output } of state.tools.values()) {
    const streams = Object.entries(output).map(
      ([type, { offset, text }]) => [type, new TextCursor(offset + text.length)] as const,
    )
    cursor.output.set(toolCallId, new Map(streams))
  }
  for (const [jobId, { offset, text }] of state.jobOutput) cursor.jobs.set(jobId, new TextCursor(offset + text.length))
  for (const event of latest) rewind(cursor, event)
  return cursor
}

/** A block's text as it is streamed; undefined for a tool call whose arguments are complete. */
export function streamedText(block: AssistantContent): string | undefined {
  if (block.type === 'text') return block.text
  return block.type === 'thinking' ? block.thinking : block.argumentsText
}

function atEndOf(block: AssistantContent): BlockCursor {
  return { text: new TextCursor(streamedText(block)?.length ?? 0), hasEnded: showsEnd(block) }
}

/** Whether the block has what only its end event carries. */
function showsEnd(block: AssistantContent): boolean {
  if (block.type === 'text') return block.textSignature !== undefined
  return block.type === 'thinking' ? block.thinkingSignature !== undefined : block.argumentsText === undefined
}

/** Moves the cursor back to before an event that was not sent. */
function rewind({ blocks, output, jobs }: ClientCursor, event: AgentEvent): void {
  if (event.type === 'job_update') jobs.get(event.jobId)?.rewind(event.offset)
  if (event.type === 'tool_execution_update') {
    const streams = output.get(event.toolCallId)
    if (event.offset === 0) streams?.delete(event.updateType)
    else streams?.get(event.updateType)?.rewind(event.offset)
  }
  if (event.type !== 'message_update') return
  const { delta } = event
  const block = blocks.get(delta.contentIndex)
  if (block === undefined) return
  if (delta.type.endsWith('_start')) blocks.delete(delta.contentIndex)
  else if ('offset' in delta) block.text.rewind(delta.offset)
  else block.hasEnded = false
}
