// Tests that an abandoned import leaves no file behind.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Subscription, defer, take, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { transferSessions } from '../../../lib/services/stored/transfer-sessions.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { faultyFiles } from '../../store/disk/faulty-files.ts'
import { asText, piEntry, piHeader, printed } from '../../store/import/pi-files.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder: string
let files: FileStore

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-transfer-'))
  files = fileStore({ home: path.join(folder, 'home') })
})
afterEach(() => rmSync(folder, { recursive: true }))

const host = () =>
  transferSessions({ memory: memoryStore(), files, checkFolder: () => undefined, activeTools: () => ['read'] })

describe('an abandoned import', () => {
  const picture = { type: 'image', mimeType: 'image/png', data: Buffer.alloc(100_000, 'x').toString('base64') }
  const long = asText([
    piHeader(),
    ...Array.from({ length: 3_000 }, (_, index) => {
      const content = [{ type: 'text', text: 'long '.repeat(200) }, ...(index === 0 ? [picture] : [])]
      const message = { role: 'user', content, timestamp: 1 }
      return piEntry(String(index + 1), index === 0 ? null : String(index), { type: 'message', message })
    }),
  ])
  const short = asText([piHeader(), piEntry('1', null, printed('first'))])
  /** Logs, the files beside them, and blobs. */
  const remainingFiles = (): string[] =>
    ['sessions', 'blobs'].flatMap((name) =>
      readdirSync(path.join(folder, 'home', name), { recursive: true, encoding: 'utf8' }).filter((each) =>
        /jsonl|[0-9a-f]{64}$/.test(each),
      ),
    )

  it('leaves no file if it is cancelled during the copy [COMMAND-import_session]', async () => {
    const importing = host().importSession({ content: long, cwd: folder }).subscribe()
    expect(remainingFiles()).toHaveLength(3) // log, lock, blob
    importing.unsubscribe()
    await vi.waitFor(() => expect(remainingFiles()).toEqual([]), { timeout: 10_000 })
  })

  it('leaves no file if it is cancelled during the sync', async () => {
    const faulty = faultyFiles()
    faulty.holdSyncs = true
    files = fileStore({ home: path.join(folder, 'home'), files: faulty })
    const importing = host().importSession({ content: long, cwd: folder }).subscribe()
    await vi.waitUntil(() => faulty.finishSync(), { timeout: 10_000 })
    importing.unsubscribe()
    await vi.waitFor(
      () => {
        faulty.finishSync()
        expect(remainingFiles()).toEqual([])
      },
      { timeout: 10_000 },
    )
  })

  it('leaves no file if it is cancelled while its state snapshot is stored', async () => {
    const store = files
    const importing = new Subscription()
    const open: FileStore['open'] = (session, options) => {
      importing.unsubscribe()
      return store.open(session, options)
    }
    files = { ...store, open }
    importing.add(host().importSession({ content: long, cwd: folder }).subscribe())
    await vi.waitUntil(() => importing.closed, { timeout: 10_000 })
    await vi.waitFor(() => expect(remainingFiles()).toEqual([]), { timeout: 10_000 })
  })

  it('keeps the file if it was answered, even if the caller unsubscribes in the same step', async () => {
    const [answer] = await valuesOf(host().importSession({ content: short, cwd: folder }).pipe(take(1)))
    const { session = '' } = answer ?? {}
    await new Promise((passed) => setImmediate(passed))
    expect(files.latest(folder)).toBe(session)
    await valuesOf(files.open(session).log.close())
  })

  it('keeps and releases the file if another caller opened it meanwhile', async () => {
    const locked = new Failure('session_locked', 'as the test wants it')
    let requested = ''
    const store = files
    const importing = new Subscription()
    files = {
      ...store,
      open: (session, options) => {
        importing.unsubscribe() // the file is published, and its snapshot is to be stored
        return store.open(session, options)
      },
      remove: (session) =>
        defer(() => {
          requested = session
          return throwError(() => locked)
        }),
    }
    importing.add(host().importSession({ content: long, cwd: folder }).subscribe())
    await vi.waitUntil(() => requested !== '', { timeout: 10_000 })
    await valuesOf(store.open(requested).log.close())
  })
})
