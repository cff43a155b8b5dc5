// Tests `createOnce`: repeated creations with one opId make one session.
import { EMPTY, Subject, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createOnce } from '../../../lib/server/sessions/idempotent-create.ts'
import type { NewSession } from '../../../lib/server/sessions/idempotent-create.ts'
import { servedSession } from '../../../lib/server/feed/served-session.ts'
import type { ServedSession } from '../../../lib/server/feed/served-session.ts'
import { fakeSession } from '../../support/fake-session.ts'

const command: NewSession = { cwd: '/here' }

function aServed(id: string): ServedSession {
  return servedSession({ session: fakeSession({ id }), notices: [] }, { channel: 1 })
}

function scene({ limit = 1_000, madeBefore$ = EMPTY }: { limit?: number; madeBefore$?: Observable<string> } = {}) {
  const calls: string[] = []
  const begun: Subject<ServedSession>[] = []
  const make$ = (): Observable<ServedSession> => {
    const served$ = new Subject<ServedSession>()
    begun.push(served$)
    return served$
  }
  const again$ = (session: string): Observable<ServedSession> => {
    calls.push(session)
    return of(aServed(session))
  }
  const once$ = createOnce({ backend: { findCreated: () => madeBefore$ }, create: make$, reopen: again$, limit })
  return { once$, calls, begun }
}

describe('createOnce', () => {
  it('creates one session for concurrent commands, and reopens it for later ones: it may be evicted', () => {
    const { once$, calls, begun } = scene()
    const ids: string[] = []
    for (let turn = 0; turn < 2; turn++) once$(command, 'once').subscribe(({ session }) => ids.push(session.id))
    expect([begun.length, ids]).toEqual([1, []])
    begun[0]?.next(aServed('aaaaaaaaaaaa'))
    once$(command, 'once').subscribe(({ session }) => ids.push(session.id))
    expect([ids, calls]).toEqual([['aaaaaaaaaaaa', 'aaaaaaaaaaaa', 'aaaaaaaaaaaa'], ['aaaaaaaaaaaa']])
  })

  it('forgets the oldest opIds, but none whose session is being created', () => {
    const { once$, calls, begun } = scene({ limit: 2 })
    once$(command, 'slow').subscribe()
    for (const opId of ['a', 'b', 'c']) {
      once$(command, opId).subscribe()
      begun.at(-1)?.next(aServed(opId.repeat(12)))
    }
    for (const opId of ['slow', 'c']) once$(command, opId).subscribe()
    expect([begun.length, calls]).toEqual([4, ['cccccccccccc']])
    once$(command, 'a').subscribe()
    expect(begun).toHaveLength(5)
  })

  it('finds the session that an earlier server created, and creates none', () => {
    const { once$, calls, begun } = scene({ madeBefore$: of('bbbbbbbbbbbb') })
    const ids: string[] = []
    once$(command, 'once').subscribe(({ session }) => ids.push(session.id))
    expect([begun.length, calls, ids]).toEqual([0, ['bbbbbbbbbbbb'], ['bbbbbbbbbbbb']])
  })

  it('tries again after a creation that failed', () => {
    const { once$, begun } = scene()
    const failures: unknown[] = []
    once$(command, 'once').subscribe({ error: (error: unknown) => failures.push(error) })
    const noDisk = new Error('no disk')
    begun[0]?.error(noDisk)
    once$(command, 'once').subscribe()
    expect([failures, begun.length]).toEqual([[noDisk], 2])
  })

  it('refuses an opId that was used for another command', () => {
    const { once$, begun } = scene()
    const failures: unknown[] = []
    once$(command, 'once').subscribe()
    once$({ cwd: '/there' }, 'once').subscribe({ error: (error: unknown) => failures.push(error) })
    const message = 'opId "once" was already used for another new_session; use a new one'
    expect([failures, begun.length]).toEqual([[expect.objectContaining({ code: 'bad_request', message })], 1])
  })
})
