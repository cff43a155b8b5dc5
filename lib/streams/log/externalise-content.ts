// Moves content over 64 KiB from events into the blob store, and loads it back.
import type { BlobEncoding, BlobReference, Blobs } from './blobs.ts'
import type { AgentEvent } from '../events/event.ts'
import { Failure } from '../values/failure.ts'
import { mapParts } from '../events/map-parts.ts'
import type { PartMap } from '../events/map-parts.ts'
import type { ImageContent, UserContent } from '../messages/message.ts'
import { firstUnits } from '../values/truncate.ts'

/** UTF-16 units of a tool's text that stay on the line as a preview. */
const unitsOnLine = 1_024

/**
 * The event as its log line has it: large images and large texts of tool results become references. @throws Failure
 * `storage`
 */
export function externaliseContent(event: AgentEvent, blobs: Blobs): AgentEvent {
  return mapParts(event, externalisePart(blobs))
}

/** An image as its log line has it, for comparison with a line; writes nothing. */
export function externaliseImage(image: ImageContent, blobs: Pick<Blobs, 'refer'>): ImageContent {
  const reference = image.data === undefined ? undefined : blobs.refer(image.data, 'base64')
  return reference === undefined ? image : { type: 'image', mimeType: image.mimeType, ...reference }
}

/** The reference that a part holds; undefined if the part holds the content. */
export function blobReferenceOf(part: UserContent): BlobReference | undefined {
  if (part.blob === undefined || (part.type === 'image' && part.data !== undefined)) return undefined
  return { blob: part.blob, bytes: part.bytes ?? 0 }
}

/** The references in an event, repeated ones included. */
export function blobReferencesIn(event: AgentEvent): BlobReference[] {
  const references: BlobReference[] = []
  mapParts(event, (part) => {
    const reference = blobReferenceOf(part)
    if (reference !== undefined) references.push(reference)
    return part
  })
  return references
}

/** Receives each reference that could not be loaded, and why. */
export type OnMissingContent = (reference: BlobReference, failure: Failure) => void

/** Loads referenced content; other parts stay as they are. Lost content becomes a text that says so. */
export function loadContent(blobs: Pick<Blobs, 'read'>, onMissing: OnMissingContent): PartMap {
  return (part) => {
    const reference = blobReferenceOf(part)
    if (reference === undefined) return part
    try {
      return restorePart(part, blobs.read(reference, encodingOf(part)))
    } catch (thrown) {
      onMissing(reference, Failure.from(thrown, 'storage'))
      return missingContentNote(part)
    }
  }
}

/** The text that replaces lost content. */
export function missingContentNote(part: UserContent): UserContent {
  const size = part.bytes ?? 0
  if (part.type === 'image') return { type: 'text', text: `[An image (${part.mimeType}, ${size} bytes) is lost]` }
  return { type: 'text', text: `${part.text}\n[Only the beginning remains; the whole text (${size} bytes) is lost]` }
}

function externalisePart(blobs: Blobs): PartMap {
  return (part, origin) => {
    if (part.type === 'image') {
      if (part.data === undefined) return holdReference(part, blobs)
      const stored = blobs.keep(part.data, 'base64')
      return stored === undefined ? part : { type: 'image', mimeType: part.mimeType, ...stored }
    }
    if (part.blob !== undefined) return holdReference(part, blobs)
    const stored = origin === 'result' ? blobs.keep(part.text, 'utf8') : undefined
    return stored === undefined ? part : { ...part, text: firstUnits(part.text, unitsOnLine), ...stored }
  }
}

/** Content that was loaded from a line is referenced again, not stored again */
function holdReference(part: UserContent, blobs: Blobs): UserContent {
  const reference = blobReferenceOf(part)
  if (reference !== undefined) blobs.hold(reference)
  return part
}

function encodingOf(part: UserContent): BlobEncoding {
  return part.type === 'image' ? 'base64' : 'utf8'
}

function restorePart(part: UserContent, content: string): UserContent {
  const { blob, bytes, ...rest } = part
  return rest.type === 'image' ? { ...rest, data: content } : { ...rest, text: content }
}
