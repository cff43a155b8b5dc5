// Tests `rxpi sessions undo` and `branch --restore-files`.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { rewindSession } from '../../../../app/commands/sessions/session-rewind.ts'
import type { FakeCommands } from '../../../support/fake-backend.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const session = 'abcdefghij23'
const head = 'bbbbbbbb'
const undo = { mode: 'sessions', action: 'undo', session, json: false, dryRun: false, force: false } as const
type Invocation = Parameters<typeof rewindSession>[0]

const changes = [
  { path: 'a', change: 'replace' },
  { path: 'b\u001b[2J', change: 'create' },
  { path: 'c', change: 'remove' },
]
const conflicts = [{ path: 'a', reason: 'it was changed, but not by the agent' }]
const stored = [{ path: 'd', reason: 'it is too large' }]

async function run(invocation: Invocation, plan: object, headEntryId: string | null = head) {
  const requests: object[] = []
  const commands = {
    getEntries: () => of({ entries: [], head: 1, headEntryId, more: false }),
    changeClosed: (command: { readonly dryRun?: boolean }) => {
      requests.push(command)
      return of(
        command.dryRun === true
          ? plan
          : { headEntryId: 'aaaaaaaa', paths: changes.map(({ path }) => path), kept: stored },
      )
    },
  } as unknown as FakeCommands
  const own = fakeWorld({ commands, terminals: ['stdout'] })
  const code = await firstValueFrom(rewindSession(invocation, own.world), { defaultValue: -1 }).catch(
    (error: unknown) => error,
  )
  return { code, requests, text: own.stdout.written }
}

it('makes the changes, prints them and how to get back [FIRST-results]', async () => {
  expect(await run(undo, { headEntryId: 'aaaaaaaa', changes, conflicts: [], kept: stored })).toEqual({
    code: 0,
    requests: [
      { type: 'undo', session, dryRun: true },
      { type: 'undo', session },
    ],
    text: `Undone: removed c, restored a, brought back b␛[2J
d stays: it is too large
Session ${session} continues from entry aaaaaaaa. To get back:
  rxpi sessions branch ${session} ${head} --restore-files
`,
  })
})

it('prints the changes of an undo with --dry-run, and makes none', async () => {
  const { text } = await run({ ...undo, dryRun: true }, { headEntryId: null, changes, conflicts: [], kept: stored })
  expect(text).toBe('This would change\n  restore a\n  recreate b␛[2J\n  remove c\n  stays: d: it is too large\n')
})

it('only prints the changes with --dry-run', async () => {
  const { code, requests, text } = await run(
    { ...undo, dryRun: true },
    { headEntryId: null, changes: [], conflicts: [], kept: [] },
  )
  expect([code, requests, text]).toEqual([0, [{ type: 'undo', session, dryRun: true }], 'This would change no files\n'])
})

it('changes nothing if the user edited a file, and names the file', async () => {
  const { code, requests, text } = await run(undo, { headEntryId: null, changes, conflicts, kept: [] })
  expect(code).toMatchObject({
    code: 'not_allowed',
    message: 'Not undone: you edited a since. --force throws your edit away.',
  })
  expect(requests).toHaveLength(1)
  expect(text).toContain('  ! a: it was changed, but not by the agent\n')
})

it('names edited files in the message with --json', async () => {
  const { code, text } = await run({ ...undo, json: true }, { headEntryId: null, changes, conflicts, kept: [] })
  expect(code).toMatchObject({ message: expect.stringMatching(/you edited a since.*--force/) as string })
  expect(text).toBe('')
})

it('overwrites edited files with --force, also when it goes to an entry', async () => {
  const invocation = { ...undo, action: 'branch', toEntry: 'aaaaaaaa', force: true } as const
  const { code, requests } = await run(invocation, {
    headEntryId: 'aaaaaaaa',
    changes,
    conflicts,
    kept: [],
  })
  const command = { type: 'branch_session', session, entryId: 'aaaaaaaa', restoreFiles: true }
  expect([code, requests]).toEqual([
    0,
    [
      { ...command, dryRun: true },
      { ...command, force: true },
    ],
  ])
})

it('prints one JSON document with --json', async () => {
  const plan = { headEntryId: 'aaaaaaaa', paths: ['a'], changes, conflicts, kept: [] }
  expect(JSON.parse((await run({ ...undo, json: true, dryRun: true }, plan)).text)).toEqual({ session, ...plan })
  const { text } = await run({ ...undo, json: true, force: true }, plan)
  expect(JSON.parse(text)).toEqual({
    session,
    headEntryId: 'aaaaaaaa',
    paths: changes.map(({ path }) => path),
    kept: stored,
    cameFrom: head,
  })
})

it('prints no way back from a session without entries', async () => {
  const { text } = await run(undo, { headEntryId: 'aaaaaaaa', changes: [], conflicts: [], kept: [] }, null)
  expect(text).toBe(
    `Undone: no file had changed\nd stays: it is too large\nSession ${session} continues from entry aaaaaaaa\n`,
  )
})
