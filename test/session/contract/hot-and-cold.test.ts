// Tests the rule of docs/compose.md: an Observable does nothing before a subscription, but for the response of `send`.
import { defer } from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { connect } from '../../../lib/server/client/client.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { valuesOf } from '../../support/values-of.ts'

function newSession(): { readonly session: Session; readonly effects: () => number } {
  const provider = scripted(() => 'Hello')
  const session = createSession({ model: { model: scriptedModel, provider }, cwd: '/', env: {} })
  let effects = 0
  session.events$.subscribe({ next: () => effects++, complete: () => effects++ })
  return { session, effects: () => effects }
}

const cold: Readonly<Record<string, (session: Session) => Observable<unknown>>> = {
  run: (session) => session.run('Hi'),
  ask: (session) => session.ask({ kind: 'confirm', text: 'Now?' }),
  close: (session) => session.close(),
  'a deferred send': (session) => defer(() => session.send({ type: 'rename_session', title: 'New' })),
}

it.each(Object.entries(cold))('%s does nothing before its subscription', async (_, call) => {
  const { session, effects } = newSession()
  const result$ = call(session)
  expect(effects()).toBe(0)
  await valuesOf(result$)
  expect(effects()).toBeGreaterThan(0)
})

it('send acts in the call, and its response is replayed to every subscriber', async () => {
  const { session, effects } = newSession()
  const response$ = session.send({ type: 'rename_session', title: 'New' })
  expect(effects()).toBe(1)
  expect([await valuesOf(response$), await valuesOf(response$)]).toEqual([[{}], [{}]])
  expect(effects()).toBe(1)
})

it('close closes once, and every subscriber waits for the same end', async () => {
  const { session, effects } = newSession()
  await Promise.all([valuesOf(session.close()), valuesOf(session.close())])
  await valuesOf(session.close())
  expect(effects()).toBe(1)
})

it('request of a client sends one line for each subscription', () => {
  const [clientEnd, serverEnd] = linkedPair()
  const client = connect(clientEnd)
  let lines = 0
  serverEnd.lines$.subscribe(() => lines++)
  const request$ = client.request({ type: 'ping' })
  const counts = [lines]
  for (let subscription = 1; subscription <= 2; subscription++) {
    request$.subscribe({ error: () => undefined }) // no server answers it
    counts.push(lines)
  }
  client.close()
  expect(counts).toEqual([0, 1, 2])
})
