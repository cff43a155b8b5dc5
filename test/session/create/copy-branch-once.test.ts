// Tests that `branch_session` repeated with its opId returns the same session.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scriptedModel, scripted } from '../../../lib/providers/offline/scripted.ts'
import { copyBranchOnce } from '../../../lib/session/create/copy-branch.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import type { SessionStore } from '../../../lib/streams/ports/session-log.ts'
import { appendEvents, messageEnd, sampleHeader } from '../../store/sessions/sample-records.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-once-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const session = sampleHeader().id
const [one, two] = ['aaaaaaaa', 'bbbbbbbb']
const store = () => fileStore({ home }) // a new store each time, as after a restart

async function made(into: SessionStore = store()): Promise<void> {
  const log = into.create(sampleHeader({ cwd: home }))
  appendEvents(log, [messageEnd(one, 'one'), { ...messageEnd(two, 'two'), parentId: one } as AgentEvent])
  await valuesOf(log.close())
}
async function copied(opId: string | undefined, entryId = two, own: SessionStore = store()) {
  const { log } = own.open(session, { readOnly: true })
  const branch = { log, state: replayLog(log), entryId, store: own, opId, ids: randomIds(), now: Date.now() }
  const [copy] = await valuesOf(copyBranchOnce(branch))
  await valuesOf(log.close())
  return copy
}
const files = () => {
  const [folder = ''] = readdirSync(path.join(home, 'sessions'))
  return readdirSync(path.join(home, 'sessions', folder)).filter((name) => name.endsWith('.jsonl'))
}

describe('a branch in a new file that is requested again with its opId', () => {
  it('returns the session of the first request, also after a restart', async () => {
    await made()
    const first = await copied('op')
    expect(await copied('op')).toEqual(first)
    expect(files()).toHaveLength(2)
    expect((await copied('other'))?.session).not.toBe(first?.session)
    expect((await copied(undefined))?.session).not.toBe(first?.session)
    expect(files()).toHaveLength(4)
  })

  it('returns that session also while a process has it open', async () => {
    await made()
    const first = await copied('op')
    const { log } = store().open(first?.session ?? '')
    appendEvents(log, [{ ...messageEnd('cccccccc', 'three'), parentId: two } as AgentEvent])
    expect(await copied('op')).toEqual(first)
    await valuesOf(log.close())
  })

  it('is refused if the opId named another entry', async () => {
    await made()
    await copied('op')
    await expect(copied('op', one)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringContaining('another branch_session') as string,
    })
  })

  it('is copied again if a killed process had not finished', async () => {
    await made()
    const first = await copied('op')
    const file = store().fileOf(first?.session ?? '')
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, `${lines.slice(0, -2).join('\n')}\n`)
    const second = await copied('op')
    expect(second?.session).not.toBe(first?.session)
    expect(second?.headEntryId).toBe(two)
    expect(await copied('op')).toEqual(second)
  })

  it('is found in a memory store, too', async () => {
    const memory = memoryStore()
    await made(memory)
    const first = await copied('op', two, memory)
    expect(await copied('op', two, memory)).toEqual(first)
  })

  it('is found by a restarted server, and by an open session [COMMAND-branch_session]', async () => {
    await made()
    const command = { type: 'branch_session', session, entryId: two, newFile: true } as const
    const host = () => createServerBackend({ env: { RXPI_HOME: home, HOME: home }, version: '0' })
    const ask = () => valuesOf(host().stored.changeClosed<'branch_session'>(command, { opId: 'op' }))
    const [answer] = await ask()
    expect(await ask()).toEqual([answer])
    const model = { model: scriptedModel, provider: scripted([]) }
    const open = createSession({ model, cwd: home, env: {}, tools: [], store: store(), sessionId: session })
    const again = { type: 'branch_session', entryId: two, newFile: true } as const
    expect(await valuesOf(open.send(again, { opId: 'op' }))).toEqual([answer])
    await valuesOf(open.close())
    expect(files()).toHaveLength(2)
  })
})
