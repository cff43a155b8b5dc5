// The frame below the conversation is drawn for what it shows: a delta changes nothing of it.
import type { View } from './view.ts'

/** True where the views differ in nothing but their conversations. */
export function sameFrame(one: View, other: View): boolean {
  const [before, after] = [new Map(shown(one)), shown(other)]
  return before.size === after.length && after.every(([key, value]) => before.get(key) === value)
}

function shown({ live: _, writing: __, finished: ___, finishedCount: ____, generation: _____, ...frame }: View) {
  return Object.entries<unknown>(frame)
}
