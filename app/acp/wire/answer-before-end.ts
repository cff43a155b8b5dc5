// Holds the end of an editor's input back until its requests are answered.
// Guarantees: the end comes at last after a limit, and at once if the editor takes no output.
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { Subject, filter, firstValueFrom, merge, take, timer } from 'rxjs'

/** Milliseconds: a run that takes longer goes on in the server. */
const defaultLimitMs = 10_000

/** @param limitMs how long the end of the input waits for answers */
export function answerBeforeEnd({ readable, writable }: Stream, limitMs = defaultLimitMs): Stream {
  const open = new Set<unknown>()
  const changed$ = new Subject<void>()
  const settle = (frame: AnyMessage): void => {
    if ('method' in frame || !('id' in frame)) return
    open.delete(frame.id)
    changed$.next()
  }
  const input = new TransformStream<AnyMessage, AnyMessage>({
    transform: (frame, controller) => {
      if ('method' in frame && 'id' in frame) open.add(frame.id)
      controller.enqueue(frame)
    },
    flush: async () => {
      if (open.size === 0) return
      const done$ = merge(changed$.pipe(filter(() => open.size === 0)), timer(limitMs)).pipe(take(1))
      await firstValueFrom(done$, { defaultValue: undefined })
    },
  })
  const writer = writable.getWriter()
  const output = new WritableStream<AnyMessage>({
    write: async (frame) => {
      try {
        await writer.write(frame)
      } catch (error) {
        open.clear() // nobody reads the answers
        changed$.next()
        throw error
      }
      settle(frame)
    },
    close: () => writer.close(),
    abort: (reason) => writer.abort(reason),
  })
  return { readable: readable.pipeThrough(input), writable: output }
}
