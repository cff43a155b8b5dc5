// Tests the faults of files: special ones, links, rights, encoding, a full disk.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { createServer } from 'node:net'
import type { Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { builtInTools } from '../../../lib/tools/index.ts'
import { resultOf, testContext, textOf } from '../../contract/tool-contract.ts'
import { openFence } from './open-fence.ts'
import { callTools, callToolsAsNobody, callToolsOnSmallDisk } from './call-tools.ts'
import { otherUserProblem } from '../../support/other-user.ts'
import { isFull } from '../../support/sample-size.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-faults-')))
const at = (name: string): string => path.join(folder, name)
const tools = builtInTools()
const canMount = ((): boolean => {
  try {
    const isRoot = process.geteuid?.() === 0
    execFileSync('unshare', [isRoot ? '-m' : '-Urm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()

/** True in the second round: the tools open files behind the fence of a session. */
let isFenced = false

async function result(name: string, args: object) {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) throw new Error(`there is no tool ${name}`)
  const { isError = false, ...rest } = await resultOf(
    tool,
    args,
    testContext(folder, isFenced ? { sandbox: openFence(folder) } : {}),
  )
  return { isError, text: textOf({ ...rest, isError }) }
}

const edits = [{ oldText: 'a', newText: 'b' }]
const lineEdits = [{ op: 'append', lines: ['a'] }]
const changes = (file: string) =>
  [
    ['write', { path: file, content: 'x' }],
    ['edit', { path: file, edits }],
    ['hashline_edit', { path: file, edits: lineEdits }],
  ] as const

let socket: Server
beforeAll(async () => {
  execFileSync('mkfifo', [at('pipe')])
  symlinkSync('pipe', at('to-pipe'))
  symlinkSync('/dev/zero', at('to-zero'))
  symlinkSync('two', at('one'))
  symlinkSync('one', at('two'))
  mkdirSync(at('round'))
  symlinkSync('..', at('round/up'))
  socket = createServer()
  await new Promise<void>((resolve) => socket.listen(at('socket'), resolve))
})
afterAll(async () => {
  await new Promise((resolve) => socket.close(resolve))
  rmSync(folder, { recursive: true })
})

describe.each([
  ['directly', false],
  ['behind the fence', true],
])('%s:', (_, fenced) => {
  beforeAll(() => void (isFenced = fenced))
  // each starts a process; `npm test` has them in the first round
  const inProcess = it.runIf(isFull || !fenced)

  describe('a pipe, device or socket [TOOLS-faults-files]', () => {
    it.each(['pipe', 'to-pipe', 'socket', 'to-zero', '/dev/zero', '/dev/null', '/dev/tty'])(
      '%s is refused by read, write and edits at once',
      async (name) => {
        for (const [tool, args] of [['read', { path: name }] as const, ...changes(name)]) {
          const { isError, text } = await result(tool, args)
          expect(isError).toBe(true)
          expect(text).toMatch(/(?:is a pipe, socket or device|it is a socket or a device), not a /)
        }
      },
    )

    it('in the guise of a regular file does not hold a call, nor one that takes the place of a file', async () => {
      for (const [tool, args] of [['read', { path: '/proc/kmsg' }] as const, ...changes('/proc/kmsg').slice(1)]) {
        expect(await result(tool, args)).toMatchObject({ isError: true }) // reading it waits for the next message
      }
      writeFileSync(at('swapped'), 'a')
      const editing = result('edit', { path: 'swapped', edits })
      unlinkSync(at('swapped'))
      execFileSync('mkfifo', [at('swapped')])
      expect((await editing).isError).toBe(true)
      unlinkSync(at('swapped'))
    })
  })

  describe('a loop of links [TOOLS-faults-files]', () => {
    it('is refused by read, write, edits, searches and ls', async () => {
      const before = readdirSync(folder)
      const reads = ['read', 'ls', 'find'].map((tool) => [tool, { path: 'one', pattern: '*' }] as const)
      for (const [tool, args] of [...reads, ['grep', { pattern: 'a', path: 'one' }] as const, ...changes('one')]) {
        const { isError, text } = await result(tool, args)
        expect(isError).toBe(true)
        expect(text).toMatch(/^Could not \w+ \S*one: its symbolic links lead in a circle\.$/)
      }
      expect(readdirSync(folder)).toEqual(before)
    })

    it('through a folder is not walked, and a path through it works', async () => {
      writeFileSync(at('round/deep.txt'), 'a\n')
      expect(await result('find', { pattern: 'deep.txt' })).toEqual({ isError: false, text: 'round/deep.txt' })
      expect((await result('read', { path: 'round/up/round/up/round/deep.txt' })).text).toBe('a\n')
      expect((await result('edit', { path: 'round/up/round/deep.txt', edits })).isError).toBe(false)
      expect(readFileSync(at('round/deep.txt'), 'utf8')).toBe('b\n')
    })
  })

  describe('an unreadable or vanishing file [TOOLS-faults-files]', () => {
    inProcess('is named with the reason, and a search counts it', async ({ skip }) => {
      const problem = otherUserProblem()
      skip(problem !== undefined, problem)
      for (const each of [path.dirname(folder), folder]) chmodSync(each, 0o711)
      mkdirSync(at('rights/closed'), { recursive: true })
      for (const name of ['rights/open.txt', 'rights/secret.txt', 'rights/closed/in.txt'])
        writeFileSync(at(name), 'abc\n')
      chmodSync(at('rights/secret.txt'), 0)
      chmodSync(at('rights/closed'), 0)
      const [read, edit, write, list, grep, find] = await callToolsAsNobody(
        at('rights'),
        [
          ['read', { path: 'secret.txt' }],
          ['edit', { path: 'secret.txt', edits }],
          ['write', { path: 'secret.txt', content: 'x' }],
          ['ls', { path: 'closed' }],
          ['grep', { pattern: 'abc' }],
          ['find', { pattern: '*.txt' }],
        ],
        isFenced,
      )
      expect(read?.text).toBe(`Could not read ${at('rights/secret.txt')}: permission denied.`)
      expect(edit?.text).toBe(`Could not edit ${at('rights/secret.txt')}: permission denied.`)
      expect(write?.text).toBe(`Could not write ${at('rights/secret.txt')}: permission denied.`)
      expect(list?.text).toBe(`Could not list ${at('rights/closed')}: permission denied.`)
      expect(grep?.text).toBe('open.txt:1: abc\n[2 paths could not be read.]')
      expect(find?.text).toBe('open.txt\nsecret.txt\n[1 path could not be read.]')
      expect(readFileSync(at('rights/secret.txt'), 'utf8')).toBe('abc\n')
    })

    it('that is removed while it is read is read whole, and an edit of it writes nothing', async () => {
      const lines = 'line\n'.repeat(200_000)
      writeFileSync(at('going.txt'), lines)
      const reading = result('read', { path: 'going.txt', offset: 199_999 })
      const editing = result('edit', { path: 'going.txt', edits: [{ oldText: 'missing', newText: 'x' }] })
      unlinkSync(at('going.txt'))
      expect((await editing).isError).toBe(true)
      expect((await reading).text).toMatch(/line\nline\n|does not exist/)
      expect(readdirSync(folder)).not.toContain('going.txt')
    })

    it('that is removed while folders are searched costs its own matches alone', async () => {
      mkdirSync(at('moving'), { recursive: true })
      writeFileSync(at('moving/stays.txt'), 'needle\n')
      for (let index = 0; index < 300; index += 1) writeFileSync(at(`moving/${index}.txt`), 'needle\n')
      const searches = [result('grep', { pattern: 'needle', path: 'moving', limit: 400 }), result('find', { pattern: '*.txt', path: 'moving' })] // prettier-ignore
      for (let index = 0; index < 300; index += 1) unlinkSync(at(`moving/${index}.txt`))
      for (const { isError, text } of await Promise.all(searches)) {
        expect(isError).toBe(false)
        expect(text).toContain('moving/stays.txt')
      }
    })
  })

  describe('bytes that are not UTF-8 [TOOLS-faults-files]', () => {
    it('are shown as U+FFFD, found by a search, and kept: edits refuse the file', async () => {
      const bytes = Buffer.from('caf\xe9 one\n\xff\xfe two\n', 'latin1')
      writeFileSync(at('latin.txt'), bytes)
      expect((await result('read', { path: 'latin.txt' })).text).toBe('caf\u{FFFD} one\n\u{FFFD}\u{FFFD} two\n')
      expect((await result('grep', { pattern: 'two', path: 'latin.txt' })).text).toBe(
        'latin.txt:2: \u{FFFD}\u{FFFD} two',
      )
      for (const [tool, args] of changes('latin.txt').slice(1)) {
        expect(await result(tool, args)).toEqual({ isError: true, text: `${at('latin.txt')} is not UTF-8 text; change it with bash.` }) // prettier-ignore
      }
      expect(readFileSync(at('latin.txt'))).toEqual(bytes)
    })
  })

  describe('a full disk [TOOLS-faults-files]', () => {
    const big = 'x'.repeat(2 ** 21)

    it.runIf(canMount && (isFull || !fenced))('leaves the old file whole, and nothing beside it', async () => {
      mkdirSync(at('disk'), { recursive: true })
      const old = 'old line\n'.repeat(70_000)
      writeFileSync(at('old'), old)
      const outcomes = await callToolsOnSmallDisk(folder, [
      ['write', { path: 'old.txt', content: big }],
      ['write', { path: 'new/file.txt', content: big }],
      ['hashline_edit', { path: 'old.txt', edits: lineEdits }],
      ['bash', { command: 'ls -A . new; cmp old.txt ../old && echo same' }],
    ], { before: 'cp ../old old.txt', isFenced }) // prettier-ignore
      expect(outcomes.map(({ text }) => text)).toEqual([
        `Could not write ${at('disk/old.txt')}: no space is left on the disk.`,
        `Could not write ${at('disk/new/file.txt')}: no space is left on the disk.`,
        `Could not edit ${at('disk/old.txt')}: no space is left on the disk.`,
        '.:\nnew\nold.txt\n\nnew:\nsame\n',
      ])
    })

    inProcess('or a limit of the size of files does the same without root', async () => {
      writeFileSync(at('kept.txt'), 'a line\n'.repeat(20_000))
      const outcomes = await callTools(folder, [
      ['write', { path: 'kept.txt', content: big }],
      ['edit', { path: 'kept.txt', edits: [{ oldText: 'no', newText: 'x' }] }],
    ], { before: 'ulimit -f 100', isFenced }) // prettier-ignore
      expect(outcomes[0]).toMatchObject({
        isError: true,
        text: `Could not write ${at('kept.txt')}: the file is too large.`,
      })
      expect(readFileSync(at('kept.txt'), 'utf8')).toBe('a line\n'.repeat(20_000))
      expect(readdirSync(folder).filter((name) => name.startsWith('kept.txt'))).toEqual(['kept.txt'])
    })
  })
})
