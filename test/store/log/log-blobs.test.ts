// Tests large content beside the log.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blobFolder } from '../../../lib/store/blobs/blob-folder.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { logBlobs } from '../../../lib/store/log/log-blobs.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { lineBody } from '../../../lib/streams/log/line-event.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { valuesOf } from '../../support/values-of.ts'
import { faultyFiles, systemError } from '../disk/faulty-files.ts'
import { sampleAt, sampleHeader } from '../sessions/sample-records.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-log-blobs-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const large = Buffer.alloc(65_537, 'i').toString('base64')
const other = Buffer.alloc(65_537, 'o').toString('base64')
const shown = (data: string): AgentEvent => ({
  type: 'tool_execution_end',
  toolCallId: 'call_1',
  toolName: 'read',
  isError: false,
  content: [{ type: 'image', mimeType: 'image/png', data }],
  durationMs: 1,
})
const append = (log: SessionLog, event: AgentEvent) =>
  log.append(lineBody({ seq: log.head + 1, at: sampleAt, event }, log.blobs))
const names = () => readdirSync(path.join(home, 'blobs'))

describe('logBlobs', () => {
  it('syncs a blob again after a sync that found no descriptor [SOCKET-descriptors]', () => {
    const files = faultyFiles()
    let isShort = true
    const synced: unknown[] = []
    const blobs = logBlobs(blobFolder(home), {
      ...files,
      openSync: (...open) => {
        if (isShort) throw systemError('EMFILE')
        return files.openSync(...open)
      },
      fdatasync: (descriptor, done) => {
        synced.push(descriptor)
        done(null)
      },
    })
    blobs.keep(large, 'base64')
    const failures: unknown[] = []
    blobs.sync((failure) => failures.push(failure?.code))
    isShort = false
    blobs.sync((failure) => failures.push(failure))
    expect([failures[0], synced]).toMatchObject(['overloaded', [expect.any(Number)]])
  })

  it.each<[string, string, 'base64' | 'utf8']>([
    ['bytes up to 64 KiB', Buffer.alloc(65_536).toString('base64'), 'base64'],
    ['text up to 64 KiB', 'ä'.repeat(32_768), 'utf8'],
    ['base64 with line feeds', `${large}\n`, 'base64'],
    ['base64 without its padding', large.replace(/=+$/, ''), 'base64'],
    ['text with half a surrogate pair', `${'x'.repeat(70_000)}\ud800`, 'utf8'],
  ])('leaves %s on the line [LOG-blobs]', (_, content, encoding) => {
    const blobs = logBlobs(blobFolder(home), faultyFiles())
    expect(blobs.keep(content, encoding)).toBeUndefined()
    expect(blobs.refer(content, encoding)).toBeUndefined()
    expect(readdirSync(home)).toEqual([])
  })

  it.each<[string, string, 'base64' | 'utf8', number]>([
    ['bytes over 64 KiB', large, 'base64', 65_537],
    ['text over 64 KiB', `${'ä'.repeat(32_768)}!`, 'utf8', 65_537],
    ['text with pairs and NULs', '𝒳\u0000\u2028'.repeat(10_000), 'utf8', 80_000],
  ])('restores %s [LOG-blobs]', (_, content, encoding, bytes) => {
    const blobs = logBlobs(blobFolder(home), faultyFiles())
    const reference = blobs.keep(content, encoding)
    expect(reference).toEqual({ blob: names()[0], bytes })
    expect(blobs.refer(content, encoding)).toEqual(reference)
    expect(reference && blobs.read(reference, encoding)).toBe(content)
  })
})

describe('a log with large content', () => {
  it('has it on no line, and on the disk before the line counts as durable [LOG-blobs]', async () => {
    const files = faultyFiles()
    const log = fileStore({ home, files }).create(sampleHeader())
    await valuesOf(log.durable())
    files.calls.length = 0
    const line = append(log, shown(large))
    expect(line.length).toBeLessThan(500)
    expect(line).toContain(`"blob":"${names()[0] ?? ''}","bytes":65537`)
    await valuesOf(log.durable())
    // blob, line — sync of the blob, of its folder and the home, of the log
    expect(files.calls.filter((call) => call !== 'closeSync')).toEqual([
      'writeSync',
      'writeSync',
      'fdatasync',
      'fsync',
      'fsync',
      'fdatasync',
    ])
    files.calls.length = 0
    append(log, shown('AAAA'))
    await valuesOf(log.durable())
    expect(files.calls).toEqual(['writeSync', 'fdatasync'])
    await valuesOf(log.close())
  })

  it('syncs blobs of another log too: they may not be on the disk yet', async () => {
    const one = fileStore({ home }).create(sampleHeader())
    append(one, shown(large))
    const files = faultyFiles()
    const two = fileStore({ home, files }).create(sampleHeader({ id: 'bbbbbbbbbbbb' }))
    await valuesOf(two.durable())
    files.calls.length = 0
    append(two, shown(large))
    await valuesOf(two.durable())
    expect(files.calls.filter((call) => call === 'writeSync')).toHaveLength(1) // the line
    expect(files.calls.filter((call) => call === 'fdatasync')).toHaveLength(2)
    await valuesOf(one.close())
    await valuesOf(two.close())
  })

  it('fails if the content could not be synced, and accepts no line from then on', async () => {
    const files = faultyFiles()
    const log = fileStore({ home, files }).create(sampleHeader())
    await valuesOf(log.durable())
    append(log, shown(large))
    files.syncError = systemError('EIO')
    files.calls.length = 0
    await expect(valuesOf(log.durable())).rejects.toMatchObject({ code: 'storage', data: { errno: 'EIO' } })
    expect(files.calls).toEqual(['fdatasync', 'closeSync']) // of the blob; of a log whose line names it, none
    expect(() => append(log, shown(other))).toThrow(expect.objectContaining({ code: 'storage' }) as Error)
    await valuesOf(log.close()).catch(() => undefined)
  })

  it('has neither line nor partial blob if the disk is full, and continues when there is space', async () => {
    const files = faultyFiles()
    const store = fileStore({ home, files })
    const log = store.create(sampleHeader())
    const before = readFileSync(store.fileOf('abcdefghij23'))
    files.space = 1_000
    expect(() => append(log, shown(large))).toThrow(expect.objectContaining({ data: { errno: 'ENOSPC' } }) as Error)
    expect(readFileSync(store.fileOf('abcdefghij23'))).toEqual(before)
    expect(names()).toEqual([])
    files.space = Infinity
    append(log, shown(large))
    await valuesOf(log.durable())
    expect([log.head, names().length]).toEqual([1, 1])
    await valuesOf(log.close())
  })
})
