// Tests the lock of a session between processes.
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ownIdentity } from '../../../lib/host/process/process-identity.ts'
import { lockHolder, findLockFailure, takeLock } from '../../../lib/store/locks/session-lock.ts'
import { withCompileCache } from '../../support/compile-cache.ts'
import { sampleSize } from '../../support/sample-size.ts'

const sessionId = 'abcdefghij23'
/** No process has it: the largest pid of Linux is 2²². */
const gone = { pid: 4_194_305, startTime: '1', bootId: '' }
let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-lock-'))
  file = path.join(folder, 'log.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true }))

const lockText = () => readFileSync(`${file}.lock`, 'utf8')
const write = (text: string, ageS = 0) => {
  writeFileSync(`${file}.lock`, text)
  const time = Date.now() / 1000 - ageS
  utimesSync(`${file}.lock`, time, time)
}
const take = (socket?: string) => takeLock({ file, sessionId, ...(socket === undefined ? {} : { socket }) })

function locked(message: RegExp, data: object): unknown {
  return expect.objectContaining({
    code: 'session_locked',
    message: expect.stringMatching(message) as string,
    data: { file, ...data },
  })
}

describe('a lock', () => {
  it('that is a link is not trusted, and its target is not changed', () => {
    const elsewhere = path.join(folder, 'elsewhere')
    writeFileSync(elsewhere, JSON.stringify(gone))
    symlinkSync(elsewhere, `${file}.lock`)
    expect(() => take()).toThrow(expect.objectContaining({ code: 'storage' }) as Error)
    expect(readFileSync(elsewhere, 'utf8')).toBe(JSON.stringify(gone))
  })

  it('names its process and socket, private to this user, and is removed on release [LOG-lock_content]', () => {
    const lock = take('/run/rxpi.sock')
    const content = JSON.parse(lockText()) as Record<string, unknown>
    expect(Object.keys(content)).toEqual(['pid', 'startTime', 'bootId', 'socket'])
    expect(content).toEqual({ ...ownIdentity(), pid: process.pid, socket: '/run/rxpi.sock' })
    expect(lstatSync(`${file}.lock`).mode & 0o777).toBe(0o600)
    expect([lock.warnings, lockHolder(file)?.pid]).toEqual([[], process.pid])
    lock.release()
    lock.release()
    expect([readdirSync(folder), lockHolder(file), findLockFailure({ file, sessionId })]).toEqual([
      [],
      undefined,
      undefined,
    ])
  })

  it('that was released is not released again for its next holder', () => {
    const first = take()
    first.release()
    const second = take()
    first.release()
    expect(lockHolder(file)?.pid).toBe(process.pid)
    rmSync(`${file}.lock`)
    second.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([JSON.stringify(gone), 'damaged'])('with the content %s has no holder', (text) => {
    write(text)
    expect([lockHolder(file), findLockFailure({ file, sessionId })]).toEqual([undefined, undefined])
  })

  it('that cannot be created fails with the reason', () => {
    const elsewhere = path.join(folder, 'none', 'log.jsonl')
    const failure = { code: 'storage', data: { errno: 'ENOENT' } }
    expect(() => takeLock({ file: elsewhere, sessionId })).toThrow(expect.objectContaining(failure) as Error)
  })

  it('is refused to a second caller in the same process', () => {
    const lock = take()
    expect(() => take()).toThrow(locked(/open in this process \(\d+\) already/, { pid: process.pid }))
    lock.release()
    take().release()
  })

  it('of a live process is refused with its pid, its socket and a remedy [LOG-lock]', () => {
    const text = JSON.stringify({ pid: process.ppid, startTime: '', bootId: '', socket: '/run/other.sock' })
    write(text, 1e6)
    const message = /held by process \d+ \(socket \/run\/other\.sock\).*continue there, or try again.*reading works/
    expect(() => take()).toThrow(locked(message, { pid: process.ppid, socket: '/run/other.sock' }))
    expect(findLockFailure({ file, sessionId })).toEqual(
      locked(message, { pid: process.ppid, socket: '/run/other.sock' }),
    )
    expect(lockText()).toBe(text)
  })

  it.each([
    ['a pid that is gone', gone],
    ['our own pid with another start', { ...ownIdentity(), startTime: '1' }],
    ['another boot', { ...ownIdentity(), pid: process.ppid, bootId: 'another' }],
  ])('of %s is taken over [LOG-dead_lock]', (_what, holder) => {
    write(JSON.stringify(holder))
    const lock = take()
    expect([JSON.parse(lockText()), lock.warnings, lock.deadHolder, readdirSync(folder)]).toEqual([
      ownIdentity(),
      [],
      holder,
      ['log.jsonl.lock'],
    ])
    lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each(['', '{"pid":', 'null', '{"pid":"1","startTime":"","bootId":""}', '{"pid":0,"startTime":"","bootId":""}'])(
    'with the content %j can be one that is being written now, and is taken over with a warning when it is old',
    (text) => {
      write(text, 1)
      expect(() => take()).toThrow(locked(/being opened by another process at this moment/, {}))
      write(text, 10)
      const lock = take()
      expect(lock.warnings).toEqual([
        {
          code: 'damaged_lock',
          message: expect.stringMatching(/named no process and was older than 3 s.*taken for dead/) as string,
          context: { file: `${file}.lock` },
        },
      ])
      lock.release()
    },
  )

  it('is taken over also if another process died during a takeover', () => {
    write(JSON.stringify(gone))
    writeFileSync(`${file}.lock.takeover`, JSON.stringify({ ...gone, pid: gone.pid + 1 }))
    writeFileSync(`${file}.lock.new`, 'half')
    const lock = take()
    expect([JSON.parse(lockText()), readdirSync(folder)]).toEqual([ownIdentity(), ['log.jsonl.lock']])
    lock.release()
  })

  it('stays dead while a live process takes it over', () => {
    write(JSON.stringify(gone))
    writeFileSync(`${file}.lock.takeover`, JSON.stringify({ ...gone, pid: process.ppid, startTime: '' }))
    expect(() => take()).toThrow(locked(/held by process \d+, and only that process/, { pid: process.ppid }))
    expect(JSON.parse(lockText())).toEqual(gone)
  })

  it('of another holder is not removed', () => {
    const lock = take()
    write(JSON.stringify(gone))
    lock.release()
    expect(JSON.parse(lockText())).toEqual(gone)
  })

  it('that is a pipe without a writer is not waited for', () => {
    expect(spawnSync('mkfifo', [`${file}.lock`]).status).toBe(0)
    expect(() => take()).toThrow(expect.objectContaining({ code: 'session_locked' }))
  })

  it('that is no file is a failure with an explanation', () => {
    mkdirSync(`${file}.lock`)
    expect(() => take()).toThrow(expect.objectContaining({ code: 'storage', data: { errno: 'EISDIR' } }))
  })
})

const rivals = sampleSize(5, 20)

describe(`of ${rivals} processes at once`, () => {
  const program = fileURLToPath(new URL('./locking-process.ts', import.meta.url))
  let children: { readonly child: ChildProcess; ask(line: string): Promise<string> }[]

  beforeAll(() => {
    children = Array.from({ length: rivals }, () => {
      const child = spawn(process.execPath, [program], { env: withCompileCache(), stdio: ['pipe', 'pipe', 'inherit'] })
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
      const ask = async (line: string): Promise<string> => {
        child.stdin.write(`${line}\n`)
        return String((await lines.next()).value)
      }
      return { child, ask }
    })
  })

  afterAll(async () => {
    await Promise.all(
      children.map(async ({ child }) => {
        child.stdin?.end()
        if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      }),
    )
  })

  it.each([
    ['a log without a lock', undefined],
    ["a dead holder's lock", JSON.stringify(gone)],
    ['a damaged lock', 'damaged'],
  ])(
    'exactly one gets %s, again and again, and the others get the holder [LOG-dead_lock]',
    async (_what, text) => {
      for (let round = 1; round <= 15; round += 1) {
        if (text !== undefined) write(text, 100)
        const outcomes = await Promise.all(children.map(({ ask }) => ask(file)))
        const [winner] = children.filter((_child, index) => outcomes[index] === 'locked')
        const others = outcomes.filter((outcome) => outcome !== 'locked')
        expect([others.length, others.filter((outcome) => !outcome.startsWith('session_locked '))]).toEqual([
          rivals - 1,
          [],
        ])
        expect(JSON.parse(lockText())).toMatchObject({ pid: winner?.child.pid })
        expect(readdirSync(folder)).toEqual(['log.jsonl.lock'])
        await winner?.ask('release')
        expect(readdirSync(folder)).toEqual([])
      }
    },
    30_000,
  )
})
