// Delivers keys one at a time to the active listener, after the change of the previous one is drawn.
import type { KeyPress } from './key-press.ts'

export interface CreatedKeyboard {
  /** Delivers a key, or queues it. */
  press(press: KeyPress): void
  /** Queues keys again before all others, at most `maxQueuedKeys` of them. */
  again(presses: readonly KeyPress[]): void
  /** Adds a listener; the newest one gets the keys, until the returned function is called. */
  listen(listener: (press: KeyPress) => void): () => void
  /** A frame was drawn: delivers the next key. */
  drawn(): void
}

export interface KeyboardPorts {
  /** True if the screen shows what the keys act on. */
  isCurrent(): boolean
  /** Draws the change of a key; `drawn` follows. */
  draw(): void
}

/** Maximum of queued keys; further keys are dropped. */
export const maxQueuedKeys = 10_000

/** Keys wait while there is no listener or the screen is not current. */
export function createKeyboard({ isCurrent, draw }: KeyboardPorts): CreatedKeyboard {
  const waiting: KeyPress[] = []
  const listeners: ((press: KeyPress) => void)[] = []
  let isDrawing = false
  const deliverNext = (): void => {
    const listener = listeners.at(-1)
    if (isDrawing || listener === undefined || !isCurrent()) return
    const next = waiting.shift()
    if (next === undefined) return
    isDrawing = true
    draw()
    listener(next)
  }
  return {
    press: (press) => {
      if (waiting.length < maxQueuedKeys) waiting.push(press)
      deliverNext()
    },
    again: (presses) => {
      waiting.unshift(...presses.slice(0, maxQueuedKeys))
      queueMicrotask(deliverNext)
    },
    listen: (listener) => {
      listeners.push(listener)
      queueMicrotask(deliverNext)
      return () => {
        listeners.splice(listeners.lastIndexOf(listener), 1)
      }
    },
    drawn: () => {
      isDrawing = false
      if (waiting.length > 0) queueMicrotask(deliverNext) // its change is not part of this frame
    },
  }
}
