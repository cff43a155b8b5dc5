// Replays a recorded conversation: each request gets the recorded answer at its position.
import { concat, defer, from, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Entry } from '../../streams/state/fold-session.ts'
import type { AssistantMessage, Message, ToolResultMessage, UserContent } from '../../streams/messages/message.ts'
import type { Provider } from '../../streams/ports/provider.ts'
import { recordedDeltas } from './message-deltas.ts'
import { createHash } from 'node:crypto'
import { isSameJson } from '../../streams/values/json.ts'

/**
 * Answers from `entries`, a branch of a session from its root, by position: the answer follows as many messages as in
 * the record. Fails with `provider_error`, kind `bad_request`, naming entry and line, if an input or a call differs
 * from the record, or if the record has ended. A thinking block before the answer reports a different tool result. A
 * failed answer fails again; an aborted one ends as recorded.
 *
 * Cold and synchronous; no state between requests, so a branch of the run works too.
 */
export function replay(entries: readonly Entry[], file: string): Provider {
  const recorded = entries.filter(({ message }) => isRecorded(message))
  return ({ messages }) =>
    defer(() => {
      const position = { file, recorded, messages }
      const difference = firstDifference(position)
      if (difference !== undefined) return failAt(position, difference)
      const next = recorded[messages.length]?.message
      return next?.role === 'assistant'
        ? answer(next, position)
        : failAt(position, { index: messages.length, what: describeEnd(next) })
    })
}

interface Position {
  readonly file: string
  readonly recorded: readonly Entry[]
  readonly messages: readonly Message[]
}

interface Difference {
  readonly index: number
  readonly what: string
}

const recordedRoles = new Set<string>(['user', 'assistant', 'toolResult'])

function isRecorded({ role }: Message): boolean {
  return recordedRoles.has(role)
}

function answer(message: AssistantMessage, position: Position): Observable<AssistantDelta> {
  const deltas$ = from(recordedDeltas(message, { remark: describeResultDifferences(position) }))
  if (message.stopReason !== 'error') return deltas$
  const text = message.errorMessage ?? 'The recorded answer ended in an error'
  return concat(
    deltas$,
    throwError(() => new Failure('provider_error', text, { data: { kind: 'bad_request' } })),
  )
}

function firstDifference({ recorded, messages }: Position): Difference | undefined {
  for (const [index, message] of messages.entries()) {
    const what = differenceOf(message, recorded[index]?.message)
    if (what !== undefined) return { index, what }
  }
  return undefined
}

/** Describes how the message differs from the recorded one; results are compared by their call only. */
function differenceOf(message: Message, recorded: Message | undefined): string | undefined {
  if (recorded === undefined) return describeEnd(recorded)
  if (message.role !== recorded.role) return `the recording has ${nameOf(recorded)}, the run ${nameOf(message)}`
  if (message.role === 'user' && recorded.role === 'user' && !sameContent(message.content, recorded.content))
    return `the recording has the input ${quoteContent(recorded)}, the run ${quoteContent(message)}`
  if (message.role === 'toolResult' && recorded.role === 'toolResult' && message.toolCallId !== recorded.toolCallId)
    return `the recording has the result of call ${recorded.toolCallId}, the run that of ${message.toolCallId}`
  return undefined
}

function describeEnd(next: Message | undefined): string {
  return next === undefined
    ? 'the recording ends here'
    : `the recording has ${nameOf(next)}, but the request asks for an answer`
}

function nameOf({ role }: Message): string {
  return { user: 'an input', assistant: 'an answer', toolResult: 'a tool’s result' }[role]
}

/** Describes the differences of tool results. */
function describeResultDifferences({ file, recorded, messages }: Position): string | undefined {
  const start = messages.findLastIndex(({ role }) => role === 'assistant') + 1
  const remarks = messages.slice(start).flatMap((message, index) => {
    const entry = recorded[start + index]
    if (message.role !== 'toolResult' || entry?.message.role !== 'toolResult') return []
    if (sameContent(message.content, entry.message.content)) return []
    return [
      `${nameResult(message)} differs from ${describePosition(file, entry)}: it is ${quoteContent(message)}, recorded was ${quoteContent(entry.message)}`,
    ]
  })
  return remarks.length === 0 ? undefined : `[replay] ${remarks.join('\n')}`
}

function nameResult({ toolName, toolCallId }: ToolResultMessage): string {
  return `The result of ${toolName} (${toolCallId})`
}

function failAt({ file, recorded }: Position, { index, what }: Difference): Observable<never> {
  const entry = recorded[index] ?? recorded.at(-1)
  const where = entry === undefined ? file : describePosition(file, entry)
  const message = `The run differs from the recording at message ${index + 1}, ${where}: ${what}`
  return throwError(() => new Failure('provider_error', message, { data: { kind: 'bad_request' } }))
}

function describePosition(file: string, { entryId, seq }: Entry): string {
  return `${file} line ${seq + 1} (entry ${entryId})`
}

const quotedLength = 60

function quoteContent({ content }: Message): string {
  const text =
    typeof content === 'string'
      ? content
      : content.flatMap((part) => (part.type === 'text' ? [part.text] : [`<${part.type}>`])).join(' ')
  return JSON.stringify(text.length > quotedLength ? `${text.slice(0, quotedLength)}…` : text)
}

type Content = string | readonly UserContent[]

/** True if the content equals the recorded one, which may name a blob beside the log instead. */
export function sameContent(actual: Content, recorded: Content): boolean {
  if (typeof actual === 'string' || typeof recorded === 'string') return isSameJson(actual, recorded)
  return actual.length === recorded.length && actual.every((part, index) => samePart(part, recorded[index]))
}

function samePart(actual: UserContent, recorded: UserContent | undefined): boolean {
  if (recorded?.blob === undefined || actual.blob !== undefined) return isSameJson(actual, recorded)
  const bytes = bytesOf(actual)
  return (
    bytes !== undefined &&
    actual.type === recorded.type &&
    (actual.type !== 'image' || recorded.type !== 'image' || actual.mimeType === recorded.mimeType) &&
    createHash('sha256').update(bytes).digest('hex') === recorded.blob
  )
}

function bytesOf(part: UserContent): Buffer | undefined {
  if (part.type === 'text') return Buffer.from(part.text)
  return part.data === undefined ? undefined : Buffer.from(part.data, 'base64')
}
