// Tests the digest of an extension: what changes it, and what is refused.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { contentDigest, contentLimits, isHashed } from '../../../lib/extensions/discovery/content-digest.ts'

let top = ''
let root = ''
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-digest-')))
  root = path.join(top, 'ext')
  write('index.ts', 'export default 1')
  write('package.json', '{}')
  write('node_modules/left/index.js', 'module.exports = 1')
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

function write(name: string, content = name): void {
  const file = path.join(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
}

const valueOf = (value$: Observable<string>) => lastValueFrom(value$, { defaultValue: '' })
const digest = (limits = {}) => valueOf(contentDigest(root, { ...contentLimits, ...limits }))

describe('the digest of an extension', () => {
  it('depends on every file of it and of its dependencies, and on their names [S23a]', async () => {
    const first = await digest()
    expect(first).toMatch(/^[0-9a-f]{64}$/)
    const others: string[] = [first]
    for (const name of ['index.ts', 'package.json', 'node_modules/left/index.js', 'data/.hidden']) {
      write(name, `${name}!`)
      others.push(await digest())
    }
    renameSync(path.join(root, 'data/.hidden'), path.join(root, 'data/.hiddeo')) // its place among the others stays
    others.push(await digest())
    rmSync(path.join(root, 'package.json'))
    others.push(await digest())
    expect(new Set(others).size).toBe(others.length)
  })

  it('is the same for the same content at another place, and not moved between files', async () => {
    const first = await digest()
    const other = path.join(top, 'other')
    execFileSync('cp', ['-r', root, other])
    expect(await valueOf(contentDigest(other))).toBe(first)
    write('index.ts', '{}')
    write('package.json', 'export default 1')
    expect(await digest()).not.toBe(first)
  })

  it('leaves the folder of git aside, and nothing may be loaded from there [S23a]', async () => {
    const first = await digest()
    write('.git/index')
    expect(await digest()).toBe(first)
    expect(isHashed(path.join(root, 'index.ts'), { root })).toBe(true)
    expect(isHashed(path.join(root, '.git', 'index'), { root })).toBe(false)
    expect(isHashed(path.join(top, 'ext2'), { root })).toBe(false)
    write('node_modules/left/.git/x')
    expect(await digest()).not.toBe(first)
  })

  it('covers links in the folder, whose targets it reads once [S23a]', async () => {
    const first = await digest()
    mkdirSync(path.join(root, 'node_modules', '.bin'))
    symlinkSync('../left/index.js', path.join(root, 'node_modules', '.bin', 'left'))
    symlinkSync('..', path.join(root, 'node_modules', 'self'))
    const linked = await digest()
    expect(linked).not.toBe(first)
    rmSync(path.join(root, 'node_modules', 'self'))
    symlinkSync('../node_modules', path.join(root, 'node_modules', 'self'))
    expect(await digest()).not.toBe(linked)
  })

  it('is that of a single file', async () => {
    const file = path.join(root, 'index.ts')
    const first = await valueOf(contentDigest(file))
    write('package.json', 'other')
    expect(await valueOf(contentDigest(file))).toBe(first)
    write('index.ts', 'other')
    expect(await valueOf(contentDigest(file))).not.toBe(first)
  })

  it.each([
    ['a link out of the folder', () => { symlinkSync(tmpdir(), path.join(root, 'away')) }, 'away', /leads out of the folder/], // prettier-ignore
    ['a link into the folder of git', () => { write('.git/x'); symlinkSync('.git/x', path.join(root, 'x.js')) }, 'x.js', /leads out of the folder/], // prettier-ignore
    [
      'a link to nothing',
      () => {
        symlinkSync('missing', path.join(root, 'away'))
      },
      'away',
      /no such file/i,
    ],
    [
      'a pipe',
      () => {
        execFileSync('mkfifo', [path.join(root, 'pipe')])
      },
      'pipe',
      /pipe, socket or device/,
    ],
  ])('is refused with %s [S23a]', async (_, make, name, reason) => {
    // prettier-ignore
    make()
    await expect(digest()).rejects.toMatchObject({
      code: 'bad_request',
      data: { path: path.join(root, name) },
      message: expect.stringMatching(reason) as string,
    })
  })

  it.each([
    [{ files: 2 }, /more than 2 files/],
    [{ bytes: 20 }, /larger than/],
    [{ depth: 1 }, /more than 1 folders/],
  ])('is refused over the bound %o', async (limits, reason) => {
    write('a/b/c')
    await expect(digest(limits)).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(reason) as string }) // prettier-ignore
  })

  it('is refused for a root that is gone', async () => {
    rmSync(root, { recursive: true })
    await expect(digest()).rejects.toMatchObject({ code: 'bad_request', data: { path: root } })
  })
})
