// Tests that a log of 10⁵ lines is opened and read with flat memory; `npm test` takes 40,000.
// `npm run bench -- sessions` measures the cost of a line.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { lastValueFrom } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openFileLog } from '../../../lib/store/log/open-file-log.ts'
import { nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import type { SessionLog } from '../../../lib/streams/ports/session-log.ts'
import { sampleHeader } from '../sessions/sample-records.ts'
import { sampleSize } from '../../support/sample-size.ts'

const count = sampleSize(40_000, 100_000)
const mebibyte = 2 ** 20
let folder: string

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-large-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** Bytes in use after a collection. */
function memory(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void // exists since the flag is set
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

const closing = (log: SessionLog) => lastValueFrom(log.close(), { defaultValue: undefined })

function writeLog(file: string): number {
  const descriptor = openSync(file, 'wx')
  let size = 0
  let pieces = [sealLine(JSON.stringify({ type: 'session', v: 1, ...sampleHeader() }).slice(0, -1))]
  for (let seq = 1; seq <= count; seq += 1) {
    pieces.push(sealLine(`{"seq":${seq},"at":1,"event":{"type":"custom","customType":"x","data":"${'y'.repeat(300)}"}`))
    if (pieces.length < 1000 && seq < count) continue
    size += writeSync(descriptor, `${pieces.join('\n')}\n`)
    pieces = []
  }
  closeSync(descriptor)
  return size
}

describe(`a log of ${count} lines`, () => {
  it('is opened and read with flat memory', async () => {
    const file = path.join(folder, 'large.jsonl')
    const size = writeLog(file)
    expect(size).toBeGreaterThan(300 * count)
    const before = memory()
    const { log } = openFileLog({ file, sessionId: sampleHeader().id, files: nodeFileSystem })
    let highest = memory()
    let lineCount = 0
    for (const { seq } of log.records()) {
      lineCount += 1
      if (seq !== lineCount) expect.unreachable(`${String(seq)} where ${lineCount} comes next`)
      if (lineCount % 10_000 === 0) highest = Math.max(highest, memory())
    }
    expect([log.head, lineCount]).toEqual([count, count])
    expect((highest - before) / mebibyte).toBeLessThan(3)
    await closing(log)
  })
})
