// Tests the write tool.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { namedLocks } from '../../../lib/streams/rx/named-locks.ts'
import { write } from '../../../lib/tools/index.ts'
import { call, resultOf, testContext, textOf, toolContract } from '../../contract/tool-contract.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-write-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const writeFile = (file: string, content: string) => resultOf(write, { path: file, content }, testContext(folder))

toolContract('write', () => ({
  tool: write,
  succeeding: () => ({ path: 'a.txt', content: 'hello\n' }),
  failing: (cwd) => ({ path: cwd, content: '' }),
  pending: (cwd) => {
    writeFileSync(path.join(cwd, 'a.txt'), 'old')
    return { path: 'a.txt', content: 'new'.repeat(1_000_000) }
  },
  leaves: ['a.txt'],
  invalid: [{}, { path: 'a' }, { path: 1, content: '' }],
}))

describe('write', () => {
  it('creates a file with its parents and reports it', async () => {
    const result = await writeFile('deep/er/a.txt', 'one\ntwo ö\n')
    expect(readFileSync(at('deep/er/a.txt'), 'utf8')).toBe('one\ntwo ö\n')
    expect(textOf(result)).toBe(`Created ${at('deep/er/a.txt')} (11 bytes).`)
    expect(result.details).toEqual({
      path: at('deep/er/a.txt'),
      bytes: 11,
      created: true,
      diff: '--- /dev/null\n+++ deep/er/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two ö\n',
    })
  })

  it('creates no folder after it was unsubscribed', async () => {
    const locks = namedLocks()
    call(write, { path: 'deep/er/a.txt', content: '' }, testContext(folder, { locks })).subscribe().unsubscribe()
    await firstValueFrom(locks.hold({ write: [at('deep/er/a.txt')] }), { defaultValue: undefined }) // the work has ended
    expect(readdirSync(folder)).toEqual([])
  })

  it('replaces a file, with a diff of the change', async () => {
    writeFileSync(at('a.txt'), 'one\ntwo\n')
    const result = await writeFile('a.txt', 'one\n2\n')
    expect(textOf(result)).toBe(`Replaced ${at('a.txt')} (6 bytes).`)
    expect(result.details).toMatchObject({
      created: false,
      diff: '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
    })
  })

  it('replaces the file, not its content: a reader of the old file reads it whole', async () => {
    writeFileSync(at('a.txt'), 'old')
    linkSync(at('a.txt'), at('other-name'))
    await writeFile('a.txt', 'new')
    expect(readFileSync(at('other-name'), 'utf8')).toBe('old')
    expect(readdirSync(folder).sort()).toEqual(['a.txt', 'other-name'])
  })

  it.each([0o755, 0o600, 0o664])('keeps mode %o', async (mode) => {
    writeFileSync(at('a.sh'), 'old')
    chmodSync(at('a.sh'), mode)
    await writeFile('a.sh', 'new')
    expect(statSync(at('a.sh')).mode & 0o777).toBe(mode)
  })

  it('drops setuid and setgid: new content has no rights of the old [FILES-write]', async () => {
    writeFileSync(at('tool'), 'old')
    chmodSync(at('tool'), 0o6755)
    await writeFile('tool', 'new')
    expect(statSync(at('tool')).mode & 0o7777).toBe(0o755)
  })

  it('says that it parts a hard link [FILES-write]', async () => {
    writeFileSync(at('a.txt'), 'old')
    linkSync(at('a.txt'), at('b.txt'))
    expect(textOf(await writeFile('a.txt', 'new'))).toMatch(/Another name \(hard link\) of the old file keeps the old/)
    linkSync(at('b.txt'), at('c.txt'))
    linkSync(at('b.txt'), at('d.txt'))
    expect(textOf(await writeFile('b.txt', 'new'))).toMatch(/2 other names \(hard links\) of the old file keep the old/)
    expect(textOf(await writeFile('a.txt', 'newer'))).not.toContain('hard link')
  })

  it('lets others run while it writes 12 MB [FILES-write]', async () => {
    let ticks = 0
    const ticking = setInterval(() => (ticks += 1), 1)
    await writeFile('a.txt', 'some line of text\n'.repeat(700_000))
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(3)
    expect(statSync(at('a.txt')).size).toBe(12_600_000)
  })

  it('follows a symbolic link to its target', async () => {
    mkdirSync(at('real'))
    writeFileSync(at('real/a.txt'), 'old')
    symlinkSync('real/a.txt', at('link'))
    await writeFile('link', 'new')
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(at('real/a.txt'), 'utf8')).toBe('new')
    expect(readdirSync(at('real'))).toEqual(['a.txt'])
  })

  it('follows a dangling link, too', async () => {
    symlinkSync('not/there/yet', at('link'))
    await writeFile('link', 'new')
    expect(lstatSync(at('link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(at('not/there/yet'), 'utf8')).toBe('new')
  })

  it('shows no diff of a binary or large file, and still replaces it', async () => {
    writeFileSync(at('binary'), Buffer.from([0, 255, 0]))
    writeFileSync(at('large'), 'x'.repeat(600_000))
    for (const name of ['binary', 'large']) {
      expect((await writeFile(name, 'new')).details).toEqual({ path: at(name), bytes: 3, created: false })
      expect(readFileSync(at(name), 'utf8')).toBe('new')
    }
  })

  it('shows no diff that would take too long', async () => {
    const lines = (word: string) => Array.from({ length: 20_000 }, (_, index) => `${word} ${index}\n`).join('')
    writeFileSync(at('a.txt'), lines('old'))
    expect((await writeFile('a.txt', lines('new'))).details).not.toHaveProperty('diff')
  })

  it.each([
    ['a folder', () => mkdirSync(at('target')), /is a folder, not a file/],
    ['a pipe', () => execFileSync('mkfifo', [at('target')]), /not a regular file/],
  ])('does not replace %s', async (_, prepare, message) => {
    prepare()
    const result = await writeFile('target', 'new')
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(message)
    expect(lstatSync(at('target')).isFile()).toBe(false)
  })

  it('refuses a folder', async () => {
    writeFileSync(at('file'), 'old')
    const result = await writeFile('file/a.txt', 'new')
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/a part of the path is a file, not a folder/)
  })

  it('is not interrupted: the file has the old or the new content, whole, and nothing is left beside it', async () => {
    const locks = namedLocks()
    for (let ms = 0; ms < 12; ms += 1) {
      writeFileSync(at('a.txt'), 'old')
      const content = 'new'.repeat(300_000)
      const subscription = call(write, { path: 'a.txt', content }, testContext(folder, { locks })).subscribe()
      await new Promise((resolve) => setTimeout(resolve, ms))
      subscription.unsubscribe()
      await firstValueFrom(locks.hold({ write: [at('a.txt')] }), { defaultValue: undefined }) // the work has ended
      expect(['old', content]).toContain(readFileSync(at('a.txt'), 'utf8'))
      expect(readdirSync(folder)).toEqual(['a.txt'])
    }
  })

  it('locks the file that it writes, existing or not [LOOP-6d]', () => {
    mkdirSync(at('real'))
    symlinkSync('real', at('alias'))
    const locks = (file: string) => write.locks?.({ path: file, content: '' }, { cwd: folder })
    expect(locks('alias/a.txt')).toEqual({ write: [at('real/a.txt')] })
    expect(locks('alias/new/b.txt')).toEqual({ write: [at('real/new/b.txt')] })
  })
})
