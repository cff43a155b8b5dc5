// A key acts at once; the second of two also finds what the pair does, so nothing waits to see whether another key comes.
import type { ActionName } from './actions.ts'

/** Milliseconds in which the second key of a pair must come. */
export const pairWithinMs = 1_000

/** The key before this one. */
export interface KeyState {
  readonly last?: { readonly name: string; readonly at: number }
}

/**
 * @param at milliseconds of any clock that only goes forward
 * @returns `action` is undefined where the key does nothing; a pair that was found starts no further one
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
