// Tests `snapshotClosed`: it saves the state of a session that nothing else has open.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { snapshotClosed } from '../../../lib/services/stored/transfer-sessions.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { FileStore } from '../../../lib/store/sessions/file-store.ts'
import { appendEvents, custom, sampleHeader } from '../../store/sessions/sample-records.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
let store: FileStore
beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-keep-'))
  store = fileStore({ home })
  const log = store.create(sampleHeader())
  appendEvents(log, [custom('x'.repeat(2 ** 19))])
  await valuesOf(log.close())
})
afterEach(() => rmSync(home, { recursive: true }))

describe('snapshotClosed', () => {
  it('saves a snapshot of a session and closes the log', async () => {
    expect(await valuesOf(snapshotClosed(store, 'abcdefghij23'))).toEqual([])
    const { log } = store.open('abcdefghij23')
    expect(log.kept?.seq).toBe(1)
    await valuesOf(log.close())
  })

  it('skips a session that a process has open', async () => {
    const { log } = store.open('abcdefghij23')
    expect(await valuesOf(snapshotClosed(store, 'abcdefghij23'))).toEqual([])
    appendEvents(log, [custom('more')])
    await valuesOf(log.close())
    const again = store.open('abcdefghij23').log
    expect([again.kept, again.head]).toEqual([undefined, 2])
    await valuesOf(again.close())
  })

  it('ignores an unknown session', async () => {
    expect(await valuesOf(snapshotClosed(store, 'zzzzzzzzzzzz'))).toEqual([])
  })

  it('throws an error that is not a Failure', async () => {
    const broken = {
      open: () => {
        throw new TypeError('a bug')
      },
    }
    await expect(valuesOf(snapshotClosed(broken, 'abcdefghij23'))).rejects.toThrow('a bug')
  })
})
