// Content over 64 KiB stands on a line as a reference; whoever needs the content itself brings it back.
import type { BlobEncoding, BlobReference, Blobs } from './blobs.ts'
import type { AgentEvent } from '../events/event.ts'
import { Failure } from '../values/failure.ts'
import { mapParts } from '../events/map-parts.ts'
import type { PartMap } from '../events/map-parts.ts'
import type { ImageContent, UserContent } from '../messages/message.ts'
import { firstUnits } from '../values/truncate.ts'

/** UTF-16 units of a tool's text that stay on the line, for those who look at it without the rest. */
const unitsOnLine = 1_024

/** The event as a line has it: images, and texts of tool results, are kept aside where they are large. @throws Failure `storage` */
export function externaliseContent(event: AgentEvent, blobs: Blobs): AgentEvent {
  return mapParts(event, asideIn(blobs))
}

/** An image as a line has it; nothing is written: to compare with what a line says. */
export function externaliseImage(image: ImageContent, blobs: Pick<Blobs, 'refer'>): ImageContent {
  const found = image.data === undefined ? undefined : blobs.refer(image.data, 'base64')
  return found === undefined ? image : { type: 'image', mimeType: image.mimeType, ...found }
}

/** The reference in a part's place; undefined where it is the content itself. */
export function blobReferenceOf(part: UserContent): BlobReference | undefined {
  if (part.blob === undefined || (part.type === 'image' && part.data !== undefined)) return undefined
  return { blob: part.blob, bytes: part.bytes ?? 0 }
}

/** The references in an event, each as often as it stands there. */
export function blobReferencesIn(event: AgentEvent): BlobReference[] {
  const references: BlobReference[] = []
  mapParts(event, (part) => {
    const reference = blobReferenceOf(part)
    if (reference !== undefined) references.push(reference)
    return part
  })
  return references
}

/** Told what could not be brought back, and why. */
export type OnMissingContent = (reference: BlobReference, failure: Failure) => void

/** Brings parts back: itself where it is no reference; where its content is lost, a text that says so. */
export function loadContent(blobs: Pick<Blobs, 'read'>, lost: OnMissingContent): PartMap {
  return (part) => {
    const reference = blobReferenceOf(part)
    if (reference === undefined) return part
    try {
      return whole(part, blobs.read(reference, encodingOf(part)))
    } catch (thrown) {
      lost(reference, Failure.from(thrown, 'storage'))
      return missingContentNote(part)
    }
  }
}

/** What stands in the place of content that is lost. */
export function missingContentNote(part: UserContent): UserContent {
  const size = part.bytes ?? 0
  if (part.type === 'image') return { type: 'text', text: `[An image (${part.mimeType}, ${size} bytes) is lost]` }
  return { type: 'text', text: `${part.text}\n[Only the beginning is left: the whole, ${size} bytes, is lost]` }
}

function asideIn(blobs: Blobs): PartMap {
  return (part, origin) => {
    if (part.type === 'image') {
      if (part.data === undefined) return held(part, blobs)
      const kept = blobs.keep(part.data, 'base64')
      return kept === undefined ? part : { type: 'image', mimeType: part.mimeType, ...kept }
    }
    if (part.blob !== undefined) return held(part, blobs)
    const kept = origin === 'result' ? blobs.keep(part.text, 'utf8') : undefined
    return kept === undefined ? part : { ...part, text: firstUnits(part.text, unitsOnLine), ...kept }
  }
}

/** What comes from a line already is named again. */
function held(part: UserContent, blobs: Blobs): UserContent {
  const reference = blobReferenceOf(part)
  if (reference !== undefined) blobs.hold(reference)
  return part
}

function encodingOf(part: UserContent): BlobEncoding {
  return part.type === 'image' ? 'base64' : 'utf8'
}

function whole(part: UserContent, content: string): UserContent {
  const { blob, bytes, ...rest } = part
  return rest.type === 'image' ? { ...rest, data: content } : { ...rest, text: content }
}
