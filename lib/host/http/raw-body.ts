// Decodes the body of an HTTP response and emits its bytes as the system delivers them.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import type { Observable } from 'rxjs'
import { fromReadable } from '../../streams/rx/from-readable.ts'

/** The Node streams behind a response. */
export interface RawBody {
  readonly message: IncomingMessage
  /** The message itself, or its decoder if the message is compressed. */
  readonly body: Readable
}

/** Emits a body's bytes to one subscriber. Unsubscribing destroys the body and closes its connection. */
export type ReadBody = (raw: RawBody) => Observable<Uint8Array>

/** Emits each chunk when it arrives; buffers nothing. */
export function plainBody({ body }: RawBody): Observable<Uint8Array> {
  return fromReadable(body)
}

/**
 * Decompresses gzip, deflate and br; a chunk is readable when it is complete. Any other encoding stays as it is, as in
 * the platform's `fetch`. A broken connection fails the stream, also if no reader listens.
 */
export function decodedBody(message: IncomingMessage): Readable {
  const body = decompressed(message)
  for (const stream of new Set([message, body])) stream.on('error', () => undefined) // its reader gets the error too
  return body
}

function decompressed(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return message
  const zlib = process.getBuiltinModule('node:zlib')
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return joinStreams(message, zlib.createGunzip(flush))
    case 'deflate':
      return joinStreams(message, zlib.createInflate(flush))
    case 'br':
      return joinStreams(message, zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }))
    default:
      return message
  }
}

/** If one of them ends, the other ends too. */
function joinStreams<Decoder extends NodeJS.ReadWriteStream & Readable>(
  message: IncomingMessage,
  decoder: Decoder,
): Decoder {
  message.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => message.destroy())
  message.pipe(decoder)
  return decoder
}
