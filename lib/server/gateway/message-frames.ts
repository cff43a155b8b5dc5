// Frames lines as text messages of a WebSocket, one line a message, as a server sends them.
// Guarantees: what one call returns are whole frames, so that frames of others may stand between two calls.
import { joinLines, joinOnce } from '../protocol/line-writer.ts'
import type { LineEncoding } from '../protocol/line-writer.ts'

const lineFeed = 10
const text = 0x1
const continuation = 0x0
const final = 0x80

/** A line that comes in several pieces is a fragmented message: the memory of a writer stays that of a piece. */
export const messageFrames: LineEncoding = {
  join: joinOnce((lines, length) => frameLines(joinLines(lines, length), false).bytes),
  createEncoder: () => {
    let isContinued = false
    return (piece) => {
      const framed = frameLines(piece, isContinued)
      isContinued = framed.isContinued
      return framed.bytes
    }
  },
}

interface Framed {
  readonly bytes: Buffer
  /** True if the last line goes on in the next piece. */
  readonly isContinued: boolean
}

function frameLines(piece: string | Uint8Array, continues: boolean): Framed {
  const bytes = typeof piece === 'string' ? Buffer.from(piece) : piece
  const parts: Uint8Array[] = []
  let isContinued = continues
  for (let from = 0; from < bytes.length;) {
    const end = bytes.indexOf(lineFeed, from)
    const isWhole = end !== -1
    const part = bytes.subarray(from, isWhole ? end : bytes.length)
    parts.push(headOf(part.length, (isWhole ? final : 0) | (isContinued ? continuation : text)), part)
    isContinued = !isWhole
    from += part.length + 1
  }
  return { bytes: Buffer.concat(parts), isContinued }
}

/** The head of a frame: its length has 7, 16 or 64 bits. */
function headOf(length: number, kind: number): Uint8Array {
  if (length < 126) return Uint8Array.of(kind, length)
  if (length < 65_536) return Uint8Array.of(kind, 126, length >> 8, length & 255)
  const head = Buffer.alloc(10)
  head[0] = kind
  head[1] = 127
  head.writeUIntBE(length, 4, 6)
  return head
}
