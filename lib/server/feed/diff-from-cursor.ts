// Lists the transient events that bring a client from its cursor to a session's state.
// These are starts, text in bounded pieces, and ends.
import type { AgentEvent } from '../../streams/events/event.ts'
import type { MessageDelta } from '../../streams/messages/delta.ts'
import type { AssistantContent } from '../../streams/messages/message.ts'
import type { RunningTool, SessionState } from '../../streams/state/fold-session.ts'
import type { OutputTail } from '../../streams/state/fold-output.ts'
import { TextCursor } from '../../streams/values/text-cursor.ts'
import { streamedText } from './client-cursor.ts'
import type { ClientCursor } from './client-cursor.ts'

/**
 * Yields the events in order and moves the cursor with each; yields none if the client has everything. Forgets the
 * blocks of any other message than the open one.
 * @param longest UTF-16 units of one piece
 */
export function* diffFromCursor(
  { open, tools, jobOutput }: SessionState,
  cursor: ClientCursor,
  longest: number,
): Generator<AgentEvent, void> {
  if (open?.message.role === 'assistant') {
    const { entryId } = open
    if (cursor.entryId !== entryId) {
      cursor.entryId = entryId
      cursor.blocks.clear()
    }
    for (const [contentIndex, block] of open.message.content.entries()) {
      for (const delta of diffBlock(block, contentIndex, cursor.blocks, longest))
        yield { type: 'message_update', entryId, delta }
    }
  }
  for (const tool of tools.values()) if (tool.end === undefined) yield* diffTool(tool, cursor.output, longest)
  for (const [jobId, output] of jobOutput) yield* diffJob(jobId, output, cursor.jobs, longest)
}

function* diffBlock(
  block: AssistantContent,
  contentIndex: number,
  blocks: ClientCursor['blocks'],
  longest: number,
): Generator<MessageDelta> {
  const cursor = blocks.get(contentIndex) ?? { text: new TextCursor(), hasEnded: false }
  if (!blocks.has(contentIndex)) {
    blocks.set(contentIndex, cursor)
    yield startOf(block, contentIndex)
  }
  const whole = streamedText(block) ?? ''
  for (let piece = cursor.text.next(whole, longest); piece !== undefined; piece = cursor.text.next(whole, longest)) {
    yield { type: pieceTypes[block.type], contentIndex, ...piece }
  }
  const end = cursor.hasEnded ? undefined : endOf(block, contentIndex)
  if (end === undefined) return
  cursor.hasEnded = true
  yield end
}

const pieceTypes = { text: 'text_delta', thinking: 'thinking_delta', toolCall: 'toolcall_delta' } as const

function startOf(block: AssistantContent, contentIndex: number): MessageDelta {
  switch (block.type) {
    case 'text':
      return { type: 'text_start', contentIndex }
    case 'thinking':
      return { type: 'thinking_start', contentIndex, ...(block.redacted === true ? { redacted: true } : {}) }
    case 'toolCall':
      return { type: 'toolcall_start', contentIndex, id: block.id, name: block.name }
  }
}

/** Undefined if the state does not show that the block has ended. */
function endOf(block: AssistantContent, contentIndex: number): MessageDelta | undefined {
  switch (block.type) {
    case 'text': {
      const { textSignature: signature } = block
      return signature === undefined ? undefined : { type: 'text_end', contentIndex, signature }
    }
    case 'thinking': {
      const { thinkingSignature: signature } = block
      return signature === undefined ? undefined : { type: 'thinking_end', contentIndex, signature }
    }
    case 'toolCall': {
      if (block.argumentsText !== undefined) return undefined
      const { thoughtSignature: signature } = block
      const more = signature === undefined ? {} : { signature }
      return { type: 'toolcall_end', contentIndex, arguments: block.arguments, ...more }
    }
  }
}

function* diffTool(
  { toolCallId, output }: RunningTool,
  cursors: ClientCursor['output'],
  longest: number,
): Generator<AgentEvent> {
  for (const [name, stored] of Object.entries(output)) {
    const updateType = name as 'stdout' // the keys of `output` are the update types that were folded
    const streams = cursors.get(toolCallId) ?? new Map<string, TextCursor>()
    cursors.set(toolCallId, streams)
    const isNew = !streams.has(name)
    const cursor = streams.get(name) ?? new TextCursor()
    streams.set(name, cursor)
    if (stored.text === '' && isNew) {
      yield { type: 'tool_execution_update', toolCallId, updateType, content: '', offset: stored.offset }
    }
    for (const { offset, text: content } of diffOutput(stored, cursor, longest)) {
      yield { type: 'tool_execution_update', toolCallId, updateType, content, offset }
    }
  }
}

function* diffJob(
  jobId: string,
  stored: OutputTail,
  cursors: ClientCursor['jobs'],
  longest: number,
): Generator<AgentEvent> {
  const cursor = cursors.get(jobId) ?? new TextCursor()
  cursors.set(jobId, cursor)
  for (const { offset, text: content } of diffOutput(stored, cursor, longest)) {
    yield { type: 'job_update', jobId, content, offset }
  }
}

/** Skips what comes before the part that the state stores. */
function* diffOutput(
  { offset: storedFrom, text }: OutputTail,
  cursor: TextCursor,
  longest: number,
): Generator<{ readonly offset: number; readonly text: string }> {
  const local = new TextCursor(Math.max(0, cursor.length - storedFrom))
  for (let piece = local.next(text, longest); piece !== undefined; piece = local.next(text, longest)) {
    const placed = { offset: storedFrom + piece.offset, text: piece.text }
    cursor.advance(placed)
    yield placed
  }
}
