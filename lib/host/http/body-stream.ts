// A Node stream as the web's, which takes nothing of it before it is read itself: who prefers the first may have it.
import type { Readable } from 'node:stream'

/** Nothing where a status allows none; then what is there is passed over. Cancelling it closes the connection. */
export function bodyStream(status: number, body: Readable): ReadableStream<Uint8Array> | null {
  if (status === 204 || status === 205 || status === 304) {
    body.resume()
    return null
  }
  let chunks: AsyncIterator<Uint8Array> | undefined
  return new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        chunks ??= body[Symbol.asyncIterator]()
        const step = await chunks.next()
        if (step.done === true) controller.close()
        else controller.enqueue(step.value)
      },
      cancel: () => {
        body.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}
