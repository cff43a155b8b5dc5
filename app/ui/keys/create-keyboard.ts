// Keys go one at a time to who listens: each waits until what the one before it has changed is drawn, and none is lost between.
import type { KeyPress } from './key-press.ts'

export interface CreatedKeyboard {
  /** Heard at once, or behind those that wait. */
  press(press: KeyPress): void
  /** What was heard too early is heard again, before those that wait. */
  again(presses: readonly KeyPress[]): void
  /** Who came last hears the keys, until the returned function is called. */
  listen(heard: (press: KeyPress) => void): () => void
  /** What `draw` asked for was drawn, or something else was: those that wait may go on. */
  drawn(): void
}

export interface KeyboardPorts {
  /** Whether what is on the screen is what keys are to act on. */
  isCurrent(): boolean
  /** Draws what a key has changed; `drawn` is called then. */
  draw(): void
}

/** Presses that wait at most; what comes beyond them is dropped. */
const most = 10_000

/** Where nobody listens, or what is on the screen is not current, presses wait. */
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
      if (waiting.length < most) waiting.push(press)
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
      if (waiting.length > 0) queueMicrotask(go) // what it changes is not part of this drawing
    },
  }
}
