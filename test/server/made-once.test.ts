import { EMPTY, Subject, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { madeOnce } from '../../lib/server/made-once.ts'
import type { NewSession } from '../../lib/server/made-once.ts'
import { servedSession } from '../../lib/server/served-session.ts'
import type { ServedSession } from '../../lib/server/served-session.ts'
import { fakeSession } from '../support/fake-session.ts'

const asked: NewSession = { cwd: '/here' }

function aServed(id: string): ServedSession {
  return servedSession({ session: fakeSession({ id }), notices: [] }, { channel: 1 })
}

function scene(limit = 1_000) {
  const told: string[] = []
  const begun: Subject<ServedSession>[] = []
  const make$ = (): Observable<ServedSession> => {
    const served$ = new Subject<ServedSession>()
    begun.push(served$)
    return served$
  }
  const again$ = (session: string): Observable<ServedSession> => {
    told.push(session)
    return of(aServed(session))
  }
  const once$ = madeOnce({ host: { madeBefore: () => EMPTY }, make: make$, again: again$, limit })
  return { once$, told, begun }
}

describe('madeOnce', () => {
  it('makes one session for who asks meanwhile, and finds it anew for who asks later: it may be at rest', () => {
    const { once$, told, begun } = scene()
    const ids: string[] = []
    for (let turn = 0; turn < 2; turn++) once$(asked, 'once').subscribe(({ session }) => ids.push(session.id))
    expect([begun.length, ids]).toEqual([1, []])
    begun[0]?.next(aServed('aaaaaaaaaaaa'))
    once$(asked, 'once').subscribe(({ session }) => ids.push(session.id))
    expect([ids, told]).toEqual([['aaaaaaaaaaaa', 'aaaaaaaaaaaa', 'aaaaaaaaaaaa'], ['aaaaaaaaaaaa']])
  })

  it('forgets the oldest of what was made, and nothing that is being made', () => {
    const { once$, told, begun } = scene(2)
    once$(asked, 'slow').subscribe()
    for (const opId of ['a', 'b', 'c']) {
      once$(asked, opId).subscribe()
      begun.at(-1)?.next(aServed(opId.repeat(12)))
    }
    for (const opId of ['slow', 'c']) once$(asked, opId).subscribe()
    expect([begun.length, told]).toEqual([4, ['cccccccccccc']])
    once$(asked, 'a').subscribe()
    expect(begun).toHaveLength(5)
  })
})
