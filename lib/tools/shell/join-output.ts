// Joins output into at most 20 updates a second of bounded size, with visible gaps.
import { asyncScheduler, Observable } from 'rxjs'
import type { OperatorFunction, Subscription } from 'rxjs'
import type { ConfinedEnd, ConfinedOutput } from '../../streams/ports/sandbox.ts'
import type { ToolProgress } from '../../streams/ports/tool.ts'
import { textTail } from './text-tail.ts'
import type { TextTail } from './text-tail.ts'

export interface JoinOptions {
  /** Milliseconds between two updates of any stream. Default 50. */
  readonly intervalMs?: number
  /** UTF-16 units of one update; of more, the end is emitted. Default 32,768. */
  readonly maxUnits?: number
}

/**
 * Converts output to progress: the first piece at once, later ones joined until the interval is over, the stream that
 * has waited longer first. Excess text is dropped, and `offset` jumps. At the end of the source the pending updates
 * come at once, then the end. Buffers at most two updates a stream; unsubscribing or an error drops them.
 */
export function joinOutput<End extends ConfinedEnd>({
  intervalMs = 50,
  maxUnits = 32_768,
}: JoinOptions = {}): OperatorFunction<ConfinedOutput | End, ToolProgress | End> {
  return (source$) =>
    new Observable((subscriber) => {
      const queue = updateQueue(maxUnits)
      let pause: Subscription | undefined

      const emitNext = (): void => {
        pause = asyncScheduler.schedule(() => {
          pause = undefined
          if (!queue.isEmpty()) emitNext()
        }, intervalMs)
        subscriber.next(queue.take())
      }
      const source = source$.subscribe({
        next: (event) => {
          if (event.type === 'output') {
            queue.add(event)
            if (pause === undefined) emitNext()
            return
          }
          while (!queue.isEmpty()) subscriber.next(queue.take())
          subscriber.next(event)
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      })
      return () => {
        source.unsubscribe()
        pause?.unsubscribe()
      }
    })
}

interface Pending {
  readonly stream: ConfinedOutput['stream']
  readonly tail: TextTail
  /** Units of the stream so far. */
  total: number
}

/** Pending text of each stream; `take` returns the update of the stream that has waited longest. */
function updateQueue(maxUnits: number) {
  const stdout: Pending = { stream: 'stdout', tail: textTail(maxUnits), total: 0 }
  const stderr: Pending = { stream: 'stderr', tail: textTail(maxUnits), total: 0 }
  let waiting: readonly Pending[] = []
  return {
    isEmpty: () => waiting.length === 0,
    add: ({ stream, text }: ConfinedOutput): void => {
      const pending = stream === 'stdout' ? stdout : stderr
      if (!waiting.includes(pending)) waiting = [...waiting, pending]
      pending.total += text.length
      pending.tail.add(text)
    },
    take: (): ToolProgress => {
      const [{ stream, tail, total } = stdout, ...rest] = waiting
      const content = tail.last()
      waiting = rest
      tail.clear()
      return { type: 'progress', updateType: stream, content, offset: total - content.length }
    },
  }
}
