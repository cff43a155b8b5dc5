// Tests changes to a closed session: opened, changed and closed again, once per opId.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { processMarkValue } from '../../../lib/host/process/process-identity.ts'
import { changeClosed } from '../../../lib/services/stored/change-closed.ts'
import type { ChangeClosedOptions } from '../../../lib/services/stored/change-closed.ts'
import type { ClosedChange } from '../../../lib/services/contract/server-backend.ts'
import { openIn } from '../../../lib/services/stored/open-target.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { CommandNamed } from '../../../lib/streams/commands/command.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { untilExecuted } from '../../host/process/processes-with.ts'
import { appendEvents, messageEnd, sampleHeader } from '../../store/sessions/sample-records.ts'
import { sampleEvents } from '../../streams/events/samples.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
let store: FileStore
beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-closed-'))
  store = fileStore({ home })
  await made([messageEnd('aaaaaaaa', 'one'), { ...messageEnd('bbbbbbbb', 'two'), parentId: 'aaaaaaaa' } as AgentEvent])
})
afterEach(() => rmSync(home, { recursive: true }))

const session = sampleHeader().id
const entryId = 'aaaaaaaa'
type Open = ChangeClosedOptions['open']

async function made(events: readonly AgentEvent[]): Promise<void> {
  const log = store.create(sampleHeader())
  appendEvents(log, events)
  await valuesOf(log.close())
}
function change(command: CommandNamed<ClosedChange>, opId?: string): Promise<object[]> {
  const open: Open = (id, options) => openIn([memoryStore(), store], id, options)
  return valuesOf(changeClosed(command, { open, opId, surroundings: () => ({ registry: [] }) }))
}
function read(id = session) {
  const { log } = store.open(id, { readOnly: true })
  const state = replayLog(log)
  log.close().subscribe()
  return state
}

describe('a session that no process has open', () => {
  it('is renamed, labelled and branched, and released each time', async () => {
    expect(await change({ type: 'rename_session', session, title: 'Named' })).toEqual([{}])
    expect(await change({ type: 'set_label', session, entryId, label: 'here' })).toEqual([{}])
    expect(await change({ type: 'branch_session', session, entryId })).toEqual([{ headEntryId: entryId }])
    expect(read()).toMatchObject({ title: 'Named', headEntryId: entryId, labels: new Map([[entryId, 'here']]) })
    expect(existsSync(`${store.fileOf(session)}.lock`)).toBe(false)
  })

  it('has no process left of a run that was killed', async () => {
    const [pid = '', startTime = '', ...machine] = processMarkValue().split(':')
    const mark = { [`RXPI_CALL_${'b'.repeat(32)}_1`]: [pid, `${startTime}1`, ...machine].join(':') }
    const left = spawn('sleep', ['60'], { env: { PATH: process.env['PATH'], ...mark }, stdio: 'ignore' })
    const ended = once(left, 'exit')
    await untilExecuted(left)
    const { log } = store.open(session, {})
    appendEvents(log, [{ type: 'agent_start', model: 'a/b', tools: [], thinkingLevel: 'off' }])
    await valuesOf(log.close())
    await change({ type: 'rename_session', session, title: 'Named' })
    expect(await ended).toEqual([null, 'SIGKILL'])
    expect(read().running).toBeUndefined()
  })

  it.each<[string, CommandNamed<ClosedChange>]>([
    ['renamed', { type: 'rename_session', session, title: 'Named' }],
    ['copied', { type: 'branch_session', session, entryId, newFile: true }],
  ])('is %s to the end, and released, also after unsubscribe', async (_, command) => {
    const open: Open = (id, options) => openIn([memoryStore(), store], id, options)
    changeClosed(command, { open, surroundings: () => ({ registry: [] }) })
      .subscribe()
      .unsubscribe()
    await vi.waitFor(
      async () => {
        const [list] = await valuesOf(store.list())
        const changed = list?.logs.filter(
          ({ facts: { title, parent } }) => title === 'Named' || parent?.entryId === entryId,
        )
        expect(changed).toHaveLength(1)
        const files = readdirSync(path.join(home, 'sessions'), { recursive: true, encoding: 'utf8' })
        expect(files.filter((name) => name.endsWith('.lock'))).toEqual([])
      },
      { timeout: 10_000 },
    )
  })

  it('runs a repeated command once', async () => {
    await change({ type: 'rename_session', session, title: 'Named' }, 'op')
    const { seq } = read()
    expect(await change({ type: 'rename_session', session, title: 'Named' }, 'op')).toEqual([{}])
    expect(read().seq).toBe(seq)
    await expect(change({ type: 'rename_session', session, title: 'Other' }, 'op')).rejects.toMatchObject({
      code: 'bad_request',
    })
  })

  it('first closes the run that a killed process left unfinished', async () => {
    const { log } = store.open(session)
    appendEvents(log, [sampleEvents.agent_start])
    await valuesOf(log.close())
    await change({ type: 'set_label', session, entryId, label: 'here' })
    expect(read()).toMatchObject({ lastEnd: { terminationReason: 'crashed' } })
  })

  it('refuses newFile together with restoreFiles', async () => {
    for (const more of [{ restoreFiles: true }, { dryRun: true }])
      await expect(change({ type: 'branch_session', session, entryId, newFile: true, ...more })).rejects.toMatchObject({
        code: 'bad_request',
        message: expect.stringContaining('newFile cannot be combined with restoreFiles') as string,
      })
  })

  it('refuses an unknown entry, and is released', async () => {
    const missing = { type: 'set_label', session, entryId: 'zzzzzzzz', label: 'x' } as const
    await expect(change(missing)).rejects.toMatchObject({ code: 'bad_request' })
    await expect(change({ ...missing, session: 'zzzzzzzzzzzz' })).rejects.toMatchObject({ code: 'unknown_session' })
    expect(existsSync(`${store.fileOf(session)}.lock`)).toBe(false)
  })
})

describe('a session that another process holds', () => {
  it('cannot be changed, but its branches can be copied', async () => {
    const { log } = store.open(session)
    await expect(change({ type: 'rename_session', session, title: 'x' })).rejects.toMatchObject({
      code: 'session_locked',
    })
    const [copied] = await change({ type: 'branch_session', session, entryId, newFile: true })
    expect(copied).toMatchObject({ headEntryId: entryId })
    const id = copied !== undefined && 'session' in copied ? String(copied.session) : ''
    expect([...read(id).entries.keys()]).toEqual([entryId])
    await valuesOf(log.close())
  })
})
