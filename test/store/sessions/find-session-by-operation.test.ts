// Tests how a session is found by the opId that created it.
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { sessionFolder } from '../../../lib/store/sessions/session-folder.ts'
import type { NewHeader } from '../../../lib/streams/ports/session-log.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
let store: FileStore
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-made-'))
  store = fileStore({ home })
})
afterEach(() => rmSync(home, { recursive: true }))

const cwd = '/somewhere'
const hourMs = 60 * 60 * 1_000
const folder = (): string => path.join(home, 'sessions', sessionFolder(cwd))

async function made(id: string, fields: Partial<NewHeader> = {}): Promise<void> {
  await valuesOf(
    store.create({ id: id.repeat(12), createdAt: Date.now() - hourMs, cwd, opId: 'op', ...fields }).close(),
  )
}

describe('a search for the session that an opId created', () => {
  it('finds it among others, whatever their headers contain', async () => {
    await made('a', { opId: 'other' })
    await made('b', { title: 'long '.repeat(40_000) })
    await made('c', { opId: 'other', title: '"opId":"op"' })
    expect(store.madeBy('op', cwd)).toMatchObject({ id: 'bbbbbbbbbbbb', opId: 'op' })
    expect(store.madeBy('none', cwd)).toBeUndefined()
  })

  it('finds the youngest of several', async () => {
    await made('a')
    await made('b', { createdAt: Date.now() })
    await made('c', { createdAt: Date.now() - 2 * hourMs })
    expect(store.madeBy('op', cwd)?.id).toBe('bbbbbbbbbbbb')
  })

  it('does not find it in another folder, or without a folder', async () => {
    expect(store.madeBy('op', cwd)).toBeUndefined()
    await made('a')
    expect(store.madeBy('op', '/elsewhere')).toBeUndefined()
  })

  it('does not find it after 24 hours', async () => {
    await made('a', { createdAt: Date.now() - 25 * hourMs })
    await made('b', { createdAt: Date.now() - 23 * hourMs })
    expect(store.madeBy('op', cwd)?.id).toBe('bbbbbbbbbbbb')
  })

  it('does not return a branch of another session: another command created it', async () => {
    await made('a', { parent: { sessionId: 'bbbbbbbbbbbb', entryId: 'aaaaaaaa' } })
    expect(store.madeBy('op', cwd)).toBeUndefined()
  })

  it('returns a branch of the named session only', async () => {
    await made('a', { parent: { sessionId: 'bbbbbbbbbbbb', entryId: 'aaaaaaaa' } })
    await made('c')
    expect(store.madeBy('op', cwd, 'bbbbbbbbbbbb')?.id).toBe('aaaaaaaaaaaa')
    expect(store.madeBy('op', cwd, 'cccccccccccc')).toBeUndefined()
    expect(store.madeBy('op', cwd)?.id).toBe('cccccccccccc')
  })

  it('skips an incomplete line 1, and files of other kinds', async () => {
    await made('a')
    const [name = ''] = readdirSync(folder())
    truncateSync(path.join(folder(), name), 60)
    writeFileSync(path.join(folder(), `${Date.now()}_bbbbbbbbbbbb.jsonl`), '')
    writeFileSync(path.join(folder(), `${Date.now()}_cccccccccccc.jsonl`), '{"type":"session","opId":"op"}\n')
    mkdirSync(path.join(folder(), `${Date.now()}_dddddddddddd.jsonl`))
    symlinkSync('/dev/zero', path.join(folder(), `${Date.now()}_eeeeeeeeeeee.jsonl`))
    expect(store.madeBy('op', cwd)).toBeUndefined()
  })
})
