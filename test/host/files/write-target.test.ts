// Tests writing to a path that a person named.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeTarget } from '../../../lib/host/files/write-target.ts'

let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-write-target-')))
})
afterEach(() => rmSync(folder, { recursive: true }))

const at = (name: string) => path.join(folder, name)
const write = (
  name: string,
  pieces: Iterable<string> = ['new'],
  { overwrite = false, signal = new AbortController().signal } = {},
): Promise<number> =>
  writeTarget(path.resolve(folder, name), pieces, { overwrite, signal, protectedPaths: [at('state'), at('rxpi.sock')] })

describe('writing where a person says', () => {
  it('creates a private file and leaves nothing beside it', async () => {
    expect(await write('out', ['a', '', 'ö', 'b'.repeat(100_000)])).toBe(100_002)
    expect(readFileSync(at('out'), 'utf8')).toBe(`aö${'b'.repeat(100_000)}`)
    expect(lstatSync(at('out')).mode & 0o777).toBe(0o600)
    expect(readdirSync(folder)).toEqual(['out'])
  })

  it('replaces a file only with overwrite, and names the way [S25b]', async () => {
    writeFileSync(at('out'), 'old')
    await expect(write('out')).rejects.toMatchObject({ code: 'bad_request', message: /exists already.*--force/ })
    expect(readFileSync(at('out'), 'utf8')).toBe('old')
    await write('out', ['new'], { overwrite: true })
    expect(readFileSync(at('out'), 'utf8')).toBe('new')
  })

  it('does not replace a file that appears while it writes [S25b]', async () => {
    function* pieces(): Generator<string> {
      writeFileSync(at('out'), 'theirs')
      yield 'new'
    }
    await expect(write('out', pieces())).rejects.toMatchObject({ code: 'bad_request' })
    expect([readFileSync(at('out'), 'utf8'), readdirSync(folder)]).toEqual(['theirs', ['out']])
  })

  it('keeps the old file and no trace after an abort or a failure [S25b]', async () => {
    writeFileSync(at('out'), 'old')
    const aborting = new AbortController()
    function* pieces(act: () => void): Generator<string> {
      yield 'x'.repeat(70_000)
      act()
      yield 'x'.repeat(70_000)
    }
    const stopped = write(
      'out',
      pieces(() => aborting.abort()),
      { overwrite: true, signal: aborting.signal },
    )
    await expect(stopped).rejects.toMatchObject({ name: 'AbortError' })
    const failing = pieces(() => {
      throw new Error('the log is damaged')
    })
    await expect(write('out', failing, { overwrite: true })).rejects.toThrow('the log is damaged')
    expect([readFileSync(at('out'), 'utf8'), readdirSync(folder)]).toEqual(['old', ['out']])
  })

  it('makes no file if it is aborted behind the last piece [S25b]', async () => {
    const aborting = new AbortController()
    const next = (): IteratorResult<string> => {
      aborting.abort()
      return { done: true, value: undefined }
    }
    const pieces = { [Symbol.iterator]: () => ({ next }) }
    await expect(write('out', pieces, { signal: aborting.signal })).rejects.toMatchObject({ name: 'AbortError' })
    expect(readdirSync(folder)).toEqual([])
  })

  it('streams to a device, which stays one [S25a]', async () => {
    expect(await write('/dev/null', ['new'])).toBe(3)
    await expect(write('/dev/full')).rejects.toMatchObject({ code: 'storage', data: { errno: 'ENOSPC' } })
    expect(lstatSync('/dev/null').isCharacterDevice() && lstatSync('/dev/full').isCharacterDevice()).toBe(true)
  })

  it('streams to a pipe at the pace of its reader, and waits for one [S25a]', async () => {
    execFileSync('mkfifo', [at('pipe')])
    const text = 'x'.repeat(300_000)
    let read = 0
    let lead = 0
    function* pieces(): Generator<string> {
      for (let made = 0; made < 20 * text.length; made += text.length) {
        lead = Math.max(lead, made - read)
        yield text
      }
    }
    const written = write('pipe', pieces())
    await new Promise((resolve) => setTimeout(resolve, 20))
    const descriptor = openSync(at('pipe'), constants.O_RDONLY | constants.O_NONBLOCK)
    const piece = Buffer.alloc(65_536)
    const readMore = (): void => {
      try {
        read += readSync(descriptor, piece)
      } catch {
        // nothing to read yet
      }
    }
    const reading = setInterval(readMore, 1)
    expect(await written).toBe(6_000_000)
    clearInterval(reading)
    for (let before = -1; before !== read;) {
      before = read
      readMore()
    }
    closeSync(descriptor)
    expect(read).toBe(6_000_000)
    expect(lead).toBeLessThan(2_000_000)
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true)
  })

  it('stops waiting for the reader of a pipe, and says that a reader left [S25a]', async () => {
    execFileSync('mkfifo', [at('pipe')])
    await expect(write('pipe', ['x'], { signal: AbortSignal.timeout(20) })).rejects.toThrow()
    const descriptor = openSync(at('pipe'), constants.O_RDONLY | constants.O_NONBLOCK)
    function* pieces(): Generator<string> {
      yield 'x'.repeat(65_536)
      closeSync(descriptor)
      yield 'x'.repeat(70_000)
    }
    await expect(write('pipe', pieces())).rejects.toMatchObject({ code: 'storage', message: /closed by its reader/ })
  })

  it.each<[string, () => void, string, RegExp]>([
    ['a link', () => symlinkSync(at('real'), at('out')), 'out', /is a symbolic link/],
    [
      'a link to a file',
      () => {
        writeFileSync(at('real'), 'old')
        symlinkSync('real', at('out'))
      },
      'out',
      /symbolic link/,
    ],
    ['a link to a device', () => symlinkSync('/dev/null', at('out')), 'out', /is a symbolic link/],
    [
      'through a linked folder',
      () => {
        mkdirSync(at('real'))
        symlinkSync('real', at('l'))
      },
      'l/out',
      /l is a symbolic link/,
    ],
    [
      'through a link further up',
      () => {
        mkdirSync(at('real/below'), { recursive: true })
        symlinkSync('real', at('l'))
      },
      'l/below/out',
      /l is a symbolic link/,
    ],
    ['a folder', () => mkdirSync(at('out')), 'out', /is a folder; name a file in it/],
    ['a missing folder', () => undefined, 'missing/out', /missing is not a folder; create it first/],
    ['below a file', () => writeFileSync(at('file'), ''), 'file/out', /file is not a folder/],
    ['the state', () => mkdirSync(at('state')), 'state/out', /rxpi keeps its own files there/],
    [
      'the folder behind a linked state',
      () => {
        mkdirSync(at('kept'))
        symlinkSync('kept', at('state'))
      },
      'kept/out',
      /rxpi keeps its own files there/,
    ],
    ['the own socket', () => undefined, 'rxpi.sock', /rxpi keeps its own files there/],
    ['an open log', () => writeFileSync(at('log.jsonl.lock'), ''), 'log.jsonl', /the log of an open session/],
  ])('refuses %s, also with overwrite [S25c]', async (_name, prepare, name, message) => {
    prepare()
    const before = readdirSync(folder)
    await expect(write(name, ['new'], { overwrite: true })).rejects.toMatchObject({ message })
    expect(readdirSync(folder)).toEqual(before)
    if (before.includes('real') && lstatSync(at('real')).isFile()) expect(readFileSync(at('real'), 'utf8')).toBe('old')
  })

  it('refuses a socket that listens, which stays one [S25c]', async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(at('live'), resolve))
    await expect(write('live', ['new'], { overwrite: true })).rejects.toMatchObject({ message: /is a socket/ })
    expect(lstatSync(at('live')).isSocket()).toBe(true)
    await new Promise((resolve) => server.close(resolve))
  })

  it('refuses a disk, which stays one [S25c]', async (context) => {
    // A node that no driver serves: nothing could be written to it, whatever the code does.
    const major = unservedBlockMajor()
    const made = major !== undefined && spawnSync('mknod', [at('disk'), 'b', major, '0']).status === 0
    context.skip(!made, 'needs the right to make device nodes')
    await expect(write('disk')).rejects.toMatchObject({ code: 'bad_request', message: /is a disk, not a file/ })
    await expect(write('disk', ['new'], { overwrite: true })).rejects.toMatchObject({ message: /is a disk/ })
    expect([lstatSync(at('disk')).isBlockDevice(), readdirSync(folder)]).toEqual([true, ['disk']])
  })
})

/** A number that Linux reserves for local use, 240 to 254, without a driver here; undefined on other systems. */
function unservedBlockMajor(): string | undefined {
  if (process.platform !== 'linux') return undefined
  const blocks = readFileSync('/proc/devices', 'utf8').split('Block devices:')[1] ?? ''
  const served = new Set(blocks.match(/^ *\d+/gm)?.map(Number))
  return Array.from({ length: 15 }, (_, index) => 240 + index)
    .find((major) => !served.has(major))
    ?.toString()
}
