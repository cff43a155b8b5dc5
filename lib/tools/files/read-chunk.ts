// One read of the system's is one chunk: what is asked for, or what there is.
import { read } from 'node:fs'

const chunkBytes = 65_536

/** Up to `length` bytes (default 64 KiB) of an open file from a position on; none where nothing is left. Rejects with the system's error. */
export function readChunk(descriptor: number, position: number, length = chunkBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    read(descriptor, Buffer.allocUnsafe(length), 0, length, position, (error, bytesRead, buffer) => {
      if (error === null) resolve(buffer.subarray(0, bytesRead))
      else reject(error)
    })
  })
}
