// Tests that a server calls the hooks of the session that a client leaves, before it opens another one.
import { EMPTY, NEVER, Subject, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { LeaveStep } from '../../../lib/streams/ports/hooks.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import { lineClient } from '../../support/line-client.ts'

const here = 'aaaaaaaaaaaa'
const there = 'cccccccccccc'

/** A client in the session `here`, whose hooks answer with `check`. */
function setup(check$: (step: LeaveStep) => Observable<never>) {
  const steps: LeaveStep[] = []
  const checkLeave$ = (step: LeaveStep): Observable<never> => {
    steps.push(step)
    return check$(step)
  }
  const host = fakeBackend()
  host.sessionsById.set(here, { ...fakeSession({ id: here, cwd: '/here' }), checkLeave: checkLeave$ })
  host.sessionsById.set(there, fakeSession({ id: there, cwd: '/here' }))
  const server = createServer({ host, version: '1' })
  const client = lineClient(server)
  client.ask('open', { type: 'open_session', session: here, cwd: '/here' })
  return { host, client, steps, other: lineClient(server) }
}

const refused$ = (): Observable<never> => throwError(() => new Failure('not_allowed', 'A hook refused it: stay'))
const newSession = { type: 'new_session', cwd: '/here', leaving: here }
const openThere = { type: 'open_session', session: there, cwd: '/here', leaving: here }
const openLatest = { type: 'open_session', cwd: '/here', leaving: here }
const copy = { type: 'branch_session', session: here, entryId: null, newFile: true }

describe('a step that leaves an open session', () => {
  it.each([
    [newSession, { type: 'switch', to: 'new' }],
    [openThere, { type: 'switch', to: 'open', session: there }],
    [openLatest, { type: 'switch', to: 'open', session: there }],
    [copy, { type: 'branch', entryId: null, copy: true, summarise: false, restoreFiles: false }],
  ])('is refused by a hook: %o', (command, step) => {
    const { host, client, steps } = setup(refused$)
    client.ask('1', command)
    expect(client.answers('1')).toMatchObject([{ error: { code: 'not_allowed', message: 'A hook refused it: stay' } }])
    expect(steps).toEqual([step])
    expect(host.requests).toHaveLength(1)
  })

  it('waits for the hook, and then does what it would have done', () => {
    const answer$ = new Subject<never>()
    const { host, client } = setup(() => answer$)
    client.ask('1', openThere)
    expect(client.answers('1')).toEqual([])
    answer$.complete()
    expect(client.answers('1')).toMatchObject([{ result: { session: there } }])
    expect(host.requests.at(-1)).toEqual({ open: { session: there, cwd: '/here' } })
  })

  it('creates one session for a repeated opId, and calls the hook once', () => {
    const { client, steps } = setup(() => EMPTY)
    client.ask('1', { ...newSession, opId: 'once' })
    client.ask('2', { ...newSession, opId: 'once' })
    const [first, second] = [client.answers('1'), client.answers('2')]
    expect(first[0]?.['result']).toEqual(second[0]?.['result'])
    expect(steps).toHaveLength(1)
  })

  it('ends with the client that waits for it', () => {
    let isOn = false
    const { host, client } = setup(() => {
      isOn = true
      return NEVER
    })
    client.ask('1', openThere)
    client.close()
    expect(isOn).toBe(true)
    expect(host.requests).toHaveLength(1)
  })

  it.each([
    ['that stays', { type: 'open_session', session: here, cwd: '/here', leaving: here }],
    ['of a client that names none', { type: 'open_session', session: there, cwd: '/here' }],
    ['that is not open', { ...openThere, leaving: 'dddddddddddd' }],
  ])('calls no hook for a session %s', (_name, command) => {
    const { client, steps } = setup(refused$)
    client.ask('1', command)
    expect(client.answers('1')).toMatchObject([{ result: { session: command.session } }])
    expect(steps).toEqual([])
  })
})
