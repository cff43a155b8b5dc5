// Tests rewinding the conversation and the files together, on real folders.
// Over 250 lines: one story on real folders: it writes files in several runs and then undoes them.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Type } from '@sinclair/typebox'
import { defer, filter, from, map, of, take } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scriptedModel, scripted } from '../../../lib/providers/offline/scripted.ts'
import type { ClosedChange } from '../../../lib/services/contract/server-backend.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { fileSnapshots, fileStore } from '../../../lib/store/index.ts'
import type { CommandNamed } from '../../../lib/streams/commands/command.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import type { Snapshots } from '../../../lib/streams/ports/snapshots.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { Tool } from '../../../lib/streams/ports/tool.ts'
import { valuesOf } from '../../support/values-of.ts'

let top: string
let cwd: string
let home: string
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-rewind-'))
  cwd = path.join(top, 'folder')
  home = path.join(top, 'home')
  mkdirSync(cwd)
})
afterEach(() => rmSync(top, { recursive: true }))

const put = (name: string, content: string): void => writeFileSync(path.join(cwd, name), content)
const got = (name: string): string | undefined =>
  existsSync(path.join(cwd, name)) ? readFileSync(path.join(cwd, name), 'utf8') : undefined

const PutParameters = Type.Object({ name: Type.String(), content: Type.String() })
const putTool: Tool<typeof PutParameters> = {
  name: 'put',
  description: 'Writes a file',
  parameters: PutParameters,
  execute: ({ name, content }) =>
    defer(() => {
      put(name, content)
      return of(textResult('done'))
    }),
}
const call = (name: string, content: string) => ({ toolCalls: [{ name: 'put', arguments: { name, content } }] })

type Script = Parameters<typeof scripted>[0]
const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }
const ownSnapshots = (): Snapshots => {
  const snapshots = fileSnapshots({ home, env })
  return { ...snapshots, take: (options) => snapshots.take({ ...options, limitMs: 30_000 }) } // for a loaded machine
}

function create(script: Script, more: CreateSessionOptions = {}): Session {
  return createSession({
    model: { model: scriptedModel, provider: scripted(script) },
    cwd,
    env: {},
    tools: [putTool],
    approve: 'auto',
    snapshots: ownSnapshots(),
    ...more,
  })
}

/** Runs a command of the user until an event of this type. */
async function command(session: Session, until: 'job_end' | 'message_end'): Promise<void> {
  const ended$ = session.events$.pipe(
    filter(({ type }) => type === until),
    take(1),
  )
  const ended = valuesOf(ended$)
  await valuesOf(session.send({ type: 'user_bash', command: 'true' }))
  await ended
}

async function run(session: Session, text: string): Promise<string | null> {
  const settled = valuesOf(
    session.events$.pipe(
      filter(({ type }) => type === 'agent_settled'),
      take(1),
    ),
  )
  await valuesOf(session.send({ type: 'prompt', text }))
  await settled
  return session.state$.value.headEntryId
}

const answer = async <Result>(result: Promise<Result[]>): Promise<Result | undefined> => (await result)[0]
const undo = (session: Session, more: { dryRun?: boolean; force?: boolean } = {}) =>
  answer(valuesOf(session.send({ type: 'undo', ...more })))
const branch = (session: Session, entryId: string | null, more: { dryRun?: boolean; force?: boolean } = {}) =>
  answer(valuesOf(session.send({ type: 'branch_session', entryId, restoreFiles: true, ...more })))
const close = (session: Session) => valuesOf(session.close())
const logged = (session: Session): AgentEvent[] => [...session.logged()].map(({ event }) => event)

