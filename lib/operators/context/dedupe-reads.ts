// Of a file that was read again only the newest reading stays: the older one costs tokens and may be wrong by now.
import type { ContextTransform } from '../../streams/ports/agent-context.ts'
import type { Message, ToolResultMessage } from '../../streams/messages/message.ts'
import { changeMessages } from './change-messages.ts'
import { mapShared } from './change-messages.ts'

/**
 * Puts a line in place of what the built-in `read` tool showed where a later reading shows the whole file, or at least as
 * many lines from the same first line. Known by the results' `details`; failed reads and other tools stay as they are, and
 * so does every call.
 *
 * Ends and fails with its source; buffers nothing.
 */
export function dedupeReads(): ContextTransform {
  return changeMessages((messages) => {
    const superseded = supersededReads(messages)
    return mapShared(messages, (message) => superseded.get(message) ?? message)
  })
}

/** What one reading showed. */
interface Reading {
  readonly path: string
  readonly isWhole: boolean
  readonly firstLine: number
  readonly lines: number
}

/** What later readings of one file show: all of it, or so many lines from a first line. */
interface LaterReadings {
  isWhole: boolean
  readonly lines: Map<number, number>
}

function supersededReads(messages: readonly Message[]): Map<Message, ToolResultMessage> {
  const later = new Map<string, LaterReadings>()
  const superseded = new Map<Message, ToolResultMessage>()
  for (const message of messages.toReversed()) {
    const reading = message.role === 'toolResult' ? readingOf(message) : undefined
    if (message.role !== 'toolResult' || reading === undefined) continue
    const shown: LaterReadings = later.get(reading.path) ?? { isWhole: false, lines: new Map() }
    later.set(reading.path, shown)
    const lines = shown.lines.get(reading.firstLine) ?? -1
    if (shown.isWhole || lines >= reading.lines) superseded.set(message, replaced(message, reading))
    shown.isWhole ||= reading.isWhole
    shown.lines.set(reading.firstLine, Math.max(lines, reading.lines))
  }
  return superseded
}

/** As the read tool describes it in its details: text by its lines, an image always whole. */
function readingOf({ toolName, isError, details }: ToolResultMessage): Reading | undefined {
  if (toolName !== 'read' || isError || typeof details !== 'object' || details === null) return undefined
  const { path, firstLine, lines, isWhole, mimeType } = details as Readonly<Record<string, unknown>>
  if (typeof path !== 'string') return undefined
  if (typeof mimeType === 'string') return { path, isWhole: true, firstLine: 1, lines: 0 }
  if (typeof firstLine !== 'number' || typeof lines !== 'number') return undefined
  return { path, isWhole: isWhole === true, firstLine, lines }
}

function replaced(message: ToolResultMessage, { path }: Reading): ToolResultMessage {
  return { ...message, content: [{ type: 'text', text: `[${path} was read again later: see there]` }] }
}
