// Tests the export of a long session: its size limit in one response, and exports to a file.
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { transferSessions } from '../../../lib/services/stored/transfer-sessions.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
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

async function only<Value>(source$: Observable<Value>): Promise<Value> {
  const [value] = await valuesOf(source$)
  if (value === undefined) throw new Error('there was no answer')
  return value
}

const imported = (content: string) => only(host().importSession({ content, cwd: folder }))

const exportOf = (command: Parameters<ReturnType<typeof host>['exportSession']>[0]) =>
  only(host().exportSession(command))

describe('exporting a long session', () => {
  /** A session with this many messages of a million characters. */
  const longSession = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      piEntry(String(index + 1), index === 0 ? null : String(index), printed('x'.repeat(1_000_000))),
    )
  /** The store; it calls `read` for each record that is read from a log. */
  const counting = (store: FileStore, read: () => void): FileStore => ({
    ...store,
    open: (session, options) => {
      const { log, ...opened } = store.open(session, options)
      const records = function* () {
        for (const record of log.records()) {
          read()
          yield record
        }
      }
      const { header, blobs } = log
      return { ...opened, log: { ...log, header, blobs, records, close: () => log.close() } }
    },
  })

  it('stops reading at the limit of one response, and names the way out', async () => {
    const { session } = await imported(asText([piHeader(), ...longSession(14)]))
    let read = 0
    files = counting(files, () => (read += 1))
    await expect(exportOf({ session, format: 'pi' })).rejects.toMatchObject({
      code: 'message_too_large',
      message: 'The export has more than 8388608 characters, the limit of one response; name a file to write with "to"',
    })
    expect(read).toBeGreaterThan(2 * 8) // two records per message
    expect(read).toBeLessThan(2 * 12)
  })

  it.each(['pi', 'markdown', 'html'] as const)(
    'writes %s to a file piece by piece, and leaves no incomplete file',
    async (format) => {
      const { session } = await imported(asText([piHeader(), ...longSession(4)]))
      const target = path.join(folder, 'out')
      mkdirSync(target)
      let most = 0
      files = counting(files, () => {
        for (const name of readdirSync(target)) most = Math.max(most, lstatSync(path.join(target, name)).size)
      })
      const { characters } = await exportOf({ session, format, to: path.join(target, 'page') })
      expect(readFileSync(path.join(target, 'page'), 'utf8')).toHaveLength(characters)
      if (format === 'pi') expect(most).toBeGreaterThan(1_000_000)
      expect(readdirSync(target)).toEqual(['page'])
    },
  )
})
