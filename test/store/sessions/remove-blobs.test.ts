// Tests the removal of blobs that no session names any more.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blobFolder, blobName } from '../../../lib/store/blobs/blob-folder.ts'
import { scanBlobNames } from '../../../lib/store/blobs/scan-blob-names.ts'
import { blobsNamedIn, removeBlobs } from '../../../lib/store/sessions/remove-log.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-unnamed-'))
  mkdirSync(path.join(home, 'sessions', 'one'), { recursive: true })
})
afterEach(() => rmSync(home, { recursive: true }))

const bytes = Buffer.from('kept')
const hash = blobName(bytes)
const other = 'b'.repeat(64)
const log = (text: string, name = 'a.jsonl'): string => {
  const file = path.join(home, 'sessions', 'one', name)
  writeFileSync(file, text)
  return file
}
/** Some are listed twice. */
function namesIn(file: string): Set<string> {
  const names = new Set<string>()
  const steps = scanBlobNames(file, (name) => names.add(name))
  while (steps.next().done !== true);
  return names
}
const candidates = (file: string) => blobsNamedIn(home, [file])

describe('namedBlobs', () => {
  it.each([
    ['as we write it', `{"blob":"${hash}","bytes":4}`, [hash]],
    ['as others may write it', `{"blob" :  "${hash}"}`, [hash]],
    ['twice', `"blob":"${hash}""blob":"${other}""blob":"${hash}"`, [hash, other]],
    ['in upper case', `"blob":"${hash.toUpperCase()}"`, []],
    ['too short', `"blob":"${hash.slice(1)}"`, []],
    ['cut off', `"blob":"${hash.slice(0, 40)}`, []],
    ['in a file that is empty', '', []],
  ])('finds a name %s', (_, text, names) => {
    expect([...namesIn(log(text))]).toEqual(names)
  })

  it('finds a name across the boundary of two reads', () => {
    const mention = `"blob":"${hash}"`
    for (const position of [1, 40, mention.length - 1, mention.length, mention.length + 1]) {
      const before = 'x'.repeat(1_048_576 - position)
      expect([...namesIn(log(`${before}${mention}${'y'.repeat(2_000_000)}`))]).toEqual([hash])
    }
  })

  it('returns none if the user has no such file', () => {
    symlinkSync(log(`"blob":"${hash}"`), path.join(home, 'link'))
    for (const name of ['none', 'link']) expect([...namesIn(path.join(home, name))]).toEqual([])
  })
})

describe('removeBlobs', () => {
  it('removes blobs without a reference, and returns their names', () => {
    const file = blobFolder(home).write(hash, bytes)
    const found = candidates(log(`"blob":"${hash}" "blob":"${other}"`)) // the other does not exist
    expect(found.map((each) => each.hash)).toEqual([hash])
    rmSync(path.join(home, 'sessions', 'one', 'a.jsonl'))
    expect([...removeBlobs({ home, candidates: found })].flat()).toEqual([file])
    expect(readdirSync(path.join(home, 'blobs'))).toEqual([])
  })

  it.each(['b.jsonl', 'b.repaired.jsonl', 'b.jsonl.damaged', 'b.torn-7'])('keeps the blobs that %s names', (name) => {
    const file = blobFolder(home).write(hash, bytes)
    log(`"blob":"${hash}"`, name)
    expect([...removeBlobs({ home, candidates: candidates(log(`"blob":"${hash}"`, 'c.txt')) })].flat()).toEqual([])
    expect(existsSync(file)).toBe(true)
  })

  it('keeps a recently used blob, also if its line is not written yet', () => {
    const blobs = blobFolder(home)
    const file = blobs.write(hash, bytes)
    const found = candidates(log(`"blob":"${hash}"`, 'c.txt'))
    const steps = removeBlobs({ home, candidates: found })
    expect(blobs.touch(hash)).toBe(true)
    expect([...steps].flat()).toEqual([])
    expect(blobs.find(hash)).toEqual(bytes)
    expect(readdirSync(path.dirname(file))).toEqual([hash])
  })

  it('names the folder that cannot be read', () => {
    blobFolder(home).write(hash, bytes)
    const found = candidates(log(`"blob":"${hash}"`))
    rmSync(path.join(home, 'sessions'), { recursive: true })
    expect(() => [...removeBlobs({ home, candidates: found })]).toThrow(
      expect.objectContaining({ code: 'storage', message: expect.stringContaining('sessions') as string }),
    )
  })

  it('allows a later writer to write it again', () => {
    const blobs = blobFolder(home)
    blobs.write(hash, bytes)
    expect([...removeBlobs({ home, candidates: candidates(log(`"blob":"${hash}"`, 'c.txt')) })].flat()).toHaveLength(1)
    expect(blobs.touch(hash)).toBe(false)
    blobs.write(hash, bytes)
    expect(blobs.find(hash)).toEqual(bytes)
  })
})
