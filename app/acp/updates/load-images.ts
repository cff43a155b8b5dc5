// Loads the images of messages that are stored beside the log, so that an editor shows them.
import { EMPTY, catchError, concat, defer, expand, map, of, reduce, timeout, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { ImageContent, Message, UserContent } from '../../../lib/streams/messages/message.ts'

export interface ImageSource {
  readonly client: Pick<ReconnectingClient, 'request'>
  readonly session: string
}

/** Bytes of an image, images of one message, bytes of one request, and milliseconds for one image. */
const limits = { bytes: 8_388_608, images: 20, page: 4_194_304, ms: 10_000 } as const

/** Emits the event once, at once if it has no such image. An image that is too large or cannot be read stays a name. */
export function withImages(event: AgentEvent, source: ImageSource): Observable<AgentEvent> {
  if (event.type === 'message_end')
    return messageWithImages(event.message, source).pipe(map((message) => ({ ...event, message })))
  if (event.type !== 'tool_execution_end' || !event.content.some(isStored)) return of(event)
  return loadParts(event.content, source).pipe(map((content) => ({ ...event, content })))
}

/** As `withImages`, for a stored message. */
export function messageWithImages<Stored extends Message>(message: Stored, source: ImageSource): Observable<Stored> {
  const { content }: { readonly content?: unknown } = message
  if (!Array.isArray(content) || !content.some(isStored)) return of(message)
  return loadParts(content as readonly UserContent[], source).pipe(map((parts) => ({ ...message, content: parts })))
}

function loadParts(content: readonly UserContent[], source: ImageSource): Observable<UserContent[]> {
  let images = 0
  const parts = content.map((part) => {
    if (!isStored(part) || (part.bytes ?? 0) > limits.bytes || (images += 1) > limits.images) return of(part)
    return loadImage(part, source)
  })
  return concat(...parts).pipe(toArray())
}

interface StoredImage extends ImageContent {
  readonly blob: string
}

function isStored(part: unknown): part is StoredImage {
  const { type, data, blob } = Object(part) as Partial<ImageContent>
  return type === 'image' && data === undefined && blob !== undefined
}

function loadImage(part: StoredImage, { client, session }: ImageSource): Observable<UserContent> {
  const page$ = (offset: number): Observable<{ readonly bytes: number; readonly end: number; readonly data: Buffer }> =>
    client.request({ type: 'get_blob', session, hash: part.blob, offset, limit: limits.page }).pipe(
      map(({ bytes, data }) => {
        const piece = Buffer.from(data, 'base64')
        return { bytes, end: offset + piece.length, data: piece }
      }),
    )
  return defer(() => page$(0)).pipe(
    expand(({ bytes, end, data }) => (end < bytes && end <= limits.bytes && data.length > 0 ? page$(end) : EMPTY)),
    reduce((pieces: Buffer[], { data }) => [...pieces, data], []),
    timeout({ first: limits.ms }),
    map((pieces): UserContent => ({ ...part, data: Buffer.concat(pieces).toString('base64') })),
    catchError(() => of(part)), // its name is shown
  )
}
