// Tests what the file tools know of the files that the model saw, and that calls on one file take turns.
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Subscription } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileViews, wholeView } from '../../../lib/tools/files/file-views.ts'
import { builtInTools, tools } from '../../../lib/tools/index.ts'
import type { AnyTool, ToolContext } from '../../../lib/streams/ports/tool.ts'
import { namedLocks } from '../../../lib/streams/rx/named-locks.ts'
import { call, resultOf, testContext, textOf } from '../../contract/tool-contract.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-views-test-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const content = (name: string) => readFileSync(at(name), 'utf8')

/** The file tools of one session. */
function session(id: string, more: Partial<ToolContext> = {}) {
  const registry = builtInTools()
  const context = testContext(folder, { sessionId: id, ...more })
  return async (name: string, args: object) => {
    const tool = registry.find((each) => each.name === name) as AnyTool
    const result = await resultOf(tool, args, context)
    return { text: textOf(result), isError: result.isError === true }
  }
}

const edits = (oldText: string, newText: string) => [{ oldText, newText }]

describe('a file that changed since the model read it', () => {
  it('is not overwritten: the result says what changed, until it is read again [TOOLS-edit-stale]', async () => {
    const call = session('one')
    writeFileSync(at('a.txt'), 'one\ntwo\n')
    await call('read', { path: 'a.txt' })
    writeFileSync(at('a.txt'), 'one\n2\n')
    for (let round = 0; round < 2; round += 1) {
      const refused = await call('write', { path: 'a.txt', content: 'mine\n' })
      expect(refused.isError).toBe(true)
      expect(refused.text).toMatch(/a\.txt has changed since you last read it, and was not overwritten\. Read it again/)
      expect(refused.text).toContain('-two\n+2')
      expect(content('a.txt')).toBe('one\n2\n')
    }
    await call('read', { path: 'a.txt' })
    expect((await call('write', { path: 'a.txt', content: 'mine\n' })).isError).toBe(false)
    expect(content('a.txt')).toBe('mine\n')
  })

  it('is edited if the text is found, and the result says what changed [TOOLS-edit-stale]', async () => {
    const call = session('one')
    writeFileSync(at('a.txt'), 'one\ntwo\n')
    await call('read', { path: 'a.txt' })
    writeFileSync(at('a.txt'), 'one\ntwo\nthree\n')
    const first = await call('edit', { path: 'a.txt', edits: edits('one', '1') })
    expect(first.text).toContain('Note: the file had changed since you last read it:\n')
    expect(first.text).toContain('+three')
    expect(content('a.txt')).toBe('1\ntwo\nthree\n')
    expect((await call('edit', { path: 'a.txt', edits: edits('two', '2') })).text).not.toContain('Note')
  })

  it('is noticed after an own write and an own edit, by another session too [TOOLS-edit-stale]', async () => {
    const [one, other] = [session('one'), session('two')]
    await one('write', { path: 'a.txt', content: 'a\n' })
    expect((await one('write', { path: 'a.txt', content: 'b\n' })).isError).toBe(false)
    await other('edit', { path: 'a.txt', edits: edits('b', 'c') })
    expect((await one('write', { path: 'a.txt', content: 'd\n' })).isError).toBe(true)
    expect((await other('write', { path: 'a.txt', content: 'e\n' })).isError).toBe(false)
  })

  it('counts by its content: a touched file has not changed', async () => {
    const call = session('one')
    writeFileSync(at('a.txt'), 'one\n')
    await call('read', { path: 'a.txt' })
    utimesSync(at('a.txt'), 1, 1)
    expect((await call('write', { path: 'a.txt', content: 'two\n' })).isError).toBe(false)
  })

  it('counts by its time and size if only a part was read', async () => {
    const call = session('one')
    writeFileSync(at('a.txt'), 'one\ntwo\n')
    await call('read', { path: 'a.txt', limit: 1 })
    expect((await call('write', { path: 'a.txt', content: 'one\ntwo\n' })).isError).toBe(false)
    await call('read', { path: 'a.txt', limit: 1 })
    writeFileSync(at('a.txt'), 'one\n2\n')
    expect((await call('write', { path: 'a.txt', content: 'x' })).text).toMatch(/has changed since you last read it/)
  })

  it('stays refused to a write after an edit that could not show the whole change [TOOLS-edit-stale]', async () => {
    const call = session('one')
    writeFileSync(at('a.txt'), 'one\ntwo\n')
    await call('read', { path: 'a.txt' })
    writeFileSync(at('a.txt'), `one\n${'new line\n'.repeat(1000)}`)
    const edited = await call('edit', { path: 'a.txt', edits: edits('one', '1') })
    expect(edited.text).toMatch(/Note: the file had changed since you last read it; read it again/)
    expect((await call('write', { path: 'a.txt', content: 'x' })).isError).toBe(true)
    await call('read', { path: 'a.txt' })
    expect((await call('write', { path: 'a.txt', content: 'x' })).isError).toBe(false)
  })

  it('may be removed: a write creates it again and says so', async () => {
    const call = session('one')
    await call('write', { path: 'a.txt', content: 'a\n' })
    rmSync(at('a.txt'))
    expect((await call('write', { path: 'a.txt', content: 'b\n' })).text).toMatch(/^Created .*had been removed since/)
  })

  it('is the same file through a link and dots', async () => {
    const call = session('one')
    mkdirSync(at('sub'))
    writeFileSync(at('a.txt'), 'one\n')
    symlinkSync('a.txt', at('link'))
    await call('read', { path: 'link' })
    writeFileSync(at('a.txt'), 'two\n')
    expect((await call('write', { path: 'sub/../a.txt', content: 'x' })).isError).toBe(true)
  })
})

