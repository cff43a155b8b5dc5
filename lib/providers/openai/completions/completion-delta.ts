// The part of a chat completion that says something: text, thinking under its several names, calls.
import type { AnswerWriter } from '../../adapter/answer-writer.ts'
import type { ToolCallPiece, ToolCallReader } from '../../adapter/tool-call-reader.ts'
import { objectOf, textOf as text } from '../../http/wire-value.ts'

/** A choice's `delta`, or the `message` of an answer that was not streamed; everything may be missing or of another type. */
export interface CompletionDelta {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly tool_calls?: unknown
  /** Thinking comes in fields that endpoints call differently. */
  readonly [field: string]: unknown
}

/** Where it is written. */
export interface CompletionSink {
  readonly writer: AnswerWriter
  readonly calls: ToolCallReader
  /** The fields in which thinking may come; the first that says something counts. */
  readonly reasoningFields: readonly string[]
}

interface ContentPart {
  readonly text?: unknown
  readonly thinking?: unknown
}

/** Writes what one delta says; thinking is signed with the name of the field in which it came. */
export function readCompletionDelta(delta: CompletionDelta, { writer, calls, reasoningFields }: CompletionSink): void {
  const { content, tool_calls: toolCalls } = delta
  for (const field of reasoningFields) {
    const thought = text(delta[field])
    if (thought === '') continue
    writer.thinking(thought, field)
    break
  }
  if (Array.isArray(content)) for (const part of content as unknown[]) readPart(part, writer)
  else writer.text(text(content))
  writer.text(text(delta.refusal))
  if (Array.isArray(toolCalls)) for (const piece of toolCalls as unknown[]) calls.read(objectOf<ToolCallPiece>(piece))
}

/** Mistral's form: content is a list of parts, thinking one of them and itself a list of parts. */
function readPart(part: unknown, writer: AnswerWriter): void {
  const { text: said, thinking } = objectOf<ContentPart>(part)
  if (!Array.isArray(thinking)) writer.text(text(said))
  else for (const inner of thinking as unknown[]) writer.thinking(text(objectOf<ContentPart>(inner).text))
}
