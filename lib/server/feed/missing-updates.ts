// What brings a client from what it was given to a session's state: starts, the rest of each text in bounded pieces, ends.
import type { MessageDelta } from '../../streams/messages/delta.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { RunningTool, SessionState } from '../../streams/state/fold-session.ts'
import type { AssistantContent } from '../../streams/messages/message.ts'
import type { OutputTail } from '../../streams/state/fold-output.ts'
import { betweenCharacters } from '../protocol/between-characters.ts'
import { streamedText } from './given.ts'
import type { Given, GivenBlock } from './given.ts'

/**
 * The transient events that the client lacks, in order, none where it lacks none. What is taken is counted as given. Blocks
 * of another message than the open one are forgotten.
 * @param longest UTF-16 units of one piece
 */
export function* missingUpdates(
  { open, tools, jobOutput }: SessionState,
  given: Given,
  longest: number,
): Generator<AgentEvent, void> {
  if (open?.message.role === 'assistant') {
    const { entryId } = open
    if (given.entryId !== entryId) {
      given.entryId = entryId
      given.blocks.clear()
    }
    for (const [contentIndex, block] of open.message.content.entries()) {
      for (const delta of missingOfBlock(block, contentIndex, given.blocks, longest))
        yield { type: 'message_update', entryId, delta }
    }
  }
  for (const tool of tools.values()) if (tool.end === undefined) yield* missingOutput(tool, given.output, longest)
  for (const [jobId, output] of jobOutput) yield* missingOfJob(jobId, output, given.jobs, longest)
}

function* missingOfBlock(
  block: AssistantContent,
  contentIndex: number,
  blocks: Given['blocks'],
  longest: number,
): Generator<MessageDelta> {
  const had = blocks.get(contentIndex) ?? { length: 0, hasEnded: false }
  if (!blocks.has(contentIndex)) {
    blocks.set(contentIndex, had)
    yield startOf(block, contentIndex)
  }
  for (const { offset, text } of pieces(streamedText(block) ?? '', had, longest)) {
    yield { type: pieceTypes[block.type], contentIndex, offset, text }
  }
  const end = had.hasEnded ? undefined : endOf(block, contentIndex)
  if (end === undefined) return
  had.hasEnded = true
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

/** Nothing where the state does not show that the block has ended. */
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

function* missingOutput(
  { toolCallId, output }: RunningTool,
  given: Given['output'],
  longest: number,
): Generator<AgentEvent> {
  for (const [name, { offset: from, text }] of Object.entries(output)) {
    const updateType = name as 'stdout' // keys of `output` are the update types that were folded
    const lengths = given.get(toolCallId) ?? new Map<string, number>()
    given.set(toolCallId, lengths)
    // what came before the part that the state keeps is passed over
    const had = { length: Math.max(0, (lengths.get(name) ?? 0) - from) }
    if (text === '' && !lengths.has(name)) {
      lengths.set(name, from)
      yield { type: 'tool_execution_update', toolCallId, updateType, content: '', offset: from }
    }
    for (const { offset, text: content } of pieces(text, had, longest)) {
      lengths.set(name, from + had.length)
      yield { type: 'tool_execution_update', toolCallId, updateType, content, offset: from + offset }
    }
  }
}

function* missingOfJob(
  jobId: string,
  { offset: from, text }: OutputTail,
  given: Given['jobs'],
  longest: number,
): Generator<AgentEvent> {
  // what came before the part that the state keeps is passed over
  const had = { length: Math.max(0, (given.get(jobId) ?? 0) - from) }
  for (const { offset, text: content } of pieces(text, had, longest)) {
    given.set(jobId, from + had.length)
    yield { type: 'job_update', jobId, content, offset: from + offset }
  }
}

/** The text behind what was given, which grows by each piece before it is taken. */
function* pieces(
  text: string,
  had: Pick<GivenBlock, 'length'>,
  longest: number,
): Generator<{ offset: number; text: string }> {
  while (had.length < text.length) {
    const offset = had.length
    had.length = betweenCharacters(text, Math.min(text.length, offset + longest))
    yield { offset, text: text.slice(offset, had.length) }
  }
}
