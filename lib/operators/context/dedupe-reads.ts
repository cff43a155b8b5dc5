// Replaces older readings of a file that the model has read again.
// An older reading costs tokens and may be out of date.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message, ToolResultMessage } from '../../streams/messages/message.ts'
import { changeMessages, mapShared } from './change-messages.ts'

/**
 * Replaces a result of the built-in `read` tool by one line if a later reading shows the whole file, or at least as
 * many lines from the same first line. It compares the `details` of the results. Failed reads, other tools and all
 * calls stay.
 *
 * Ends and fails with its source; buffers nothing.
 */
export function dedupeReads(): ContextTransform {
  return changeMessages((messages) => {
    const superseded = supersededReads(messages)
    return mapShared(messages, (message) => superseded.get(message) ?? message)
  })
}

/** One reading. */
interface Reading {
  readonly path: string
  readonly isWhole: boolean
  readonly firstLine: number
  readonly lines: number
}

/** The later readings of one file: all of it, or a number of lines from a first line. */
interface LaterReadings {
  isWhole: boolean
  readonly lines: Map<number, number>
}

/** Older readings of what the model has read again, with the line that replaces each. */
export function supersededReads(messages: readonly Message[]): Map<Message, ToolResultMessage> {
  const later = new Map<string, LaterReadings>()
  const superseded = new Map<Message, ToolResultMessage>()
  for (const message of messages.toReversed()) {
    const reading = message.role === 'toolResult' ? readingOf(message) : undefined
    if (message.role !== 'toolResult' || reading === undefined) continue
    const laterOfFile: LaterReadings = later.get(reading.path) ?? { isWhole: false, lines: new Map() }
    later.set(reading.path, laterOfFile)
    const lines = laterOfFile.lines.get(reading.firstLine) ?? -1
    if (laterOfFile.isWhole || lines >= reading.lines) superseded.set(message, markSuperseded(message, reading))
    laterOfFile.isWhole ||= reading.isWhole
    laterOfFile.lines.set(reading.firstLine, Math.max(lines, reading.lines))
  }
  return superseded
}

/** Reads the details of the read tool: a text has its lines, an image is always whole. */
function readingOf({ toolName, isError, details }: ToolResultMessage): Reading | undefined {
  if (toolName !== 'read' || isError || typeof details !== 'object' || details === null) return undefined
  const { path, firstLine, lines, isWhole, mimeType } = details as Readonly<Record<string, unknown>>
  if (typeof path !== 'string') return undefined
  if (typeof mimeType === 'string') return { path, isWhole: true, firstLine: 1, lines: 0 }
  if (typeof firstLine !== 'number' || typeof lines !== 'number') return undefined
  return { path, isWhole: isWhole === true, firstLine, lines }
}

function markSuperseded(message: ToolResultMessage, { path }: Reading): ToolResultMessage {
  return { ...message, content: [{ type: 'text', text: `[${path} was read again later: see there]` }] }
}
