// React hooks that ignore keys pressed before the user can have seen the question (security.md#S20).
import { useEffect, useLayoutEffect, useRef } from 'react'
import { Subject, skipUntil, timer } from 'rxjs'
import type { ActionName } from './actions.ts'
import type { KeyPress } from './key-press.ts'
import { useListKeys } from './use-keys.ts'
import type { MonoTypeOperatorFunction } from 'rxjs'

/** Milliseconds that a question is on the screen before a key can answer it. */
export const settleMs = 300

type KeyListener = (action: ActionName | undefined, press: KeyPress) => void

/** Like `useListKeys`, from `after` milliseconds after mounting; default 300. */
export function useSettledKeys(listener: KeyListener, isActive: boolean, after = settleMs): void {
  const latest = useRef(listener)
  const presses = useRef<Subject<Parameters<KeyListener>>>(null)
  useLayoutEffect(() => {
    latest.current = listener
  })
  useLayoutEffect(() => {
    const presses$ = new Subject<Parameters<KeyListener>>()
    presses.current = presses$
    const subscription = (after === 0 ? presses$ : presses$.pipe(ignoreFirst(after))).subscribe((press) => {
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
 * Drops values of the first milliseconds after subscribing, passes all others. Ends and fails with its source; buffers
 * nothing.
 */
export function ignoreFirst<Value>(milliseconds: number): MonoTypeOperatorFunction<Value> {
  return (source$) => source$.pipe(skipUntil(timer(milliseconds)))
}
