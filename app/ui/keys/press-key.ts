// Finds the action of a key at once; a second key within a second may complete a pair.
import type { ActionName } from './actions.ts'

/** Milliseconds between the keys of a pair. */
export const pairWithinMs = 1_000

/** The previous key. */
export interface KeyState {
  readonly last?: { readonly name: string; readonly at: number }
}

/**
 * @param at milliseconds of a monotonic clock
 * @returns `action` is undefined if the key has none; a completed pair starts no further one
 */
export function pressKey(
  { last }: KeyState,
  name: string,
  at: number,
  keys: ReadonlyMap<string, ActionName>,
): { readonly state: KeyState; readonly action: ActionName | undefined } {
  if (last !== undefined && at - last.at <= pairWithinMs) {
    const pair = keys.get(`${last.name} ${name}`)
    if (pair !== undefined) return { state: {}, action: pair }
  }
  return { state: { last: { name, at } }, action: keys.get(name) }
}
