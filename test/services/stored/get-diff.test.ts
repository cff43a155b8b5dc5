// Tests `get_diff`: modified, created and removed files, as the snapshots show them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Observable, filter, lastValueFrom, take } from 'rxjs'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { changeClosed } from '../../../lib/services/stored/change-closed.ts'
import type { ChangeClosedOptions } from '../../../lib/services/stored/change-closed.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { getDiff } from '../../../lib/services/stored/get-diff.ts'
import { openIn } from '../../../lib/services/stored/open-target.ts'
import { fileSnapshots, fileStore, memoryStore } from '../../../lib/store/index.ts'
import { builtInTools } from '../../../lib/tools/index.ts'
import { valuesOf } from '../../support/values-of.ts'

let [top, cwd, home] = ['', '', '']
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-get-diff-')))
  ;[cwd, home] = [path.join(top, 'folder'), path.join(top, 'home')]
  mkdirSync(cwd)
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent' }
const put = (name: string, text: string | Buffer): void => writeFileSync(path.join(cwd, name), text)

/** Creates a session whose one run makes these calls; returns its id. */
async function ran(calls: readonly { name: string; arguments: object }[], snapshots = true): Promise<string> {
  const own = fileSnapshots({ home, env })
  const session = createSession({
    model: { model: scriptedModel, provider: scripted([{ toolCalls: calls as never }, 'Done']) },
    cwd,
    env,
    approve: 'auto',
    store: fileStore({ home }),
    ...(snapshots
      ? { snapshots: { ...own, take: (options) => own.take({ ...options, limitMs: 30_000 }) } } // for a loaded machine
      : {}),
  })
  const settled = valuesOf(
    session.events$.pipe(
      filter(({ type }) => type === 'agent_settled'),
      take(1),
    ),
  )
  void session.send({ type: 'prompt', text: 'Go' })
  await settled
  await valuesOf(session.close())
  return session.id
}

const diffOf = (session: string) => {
  const surroundings = () => ({ registry: builtInTools(), snapshots: fileSnapshots({ home, env }) })
  const ask$ = getDiff({ memory: memoryStore(), files: fileStore({ home }) }, surroundings)
  return lastValueFrom(ask$({ session }), { defaultValue: undefined })
}

it('lists modified, created and removed files, also untracked ones and those of others [COMMAND-get_diff]', async () => {
  put('a.txt', 'one\ntwo\n')
  put('gone.txt', 'x\n')
  const session = await ran([
    { name: 'write', arguments: { path: 'a.txt', content: 'one\n2\n' } },
    { name: 'bash', arguments: { command: 'rm gone.txt' } },
  ])
  put('mine.txt', 'hello\n')
  put('logo.png', Buffer.from([0x89, 0, 255]))
  expect(await diffOf(session)).toEqual({
    more: 0,
    files: [
      { path: 'a.txt', change: 'modified', diff: '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n' },
      { path: 'gone.txt', change: 'removed', diff: '--- gone.txt\n+++ gone.txt\n@@ -1,1 +0,0 @@\n-x\n' },
      { path: 'logo.png', change: 'created', reason: 'it is not text' },
      { path: 'mine.txt', change: 'created', diff: '--- /dev/null\n+++ mine.txt\n@@ -0,0 +1,1 @@\n+hello\n' },
    ],
  })
})

it('returns an empty list without changes, and fails if they are unknown', async () => {
  expect(await diffOf(await ran([{ name: 'read', arguments: { path: 'a.txt' } }]))).toEqual({ files: [], more: 0 })
  const unkept = await ran([{ name: 'write', arguments: { path: 'b.txt', content: 'x' } }], false)
  await expect(diffOf(unkept)).rejects.toMatchObject({ code: 'bad_request' })
})

it('lists only its own changes for a copied session', async () => {
  const session = await ran([{ name: 'write', arguments: { path: 'a.txt', content: 'x' } }])
  const store = fileStore({ home })
  const open: ChangeClosedOptions['open'] = (id, options) => openIn([memoryStore(), store], id, options)
  const { log } = store.open(session)
  const [entryId = ''] = [...log.records()]
    .flatMap(({ event }) => ('entryId' in event ? (event.entryId ?? []) : []))
    .slice(-1)
  await valuesOf(log.close())
  const command = { type: 'branch_session', session, entryId, newFile: true } as const
  const [copied] = await valuesOf(changeClosed(command, { open, surroundings: () => ({ registry: [] }) }))
  expect(await diffOf(copied !== undefined && 'session' in copied ? copied.session : '')).toEqual({
    files: [],
    more: 0,
  })
})

it('closes the log before it compares the files: the client can cancel', async () => {
  const session = await ran([{ name: 'write', arguments: { path: 'a.txt', content: 'x' } }])
  const store = fileStore({ home })
  const closings: unknown[] = []
  const files: typeof store = {
    ...store,
    open: (...requests) => {
      const opened = store.open(...requests)
      const close$ = opened.log.close.bind(opened.log)
      vi.spyOn(opened.log, 'close').mockImplementation(() => {
        closings.push(session)
        return close$()
      })
      return opened
    },
  }
  const isLooking = new Promise<number>((resolve) => {
    const compare$ = () => new Observable<never>(() => resolve(closings.length))
    const snapshots = { ...fileSnapshots({ home, env }), compare: compare$ }
    const ask$ = getDiff({ memory: memoryStore(), files }, () => ({ registry: builtInTools(), snapshots }))
    ask$({ session }).subscribe().unsubscribe()
  })
  expect(await isLooking).toBe(1)
})
