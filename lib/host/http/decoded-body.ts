// The body of an answer over node:http, as it was meant: compressed ones are read as plain bytes.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

/** Uncompressed, each piece as soon as it is whole; what breaks off fails the stream, heard or not. */
export function decodedBody(message: IncomingMessage): Readable {
  const body = uncompressed(message)
  for (const stream of new Set([message, body])) stream.on('error', () => undefined) // its reader hears it too
  return body
}

function uncompressed(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.toLowerCase()
  if (encoding === undefined || encoding === 'identity') return message
  const zlib = process.getBuiltinModule('node:zlib')
  const pieces = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH }
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return joined(message, zlib.createGunzip(pieces))
    case 'deflate':
      return joined(message, zlib.createInflate(pieces))
    case 'br':
      return joined(message, zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }))
    default:
      return message // as the platform's fetch does
  }
}

/** Each ends with the other. */
function joined<Decoder extends NodeJS.ReadWriteStream & Readable>(
  message: IncomingMessage,
  decoder: Decoder,
): Decoder {
  message.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => message.destroy())
  message.pipe(decoder)
  return decoder
}
