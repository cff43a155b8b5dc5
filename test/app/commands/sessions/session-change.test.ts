// Tests `rxpi sessions branch`, `rename` and `label`.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { changeSession } from '../../../../app/commands/sessions/session-change.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'
import { fakeSession } from '../../../support/fake-session.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const session = 'abcdefghij23'
const entryId = 'abcdefg2'
const workspace = { mode: 'sessions', session, json: false } as const
type Invocation = Parameters<typeof changeSession>[0]

async function run(invocation: Invocation, answer: object = {}) {
  const requests: object[] = []
  const commands = {
    changeClosed: (command: object) => {
      requests.push(command)
      return of(answer)
    },
  } as unknown as FakeCommands
  const own = fakeWorld({ commands, terminals: ['stdout'] })
  const code = await firstValueFrom(changeSession(invocation, own.world), { defaultValue: -1 })
  return { code, requests, text: own.stdout.written }
}

it.each<[Invocation, object, string, object]>([
  [
    { ...workspace, action: 'branch', entryId, newFile: false, summarise: false },
    { type: 'branch_session', session, entryId },
    `The next prompt continues session ${session} from entry ${entryId}\n`,
    { headEntryId: entryId },
  ],
  [
    { ...workspace, action: 'branch', entryId, newFile: true, summarise: false },
    { type: 'branch_session', session, entryId, newFile: true },
    `A copy of the conversation up to entry ${entryId}, in a session of its own: bbbbbbbbbbbb. To continue it:\n  rxpi --session bbbbbbbbbbbb -p "…"\n`,
    { headEntryId: entryId, session: 'bbbbbbbbbbbb' },
  ],
  [
    { ...workspace, action: 'rename', title: 'New\u001b[2J' },
    { type: 'rename_session', session, title: 'New\u001b[2J' },
    `Session ${session} is called: New␛[2J\n`,
    {},
  ],
  [
    { ...workspace, action: 'rename', title: '' },
    { type: 'rename_session', session, title: '' },
    `Session ${session} has no title any more\n`,
    {},
  ],
  [
    { ...workspace, action: 'label', entryId, label: 'here' },
    { type: 'set_label', session, entryId, label: 'here' },
    `Entry ${entryId} is called: here\n`,
    {},
  ],
  [
    { ...workspace, action: 'label', entryId, label: null },
    { type: 'set_label', session, entryId, label: null },
    `Entry ${entryId} has no label any more\n`,
    {},
  ],
])('%j sends %j and prints the result', async (invocation, command, text, answer) => {
  expect(await run(invocation, answer)).toEqual({ code: 0, requests: [command], text })
})

it('prints one JSON document with --json', async () => {
  const { text } = await run(
    { ...workspace, json: true, action: 'branch', entryId, newFile: true, summarise: false },
    { headEntryId: entryId, session: 'bbbbbbbbbbbb' },
  )
  expect(JSON.parse(text)).toEqual({ session: 'bbbbbbbbbbbb', headEntryId: entryId })
})

it('opens the session before a summary, with the environment of the caller', async () => {
  const own = fakeWorld()
  own.host.sessionsById.set(session, fakeSession({ id: session, answer: () => of({ headEntryId: 'bbbbbbbb' }) }))
  const invocation = { ...workspace, action: 'branch', entryId, newFile: false, summarise: true } as const
  expect(await firstValueFrom(changeSession(invocation, own.world), { defaultValue: -1 })).toBe(0)
  expect(own.host.requests).toEqual([{ open: { session, cwd: '/', env: { HOME: '/home/me' } } }])
  expect(own.host.sessionsById.get(session)?.sent).toEqual([
    { command: { type: 'branch_session', entryId, summarise: true } },
  ])
  expect(own.stdout.written).toContain('with a summary of the branch that was left')
})

it('mentions no summary if no branch was left', async () => {
  const own = fakeWorld()
  own.host.sessionsById.set(session, fakeSession({ id: session, answer: () => of({ headEntryId: entryId }) }))
  const invocation = { ...workspace, action: 'branch', entryId, newFile: false, summarise: true } as const
  await firstValueFrom(changeSession(invocation, own.world), { defaultValue: -1 })
  expect(own.stdout.written).not.toContain('summary')
})
