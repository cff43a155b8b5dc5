// Tests which session an action without an id uses.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import type { SessionsInvocation } from '../../../../app/cli/invocation.ts'
import { resolveSession } from '../../../../app/commands/sessions/resolve-session.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const [own, latest] = ['abcdefghij22', 'abcdefghij23']

function named(invocation: object, ids: readonly string[] = [own, latest]) {
  const sessions = ids.map((id) => ({ id, file: '/f', updatedAt: 0, isLatest: id === latest }))
  const list = { sessions, total: ids.length, more: false, problems: [] }
  const commands = { listSessions: () => of(list) } as unknown as FakeCommands
  const { world } = fakeWorld({ commands })
  return firstValueFrom(resolveSession({ mode: 'sessions', json: false, ...invocation } as SessionsInvocation, world), {
    defaultValue: undefined,
  })
}

const undo = { action: 'undo', dryRun: true, force: false }

it.each([
  ['tree', { action: 'tree', target: { session: '' } }, { target: { session: latest } }],
  ['show', { action: 'show', target: { session: '' }, entryId: 'abcdefg2' }, { target: { session: latest }, entryId: 'abcdefg2' }], // prettier-ignore
  ['undo', { ...undo, session: '' }, { ...undo, session: latest }],
])('%s without an id uses the session that rxpi -c continues', async (_, options, taken) => {
  expect(await named(options)).toMatchObject(taken)
})

it.each([
  [{ action: 'tree', target: { session: own } }],
  [{ action: 'show', target: { file: '/a' } }],
  [{ ...undo, session: own }],
  [{ action: 'verify', target: { session: own } }],
])('leaves an invocation with an id unchanged: %j', async (options) => {
  expect(await named(options)).toMatchObject(options)
})

it('fails with advice if the folder has no session', async () => {
  await expect(named({ ...undo, session: '' }, [])).rejects.toMatchObject({
    code: 'unknown_session',
    message: expect.stringContaining('rxpi sessions list --all') as string,
  })
})
