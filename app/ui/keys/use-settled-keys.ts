// The keys of a list, but for those that were pressed before people can have seen what they answer.
import { useLayoutEffect, useRef } from 'react'
import { Subject, skipUntil, timer } from 'rxjs'
import type { ActionName } from './actions.ts'
import type { KeyPress } from './key-press.ts'
import { useListKeys } from './use-keys.ts'
import type { MonoTypeOperatorFunction } from 'rxjs'

/** Milliseconds (docs/design/security.md#S20). */
export const settleMs = 300

type Heard = (action: ActionName | undefined, press: KeyPress) => void

/** As `useListKeys`, from so many milliseconds after the component is there; default 300. */
export function useSettledKeys(heard: Heard, isActive: boolean, after = settleMs): void {
  const latest = useRef(heard)
  const presses = useRef<Subject<Parameters<Heard>>>(null)
  useLayoutEffect(() => {
    latest.current = heard
  })
  useLayoutEffect(() => {
    const presses$ = new Subject<Parameters<Heard>>()
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

// Keys that were meant for what was on the screen a moment ago are not taken for an answer (docs/design/security.md#S20).

/**
 * Drops what comes in the first milliseconds after it was subscribed to, and passes everything later on. Ends and fails with its
 * source; buffers nothing.
 */
export function ignoreFirst<Value>(milliseconds: number): MonoTypeOperatorFunction<Value> {
  return (source$) => source$.pipe(skipUntil(timer(milliseconds)))
}
