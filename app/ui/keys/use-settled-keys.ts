// React hooks that ignore keys pressed before the user can have seen the question (security.md#S20).
import { useEffect, useLayoutEffect, useRef } from 'react'
import { Subject, connect, skipUntil, startWith, switchMap, timer } from 'rxjs'
import type { ActionName } from './actions.ts'
import type { KeyPress } from './key-press.ts'
import { useListKeys } from './use-keys.ts'
import type { MonoTypeOperatorFunction } from 'rxjs'

/** Milliseconds without a key that must pass on a new question before a key can answer it. */
export const settleMs = 300

type KeyListener = (action: ActionName | undefined, press: KeyPress) => void

/** Like `useListKeys`, once no key has come for `after` milliseconds after mounting; default 300. */
export function useSettledKeys(listener: KeyListener, isActive: boolean, after = settleMs): void {
  const latest = useRef(listener)
  const presses = useRef<Subject<Parameters<KeyListener>>>(null)
  useLayoutEffect(() => {
    latest.current = listener
  })
  useLayoutEffect(() => {
    const presses$ = new Subject<Parameters<KeyListener>>()
    presses.current = presses$
    const subscription = (after === 0 ? presses$ : presses$.pipe(ignoreTypedOn(after))).subscribe((press) => {
      latest.current(...press)
    })
    return () => {
      subscription.unsubscribe()
    }
  }, [after])
  useListKeys((...press) => presses.current?.next(press), isActive)
}

/** The returned function is true once the same value, other than undefined, has been shown for `settleMs`. */
export function useSettled(shown: unknown): () => boolean {
  const since = useRef<number>(undefined)
  useEffect(() => {
    since.current = shown === undefined ? undefined : performance.now()
  }, [shown])
  return () => since.current !== undefined && performance.now() - since.current >= settleMs
}

/**
 * Drops values until `milliseconds` have passed without one, counted from subscribing: the rest of a word that is being
 * typed answers nothing. Passes all later values. Ends and fails with its source; buffers nothing.
 */
export function ignoreTypedOn<Value>(milliseconds: number): MonoTypeOperatorFunction<Value> {
  // not `debounceTime`: it follows a clock that is set back (docs/decisions/0732)
  return connect((shared$) => {
    const pause$ = shared$.pipe(
      startWith(undefined),
      switchMap(() => timer(milliseconds)),
    )
    return shared$.pipe(skipUntil(pause$))
  })
}