describe('fileViews', () => {
  const stamp = { mtimeNs: 1n, size: 1n }

  it('holds a bounded number of files and characters, the latest ones', () => {
    const views = fileViews({ files: 3, text: 10 })
    for (let index = 0; index < 5; index += 1) views.remember('s', `f${index}`, { stamp })
    expect([0, 1, 2, 3, 4].map((index) => views.find('s', `f${index}`) !== undefined)).toEqual([
      false,
      false,
      true,
      true,
      true,
    ])
    views.remember('s', 'long', wholeView(stamp, Buffer.from('12345678')))
    views.remember('s', 'longer', wholeView(stamp, Buffer.from('1234')))
    expect(views.find('s', 'long')).toBeUndefined()
    expect(views.find('s', 'longer')?.text).toBe('1234')
    expect(views.find('other', 'longer')).toBeUndefined()
  })
})

describe('calls on one file', () => {
  it('of two sessions never interleave, through links and dots [TOOLS-edit-locks]', async () => {
    const locks = namedLocks()
    mkdirSync(at('sub'))
    symlinkSync('../a.txt', at('sub/link'))
    writeFileSync(at('a.txt'), 'start\n')
    const [one, two] = [session('one', { locks }), session('two', { locks })]
    const names = ['a.txt', 'sub/link', 'sub/../a.txt', at('a.txt')]
    const results = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        (index % 2 === 0 ? one : two)('edit', { path: names[index % 4], edits: edits('start\n', `start\n${index}\n`) }),
      ),
    )
    expect(results.filter((result) => result.isError)).toEqual([])
    expect(content('a.txt').split('\n').filter(Boolean)).toHaveLength(41) // no edit was lost
  })

  it('wait for the lock, and an aborted one leaves it as it was [TOOLS-edit-locks]', async () => {
    const locks = namedLocks()
    writeFileSync(at('a.txt'), 'one\n')
    const holding = new Subscription()
    holding.add(locks.hold({ write: [at('a.txt')] }).subscribe())
    const context = testContext(folder, { locks })
    const subscription = call(tools.write, { path: 'a.txt', content: 'aborted' }, context).subscribe()
    const waiting = resultOf(tools.write, { path: 'a.txt', content: 'two\n' }, context)
    subscription.unsubscribe()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(content('a.txt')).toBe('one\n')
    holding.unsubscribe()
    expect(textOf(await waiting)).toMatch(/^Replaced/)
    expect(content('a.txt')).toBe('two\n')
    let free = false
    locks.hold({ write: [at('a.txt')] }).subscribe(() => (free = true))
    expect(free).toBe(true)
  })
})

describe('a placeholder of a secret', () => {
  it.each([
    ['write', { path: 'a.txt', content: 'key = [redacted:api key]\n' }],
    ['edit', { path: 'a.txt', edits: edits('two', '[redacted: secret]') }],
    ['edit, as the text to replace,', { path: 'a.txt', edits: edits('[redacted:APP_TOKEN]', 'two') }],
  ])('is not written by %s into a file that does not have it [S18c]', async (name, args) => {
    const call = session('one')
    writeFileSync(at('a.txt'), 'one\ntwo\n')
    const refused = await call(name.split(',')[0] ?? '', args)
    expect(refused.isError).toBe(true)
    expect(refused.text).toMatch(/stands for a secret that was hidden from you/)
    expect(content('a.txt')).toBe('one\ntwo\n')
  })

  it('stays in a file that has it, and takes no other one with it [S18c]', async () => {
    const call = session('one')
    writeFileSync(at('a.txt'), 'x = [redacted:a]\n')
    const isRefused = async (name: string, args: Record<string, unknown>): Promise<boolean> =>
      (await call(name, { path: 'a.txt', ...args })).isError
    expect(await isRefused('edit', { edits: edits('x = [redacted:a]', 'y = [redacted:a]') })).toBe(false)
    expect(await isRefused('write', { content: 'z = [redacted:a]\n' })).toBe(false)
    expect(await isRefused('write', { content: 'z = [redacted:a] [redacted:b]\n' })).toBe(true)
    expect(await isRefused('edit', { edits: edits('z = [redacted:a]', 'z = [redacted:a] [redacted:b]') })).toBe(true)
    expect(content('a.txt')).toBe('z = [redacted:a]\n')
  })
})
