// However fast a program talks, its listeners are told 20 times a second at most, of a bounded piece each, with the gaps showing.
import { asyncScheduler, Observable } from 'rxjs'
import type { OperatorFunction, Subscription } from 'rxjs'
import type { ProcessEnd, ProcessEvent, ProcessOutput } from '../host/process-event.ts'
import type { ToolProgress } from '../streams/tool.ts'
import { lastUnits } from '../streams/truncate.ts'

export interface JoinOptions {
  /** Milliseconds between two updates, of whichever stream. Default 50. */
  readonly intervalMs?: number
  /** UTF-16 units of one update: of more, the end is given. Default 32,768. */
  readonly maxUnits?: number
}

interface Pending {
  readonly stream: ProcessOutput['stream']
  text: string
  /** Units that the stream has had so far. */
  total: number
}

/**
 * Output becomes progress: the first piece at once, later ones joined until the interval is over, the stream that has
 * waited longer first. What does not fit into one update is left out, and `offset` jumps. At the end of the source what is
 * pending comes at once, then the end. Buffers two updates a stream at most; unsubscribing or an error drops them.
 */
export function joinOutput({ intervalMs = 50, maxUnits = 32_768 }: JoinOptions = {}): OperatorFunction<
  ProcessEvent,
  ToolProgress | ProcessEnd
> {
  return (source$) =>
    new Observable((subscriber) => {
      const streams: Record<ProcessOutput['stream'], Pending> = {
        stdout: { stream: 'stdout', text: '', total: 0 },
        stderr: { stream: 'stderr', text: '', total: 0 },
      }
      // those that have text, longest waiting first
      let waiting: readonly Pending[] = []
      let pause: Subscription | undefined

      const tell = (): void => {
        const [first, ...rest] = waiting
        if (first === undefined) return
        const content = lastUnits(first.text, maxUnits)
        waiting = rest
        first.text = ''
        subscriber.next({ type: 'progress', updateType: first.stream, content, offset: first.total - content.length })
      }
      const tellNow = (): void => {
        pause = asyncScheduler.schedule(() => {
          pause = undefined
          if (waiting.length > 0) tellNow()
        }, intervalMs)
        tell()
      }
      const add = ({ stream, text }: ProcessOutput): void => {
        const pending = streams[stream]
        if (pending.text === '') waiting = [...waiting, pending]
        pending.total += text.length
        pending.text += text
        if (pending.text.length > 2 * maxUnits) pending.text = lastUnits(pending.text, maxUnits)
        if (pause === undefined) tellNow()
      }
      const source = source$.subscribe({
        next: (event) => {
          if (event.type === 'output') {
            add(event)
            return
          }
          while (waiting.length > 0) tell()
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
