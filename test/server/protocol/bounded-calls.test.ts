// Tests `sessionCalls`: it counts the open commands of each session and keeps nothing after them.
import { NEVER, Subject, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { sessionCalls } from '../../../lib/server/protocol/bounded-calls.ts'

describe('sessionCalls', () => {
  it('stores nothing of a session whose commands were answered, refused or unsubscribed', () => {
    const calls = sessionCalls(1)
    for (let index = 0; index < 1_000; index++) calls.bound(`session${index}`, of(1)).subscribe()
    expect(calls.sessions).toBe(0)
    const waiting = calls.bound('a', NEVER).subscribe()
    let refused: unknown
    calls.bound('a', of(1)).subscribe({ error: (error: unknown) => (refused = error) })
    expect(refused).toMatchObject({ code: 'overloaded' })
    expect([calls.sessions, calls.hasCalls('a'), calls.hasCalls('b')]).toEqual([1, true, false])
    waiting.unsubscribe()
    expect(calls.sessions).toBe(0)
  })

  it('counts each session separately', () => {
    const calls = sessionCalls(1)
    const answer$ = new Subject<number>()
    const counts: number[] = []
    for (const session of ['a', 'b']) calls.bound(session, answer$).subscribe((value) => counts.push(value))
    answer$.next(1)
    answer$.complete()
    expect([counts, calls.sessions]).toEqual([[1, 1], 0])
  })
})
