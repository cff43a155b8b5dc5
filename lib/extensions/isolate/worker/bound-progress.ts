// Bounds the progress of a tool that is under way to the session.
import { Observable } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { ToolProgress, ToolResult } from '../../../streams/ports/tool.ts'
import type { ServedCall } from '../link/served-calls.ts'

/** Pieces that the session has not taken. */
const mostWaiting = 16
/** UTF-16 units of a piece, and of what waits of one kind. */
const mostText = 65_536

type Value = ToolProgress | ToolResult
type Kind = ToolProgress['updateType']

/**
 * Passes at most 16 pieces that the session has not taken, each of 64 Ki characters at most. What comes meanwhile waits, joined by
 * kind; of more than 64 Ki characters the last are left, and the offset shows the gap. The result comes after what waits.
 */
export function boundProgress(call: ServedCall): MonoTypeOperatorFunction<Value> {
  return (value$) =>
    new Observable((subscriber) => {
      const lengths = new Map<Kind, number>()
      const held = new Map<Kind, ToolProgress>()
      const flush = (most: number): void => {
        for (const [kind, piece] of held) {
          if (call.waiting >= most) return
          held.delete(kind)
          subscriber.next(piece)
        }
      }
      call.onTaken = () => {
        flush(mostWaiting)
      }
      return value$.subscribe({
        next: (value) => {
          if (value.type === 'progress') {
            const placed = { ...value, offset: value.offset ?? lengths.get(value.updateType) ?? 0 }
            lengths.set(value.updateType, placed.offset + value.content.length)
            held.set(value.updateType, joined(held.get(value.updateType), placed))
            flush(mostWaiting)
          } else {
            flush(Infinity)
            subscriber.next(value)
          }
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          flush(Infinity)
          subscriber.complete()
        },
      })
    })
}

type Placed = ToolProgress & { readonly offset: number }

function joined(before: ToolProgress | undefined, piece: Placed): ToolProgress {
  const start = before?.offset ?? piece.offset
  const isNext = before !== undefined && start + before.content.length === piece.offset
  const content = isNext ? before.content + piece.content : piece.content
  const cut = Math.max(0, content.length - mostText)
  return { ...piece, content: content.slice(cut), offset: (isNext ? start : piece.offset) + cut }
}