describe('undo', () => {
  it('restores conversation and files from before the last run’s prompt [EVENT-files, COMMAND-undo]', async () => {
    put('a', 'old')
    const session = create(['Hello', call('a', 'new'), call('b', 'new'), 'Done'])
    const before = await run(session, 'Hi')
    await run(session, 'Go')
    expect([got('a'), got('b')]).toEqual(['new', 'new'])
    expect(await undo(session)).toEqual({ headEntryId: before, paths: ['b', 'a'], kept: [] })
    expect([got('a'), got('b')]).toEqual(['old', undefined])
    expect(transcript(session.state$.value)).toHaveLength(2)
    const types = logged(session).slice(-4)
    expect(types).toMatchObject([
      { type: 'snapshot_taken', moment: 'before' },
      { type: 'snapshot_taken', moment: 'after' },
      { type: 'files_restored', toEntryId: before, paths: ['b', 'a'] },
      { type: 'head_moved', entryId: before },
    ])
    await close(session)
  })

  it('lists the changes in a dry run, and changes nothing [COMMAND-undo]', async () => {
    put('a', 'old')
    const session = create([call('a', 'new'), 'Done'])
    const head = await run(session, 'Go')
    expect(await undo(session, { dryRun: true })).toEqual({
      headEntryId: null,
      paths: ['a'],
      changes: [{ path: 'a', change: 'replace' }],
      conflicts: [],
      kept: [],
    })
    expect(got('a')).toBe('new')
    expect(session.state$.value.headEntryId).toBe(head)
    await close(session)
  })

  it('goes back run by run, and branch_session to the former head reverts it', async () => {
    put('a', '0')
    const session = create([call('a', '1'), 'One', call('a', '2'), 'Two'])
    const first = await run(session, 'one')
    const second = await run(session, 'two')
    expect(await undo(session)).toMatchObject({ headEntryId: first })
    expect(got('a')).toBe('1')
    expect(await undo(session)).toMatchObject({ headEntryId: null })
    expect(got('a')).toBe('0')
    await expect(undo(session)).rejects.toMatchObject({ code: 'bad_request' })
    expect(await branch(session, second)).toMatchObject({ paths: ['a'] })
    expect(got('a')).toBe('2')
    expect(await branch(session, first)).toMatchObject({ paths: ['a'] })
    expect(got('a')).toBe('1')
    await close(session)
  })

  it('refuses to overwrite the user’s own edits without force [COMMAND-undo]', async () => {
    put('a', 'old')
    const session = create([call('a', 'new'), 'Done'])
    const head = await run(session, 'Go')
    put('a', 'mine')
    put('b', 'mine')
    await expect(undo(session)).rejects.toMatchObject({ code: 'not_allowed', data: { conflicts: [{ path: 'a' }] } })
    expect(got('a')).toBe('mine')
    expect(session.state$.value.headEntryId).toBe(head)
    expect(await undo(session, { force: true })).toMatchObject({ paths: ['a'] })
    expect([got('a'), got('b')]).toEqual(['old', 'mine'])
    expect(await branch(session, head, { force: true })).toMatchObject({ paths: ['a'] })
    expect(got('a')).toBe('mine')
    await close(session)
  })

  it('takes back a whole run during which a command of the user ended', async () => {
    const besideCommand: typeof putTool = {
      ...putTool,
      execute: ({ name, content }) =>
        from(name === 'a' ? command(session, 'job_end') : [undefined]).pipe(
          map(() => {
            put(name, content)
            return textResult('done')
          }),
        ),
    }
    const script = [call('a', 'new'), call('b', 'new'), call('c', 'new'), 'Done']
    const session: Session = create(script, { tools: [besideCommand], env })
    await run(session, 'Go')
    expect(transcript(session.state$.value).map(({ role }) => role)[3]).toBe('bashExecution')
    expect(await undo(session)).toMatchObject({ headEntryId: null })
    expect([got('a'), got('b'), got('c')]).toEqual([undefined, undefined, undefined])
    await close(session)
  })

  it('takes back the run before a command of the user, with the command', async () => {
    const session = create([call('a', 'new'), 'Done'], { env })
    await run(session, 'Go')
    await command(session, 'message_end')
    expect(await undo(session)).toMatchObject({ headEntryId: null, paths: ['a'] })
    expect(got('a')).toBeUndefined()
    await close(session)
  })

  it('moves only the conversation if the run changed nothing', async () => {
    const session = create(['Hello'])
    await run(session, 'Hi')
    expect(await undo(session)).toEqual({ headEntryId: null, paths: [], kept: [] })
    await close(session)
  })

  it('fails if no snapshot has the files', async () => {
    const session = create([call('a', 'new'), 'Done'], { snapshots: false })
    await run(session, 'Go')
    await expect(undo(session)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(/files at that entry are unknown/) as string,
    })
    await close(session)
  })

  it('is refused during a run, and a prompt during an undo', async () => {
    put('a', 'old')
    const session = create([call('a', 'new'), 'Done', 'Hello'])
    const running = run(session, 'Go')
    await expect(undo(session)).rejects.toMatchObject({ code: 'busy' })
    await running
    const undone = undo(session)
    await expect(valuesOf(session.send({ type: 'prompt', text: 'Hi' }))).rejects.toMatchObject({ code: 'busy' })
    await undone
    await run(session, 'Hi')
    await close(session)
  })

  it('ends before the session is closed', async () => {
    put('a', 'old')
    const session = create([call('a', 'new'), 'Done'], { store: fileStore({ home }) })
    await run(session, 'Go')
    const undone = undo(session)
    await close(session)
    expect(await undone).toMatchObject({ paths: ['a'] })
    expect(got('a')).toBe('old')
  })

  it('works after the session is opened again, and acts once for its opId', async () => {
    put('a', 'old')
    const store = fileStore({ home })
    const session = create([call('a', 'new'), 'Done'], { store })
    await run(session, 'Go')
    await close(session)
    const again = create([], { store, sessionId: session.id })
    const first = await answer(valuesOf(again.send({ type: 'undo' }, { opId: 'x' })))
    expect(got('a')).toBe('old')
    await close(again)
    const third = create([], { store, sessionId: session.id })
    expect(await answer(valuesOf(third.send({ type: 'undo' }, { opId: 'x' })))).toEqual(first)
    await close(third)
  })
})

