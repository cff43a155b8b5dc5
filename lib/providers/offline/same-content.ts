// What was recorded by its name alone is the same as what has that name: large content stands beside a log, not in it.
import { createHash } from 'node:crypto'
import type { UserContent } from '../../streams/messages/message.ts'
import { sameJson } from '../../streams/values/same-json.ts'

type Content = string | readonly UserContent[]

/** Whether content that a model is told is what a line of a log has, whole or named. */
export function sameContent(told: Content, recorded: Content): boolean {
  if (typeof told === 'string' || typeof recorded === 'string') return sameJson(told, recorded)
  return told.length === recorded.length && told.every((part, index) => samePart(part, recorded[index]))
}

function samePart(told: UserContent, recorded: UserContent | undefined): boolean {
  if (recorded?.blob === undefined || told.blob !== undefined) return sameJson(told, recorded)
  const bytes = bytesOf(told)
  return (
    bytes !== undefined &&
    told.type === recorded.type &&
    (told.type !== 'image' || recorded.type !== 'image' || told.mimeType === recorded.mimeType) &&
    createHash('sha256').update(bytes).digest('hex') === recorded.blob
  )
}

function bytesOf(part: UserContent): Buffer | undefined {
  if (part.type === 'text') return Buffer.from(part.text)
  return part.data === undefined ? undefined : Buffer.from(part.data, 'base64')
}
