// Parses the bytes of a `application/vnd.amazon.eventstream` body to events.
//
// Guarantees: each frame is checked by both its checksums; an exception becomes an event `error` with its code.
import { crc32 } from 'node:zlib'
import { EventStreamCodec } from '@smithy/core/event-streams'
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { brokenFrame } from '../adapter/frame-reader.ts'
import { recordOf, textOf } from '../http/json-field.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import type { SseEvent } from '../http/sse.ts'

export const bedrockMediaType = 'application/vnd.amazon.eventstream'

/** Lengths of the frame and of its headers, and the checksum of both. */
const preludeLength = 12
/** A frame without headers and payload: the prelude, and the checksum of the frame. */
const shortestFrame = 16
const longestFrame = 16 * 1024 * 1024

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/**
 * Emits each event synchronously with the chunk that completes its frame; buffers an unfinished frame only, of at most
 * 16 MiB. Completes with its source, also within a frame: the decoder reports the early end. A broken frame fails with
 * kind `network`, one that is too long with kind `bad_request`.
 */
export function bedrockFrames(context: ResponseContext): OperatorFunction<Uint8Array, SseEvent> {
  return (byte$) =>
    new Observable((subscriber) => {
      const cutter = createFrameCutter(context)
      const codec = new EventStreamCodec(decodeText, encodeText)
      return byte$.subscribe({
        next: (bytes) => {
          try {
            cutter.add(bytes)
            for (let frame = cutter.take(); frame !== undefined && !subscriber.closed; frame = cutter.take()) {
              subscriber.next(eventOf(decodeFrame(codec, frame, context)))
            }
          } catch (error) {
            subscriber.error(error)
          }
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          subscriber.complete()
        },
      })
    })
}

interface FrameCutter {
  add(bytes: Uint8Array): void
  /** Returns the next whole frame. @throws Failure for a prelude that cannot be right */
  take(): Uint8Array | undefined
}

/** Joins the pieces of a frame once for its prelude and once for its end, however small they are. */
function createFrameCutter(context: ResponseContext): FrameCutter {
  let pieces: Uint8Array[] = []
  let length = 0
  let wanted = preludeLength
  let isPrelude = true
  return {
    add: (bytes) => {
      pieces.push(bytes)
      length += bytes.length
    },
    take: () => {
      while (length >= wanted) {
        const bytes = joined(pieces, length)
        if (isPrelude) {
          pieces = [bytes]
          wanted = frameLength(bytes, context)
          isPrelude = false
          continue
        }
        const frame = bytes.subarray(0, wanted)
        pieces = [bytes.subarray(wanted)]
        length -= wanted
        wanted = preludeLength
        isPrelude = true
        return frame
      }
      return undefined
    },
  }
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return first
  const bytes = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    bytes.set(piece, offset)
    offset += piece.length
  }
  return bytes
}

/** Checks the prelude before its length is believed. */
function frameLength(bytes: Uint8Array, context: ResponseContext): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, preludeLength)
  if (crc32(bytes.subarray(0, preludeLength - 4)) !== view.getUint32(8))
    throw brokenFrame(context, 'whose checksum is wrong')
  const length = view.getUint32(0)
  if (length < shortestFrame) throw brokenFrame(context, 'that is too short')
  if (length > longestFrame) throw tooLong(context)
  return length
}

function tooLong({ provider }: ResponseContext): Failure {
  const message = `${provider} sent a single frame of more than 16 MiB, the longest that rxpi accepts.`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}

type Message = ReturnType<EventStreamCodec['decode']>

function decodeFrame(codec: EventStreamCodec, frame: Uint8Array, context: ResponseContext): Message {
  try {
    return codec.decode(frame)
  } catch {
    throw brokenFrame(context, 'whose checksum or headers are wrong')
  }
}

function eventOf({ headers, body }: Message): SseEvent {
  const header = (name: string): string => textOf(headers[name]?.value)
  const data = decoder.decode(body)
  switch (header(':message-type')) {
    case 'exception':
      return errorEvent(messageIn(data), header(':exception-type'))
    case 'error':
      return errorEvent(header(':error-message'), header(':error-code'))
    default:
      return { event: header(':event-type'), data: data === '' ? '{}' : data }
  }
}

/** Names of exceptions begin with a small letter in a stream, and with a capital one in an HTTP header. */
function errorEvent(message: string, code: string): SseEvent {
  const name = `${code.slice(0, 1).toUpperCase()}${code.slice(1)}`
  const error = { message: message === '' ? name : message, code: name }
  return { event: 'error', data: JSON.stringify({ error }) }
}

function messageIn(data: string): string {
  try {
    const { message, Message: other } = recordOf(JSON.parse(data))
    return textOf(message) || textOf(other)
  } catch {
    return data
  }
}

/** The codec's types are those of the SDK, which takes text too. */
function decodeText(bytes: string | Uint8Array): string {
  return typeof bytes === 'string' ? bytes : decoder.decode(bytes)
}

function encodeText(text: string): Uint8Array {
  return encoder.encode(text)
}