describe('branch_session with restoreFiles', () => {
  it('refuses an entry inside a run, and says why', async () => {
    const session = create([call('a', '1'), call('a', '2'), 'Done'])
    await run(session, 'Go')
    const inside = [...session.state$.value.entries.values()].find(({ message }) => message.role === 'toolResult')
    await expect(branch(session, inside?.entryId ?? '')).rejects.toMatchObject({ code: 'bad_request' })
    await close(session)
  })

  it('lists the changes in a dry run', async () => {
    const session = create([call('a', '1'), 'Done'])
    const head = await run(session, 'Go')
    expect(await branch(session, null, { dryRun: true })).toMatchObject({ changes: [{ path: 'a', change: 'remove' }] })
    expect(session.state$.value.headEntryId).toBe(head)
    expect(got('a')).toBe('1')
    await close(session)
  })

  it('changes no files without restoreFiles', async () => {
    const session = create([call('a', '1'), 'Done'])
    await run(session, 'Go')
    await valuesOf(session.send({ type: 'branch_session', entryId: null }))
    expect(got('a')).toBe('1')
    await close(session)
  })
})

describe('a session that no process has open', () => {
  const storedHome = () => path.join(top, 'kept')
  const host = () => createServerBackend({ env: { ...env, RXPI_HOME: storedHome() }, version: '0' })
  const change = <Name extends ClosedChange>(command: CommandNamed<Name>, opId?: string) =>
    answer(valuesOf(host().stored.changeClosed<Name>(command, opId === undefined ? {} : { opId })))
  const copies = () => {
    const snapshots = fileSnapshots({ home: storedHome(), env })
    return {
      ...snapshots,
      take: (options: Parameters<Snapshots['take']>[0]) => snapshots.take({ ...options, limitMs: 30_000 }),
    }
  }

  /** Makes a session with two runs that wrote `a`; it is closed. */
  async function made(): Promise<{ readonly session: string; readonly heads: readonly (string | null)[] }> {
    put('a', 'old')
    const script = [call('a', 'first'), 'done', call('a', 'second'), 'done']
    const session = create(script, { store: fileStore({ home: storedHome() }), snapshots: copies() })
    const heads = [await run(session, 'one'), await run(session, 'two')]
    await close(session)
    return { session: session.id, heads }
  }

  it('can be rewound with its files after a dry run, and forward again', async () => {
    const { session, heads } = await made()
    const [first = null, second = null] = heads
    expect(await change({ type: 'undo', session, dryRun: true })).toMatchObject({
      headEntryId: first,
      changes: [{ path: 'a', change: 'replace' }],
      conflicts: [],
    })
    expect(got('a')).toBe('second')
    expect(await change({ type: 'undo', session })).toMatchObject({ headEntryId: first, paths: ['a'] })
    expect(got('a')).toBe('first')
    expect(await change({ type: 'undo', session })).toMatchObject({ headEntryId: null, paths: ['a'] })
    expect(got('a')).toBe('old')
    const back = { type: 'branch_session', session, entryId: second, restoreFiles: true } as const
    expect(await change(back, 'op')).toMatchObject({ headEntryId: second, paths: ['a'] })
    expect(got('a')).toBe('second')
    put('a', 'mine')
    expect(await change(back, 'op')).toMatchObject({ headEntryId: second, paths: ['a'] }) // done once
    expect(got('a')).toBe('mine')
  })

  it('gets the files that an entry had last', async () => {
    const { session, heads } = await made()
    const to = (entryId: string | null, force = false) =>
      change({ type: 'branch_session', session, entryId, restoreFiles: true, force })
    const [first = null, second = null] = heads
    await to(first)
    await to(second)
    put('a', 'mine')
    await to(first, true)
    expect(await to(second)).toMatchObject({ paths: ['a'] }) // the last contents, with the manual edit, and no conflict
    expect(got('a')).toBe('mine')
    await change({ type: 'branch_session', session, entryId: first })
    expect(got('a')).toBe('mine') // the conversation alone
    await to(first, true)
    expect(got('a')).toBe('first')
  })

  it('loses no edit of its user without force', async () => {
    const { session } = await made()
    put('a', 'mine')
    await expect(change({ type: 'undo', session })).rejects.toMatchObject({ code: 'not_allowed' })
    expect(got('a')).toBe('mine')
    expect(await change({ type: 'undo', session, force: true })).toMatchObject({ paths: ['a'] })
    expect(got('a')).toBe('first')
  })
})
