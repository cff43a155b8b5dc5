// Tests that broken trees are damage, whatever the checksums say.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sealLine } from '../../../lib/store/lines/line-checksum.ts'
import { verifyLog } from '../../../lib/store/repair/verify-log.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { done } from '../../support/done.ts'
import { valuesOf } from '../../support/values-of.ts'
import { sampleHeader } from '../sessions/sample-records.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-tree-check-'))
})
afterEach(() => rmSync(home, { recursive: true }))

const entry = (seq: number, entryId: string, parentId: string | null) => {
  const message = { role: 'user', content: 'Hi', timestamp: 1 }
  const event = { type: 'message_end', entryId, parentId, message }
  return sealLine(`{"seq":${seq},"at":1,"event":${JSON.stringify(event)}`)
}

/** A log with these lines behind its header. */
async function logOf(lines: readonly string[]) {
  const files = fileStore({ home })
  const created = files.create(sampleHeader())
  await valuesOf(created.close())
  const { id } = created.header
  writeFileSync(files.fileOf(id), [created.headerLine, ...lines, ''].join('\n'))
  return { files, id }
}

describe('the tree of a log', () => {
  it.each<[string, string[], RegExp | undefined]>([
    [
      'a tree',
      [entry(1, 'aaaaaaaa', null), entry(2, 'bbbbbbbb', 'aaaaaaaa'), entry(3, 'cccccccc', 'aaaaaaaa')],
      undefined,
    ],
    ['an entry that is its own parent', [entry(1, 'aaaaaaaa', 'aaaaaaaa')], /aaaaaaaa is its own parent/],
    [
      'a cycle',
      [entry(1, 'aaaaaaaa', 'bbbbbbbb'), entry(2, 'bbbbbbbb', 'aaaaaaaa')],
      /a child of its entry bbbbbbbb stands before it/,
    ],
    ['an id twice', [entry(1, 'aaaaaaaa', null), entry(2, 'aaaaaaaa', null)], /an entry aaaaaaaa before it already/],
  ])('with %s is found out by opening and by verify [FILES-tree]', async (_name, lines, problem) => {
    const { files, id } = await logOf(lines)
    const verdict = done(verifyLog(files.fileOf(id)))
    const { log } = files.open(id)
    expect(verdict.clean).toBe(problem === undefined)
    if (problem === undefined) expect(log.readOnly).toBeUndefined()
    else {
      expect(log.readOnly?.message).toMatch(problem)
      expect(verdict.damages[0]?.problem).toMatch(problem)
    }
    await valuesOf(log.close())
  })
})
