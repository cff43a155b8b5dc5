// Tests the gate between programs inside sandboxes and exchanges of files with programs outside.
import { concat, EMPTY, NEVER, Observable, of, Subject, take, throwError } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { exchangeGate } from '../../../../lib/host/sandbox/session/exchange-gate.ts'
import type { ConfinedEnd } from '../../../../lib/streams/ports/sandbox.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('begins no exchange while a program runs, and any number without one', () => {
  const gate = exchangeGate()
  const end$ = new Subject<ConfinedEnd>()
  gate.program$(end$).subscribe()
  expect(gate.begin()).toBeUndefined()
  end$.complete()
  expect([gate.begin(), gate.begin()]).not.toContain(undefined)
})

it('lets programs wait until the last exchange has ended, and begins none meanwhile', () => {
  const gate = exchangeGate()
  const [one, other] = [gate.begin(), gate.begin()]
  const started: string[] = []
  const program$ = (name: string): Observable<never> => new Observable(() => void started.push(name))
  gate.program$(program$('a')).subscribe()
  const left = gate.program$(program$('b')).subscribe()
  one?.unsubscribe()
  one?.unsubscribe()
  expect([started, gate.begin()]).toEqual([[], undefined])
  left.unsubscribe()
  other?.unsubscribe()
  expect(started).toEqual(['a'])
})

it('counts an unsubscribed program until its processes have ended', () => {
  const gate = exchangeGate()
  gate.program$(NEVER).subscribe().unsubscribe()
  expect(gate.begin()).toBeUndefined()
  vi.advanceTimersByTime(2_999)
  expect(gate.begin()).toBeUndefined()
  vi.advanceTimersByTime(1)
  expect(gate.begin()).toBeDefined()
})

it('counts a program no longer after its end, also if the subscriber leaves with it', () => {
  const gate = exchangeGate()
  const end: ConfinedEnd = { type: 'end', exitCode: 0, signal: null, cutShort: false, leftBehind: [], survivors: [] }
  gate
    .program$(concat(of(end), NEVER))
    .pipe(take(1))
    .subscribe()
  expect(gate.begin()).toBeDefined()
})

it.each([
  ['ends', EMPTY],
  ['fails', throwError(() => new Error('no program'))],
])('counts a program that %s no longer', (_, end$) => {
  const gate = exchangeGate()
  gate.program$(end$).subscribe({ error: () => undefined })
  expect(gate.begin()).toBeDefined()
})
