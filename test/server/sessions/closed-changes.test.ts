// Tests commands that change a closed session: the backend runs them, one after the other.
import { Subject, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { expect, it } from 'vitest'
import { createServer } from '../../../lib/server/create-server.ts'
import type { FakeCommands } from '../../support/fake-backend.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import { lineClient } from '../../support/line-client.ts'

const session = 'aaaaaaaaaaaa'
const rename = { type: 'rename_session', session, title: 'Named' }

function setup(changeClosed: () => Observable<object>) {
  const calls: object[] = []
  const commands = {
    changeClosed: (command: object, options?: object) => {
      calls.push({ ...command, ...options })
      return changeClosed()
    },
  } as unknown as FakeCommands
  const host = fakeBackend({ commands })
  host.sessionsById.set(session, fakeSession({ id: session }))
  return { host, calls, client: lineClient(createServer({ host, version: '1' })) }
}
type Client = ReturnType<typeof setup>['client']
const answers = (client: Client, ...ids: string[]) =>
  ids.map((id) => client.answers(id).map(({ result, error }) => result ?? (error as { code: string }).code))

it('the backend changes a session that is not open, with the opId', () => {
  const { client, calls } = setup(() => of({}))
  client.ask('1', { ...rename, opId: 'op' })
  expect([answers(client, '1'), calls]).toEqual([[[{}]], [{ ...rename, opId: 'op' }]])
})

it('an open session changes itself, except for a branch in a new file', () => {
  const { client, host, calls } = setup(() => of({ headEntryId: null }))
  client.ask('1', { type: 'open_session', session, cwd: '/' })
  client.ask('2', rename)
  client.ask('3', { type: 'branch_session', session, entryId: 'abcdefg2' })
  client.ask('4', { type: 'branch_session', session, entryId: 'abcdefg2', newFile: true })
  expect(host.sessionsById.get(session)?.sent.map(({ command }) => command.type)).toEqual([
    'rename_session',
    'branch_session',
  ])
  expect(calls).toMatchObject([{ type: 'branch_session', newFile: true }])
})

it('changes run one after the other, and opening waits for them', () => {
  const ends = [new Subject<never>(), new Subject<never>()]
  const { client, calls, host } = setup(
    () => ends[calls.length - 1] ?? throwError(() => new Failure('internal', 'third')),
  )
  client.ask('1', rename)
  client.ask('2', rename)
  client.ask('3', { type: 'open_session', session, cwd: '/' })
  expect([calls.length, host.requests]).toEqual([1, []])
  ends[0]?.error(new Failure('session_locked', 'held'))
  expect([calls.length, host.requests]).toEqual([2, []])
  ends[1]?.complete()
  expect(host.requests).toHaveLength(1)
  expect(answers(client, '1', '3')).toMatchObject([['session_locked'], [{ session }]])
})

it('other commands need the session to be open', () => {
  const { client, calls } = setup(() => of({}))
  client.ask('1', { type: 'prompt', session, text: 'Hi' })
  expect([answers(client, '1'), calls]).toEqual([[['unknown_session']], []])
})
