// React hook that ignores keys pressed before the user can have seen the question.
import { useLayoutEffect, useRef } from 'react'
import { Subject, skipUntil, timer } from 'rxjs'
import type { ActionName } from './actions.ts'
import type { KeyPress } from './key-press.ts'
import { useListKeys } from './use-keys.ts'
import type { MonoTypeOperatorFunction } from 'rxjs'

/** Milliseconds (docs/design/security.md#S20). */
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

// Keys meant for the previous screen do not answer a question (docs/design/security.md#S20).

/**
 * Drops values of the first milliseconds after subscribing, passes all others. Ends and fails with its source; buffers
 * nothing.
 */
export function ignoreFirst<Value>(milliseconds: number): MonoTypeOperatorFunction<Value> {
  return (source$) => source$.pipe(skipUntil(timer(milliseconds)))
}
