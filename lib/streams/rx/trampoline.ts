// Runs steps in a flat loop: a call from within a step adds no stack frame.

/**
 * Returns `drain`, which calls `step` until it returns false. A `drain` from within a step returns at once, and the
 * loop that is running calls `step` again. Every operator that can be re-entered uses it (docs/design/rxjs.md#8).
 */
export function trampoline(step: () => boolean): () => void {
  let isDraining = false
  return () => {
    if (isDraining) return
    isDraining = true
    try {
      while (step());
    } finally {
      isDraining = false
    }
  }
}
