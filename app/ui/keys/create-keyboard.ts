// Delivers keys one at a time to the active listener, after the change of the previous one is drawn.
import type { KeyPress } from './key-press.ts'

export interface CreatedKeyboard {
  /** Delivers a key, or queues it. */
  press(press: KeyPress): void
  /** Queues keys again before all others. */
  again(presses: readonly KeyPress[]): void
  /** Adds a listener; the newest one gets the keys, until the returned function is called. */
  listen(heard: (press: KeyPress) => void): () => void
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
const bufferLimit = 10_000

/** Keys wait while there is no listener or the screen is not current. */
export function createKeyboard({ isCurrent, draw }: KeyboardPorts): CreatedKeyboard {
  const waiting: KeyPress[] = []
  const listeners: ((press: KeyPress) => void)[] = []
  let isDrawing = false
  const go = (): void => {
    const heard = listeners.at(-1)
    if (isDrawing || heard === undefined || !isCurrent()) return
    const next = waiting.shift()
    if (next === undefined) return
    isDrawing = true
    draw()
    heard(next)
  }
  return {
    press: (press) => {
      if (waiting.length < bufferLimit) waiting.push(press)
      go()
    },
    again: (presses) => {
      waiting.unshift(...presses)
      queueMicrotask(go)
    },
    listen: (heard) => {
      listeners.push(heard)
      queueMicrotask(go)
      return () => {
        listeners.splice(listeners.lastIndexOf(heard), 1)
      }
    },
    drawn: () => {
      isDrawing = false
      if (waiting.length > 0) queueMicrotask(go) // its change is not part of this frame
    },
  }
}
