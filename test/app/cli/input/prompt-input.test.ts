// Tests how the prompt is read: words, @files and piped input.
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, constants, mkdirSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { EMPTY, NEVER, Subject, concat, firstValueFrom, of, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readFile } from '../../../../app/cli/input/file-argument.ts'
import { readPromptInput } from '../../../../app/cli/input/prompt-input.ts'
import type { PromptInput } from '../../../../app/cli/input/prompt-input.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import type { FakeWorld } from '../../../support/fake-world.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

interface Requests {
  readonly words?: string
  readonly files?: readonly string[]
  readonly stdin?: 'added' | 'ignored' | 'only'
}

function ask(
  requests: Requests,
  stdin$?: Observable<Uint8Array>,
): { read: Promise<PromptInput | undefined>; own: FakeWorld } {
  const own = fakeWorld(stdin$ === undefined ? {} : { stdin$ })
  const invocation = { words: '', files: [], stdin: 'added', ...requests } as const
  return { read: firstValueFrom(readPromptInput(invocation, own.world), { defaultValue: undefined }), own }
}

async function textOf(requests: Requests, piped?: string): Promise<string | undefined> {
  const { read } = ask(requests, piped === undefined ? undefined : of(bytes(piped)))
  return (await read)?.text
}

describe('the prompt', () => {
  it.each<[string, Requests, string | undefined, string]>([
    ['words', { words: 'why?' }, undefined, 'why?'],
    ['piped input before the words', { words: 'why?' }, 'log\n', '<stdin>\nlog\n</stdin>\n\nwhy?'],
    ['piped input alone, as it came', {}, '  log\n', '  log\n'],
    ['words alone if the pipe is empty', { words: 'why?' }, '', 'why?'],
    ['words alone if the pipe has only spaces', { words: 'why?' }, ' \n', 'why?'],
    ['words alone if the pipe is ignored', { words: 'why?', stdin: 'ignored' }, 'log', 'why?'],
    ['piped input without -p', { stdin: 'only' }, 'why?', 'why?'],
  ])('consists of %s', async (_, requests, piped, wanted) => {
    expect(await textOf(requests, piped)).toBe(wanted)
  })

  it.each<[string, Requests, string | undefined, RegExp]>([
    ['nothing', {}, undefined, /^-p needs a prompt: rxpi -p/],
    ['an empty pipe', {}, '', /standard input was empty/],
    ['blank words', { words: '  ' }, undefined, /-p needs a prompt/],
  ])('is rejected for %s', async (_, requests, piped, message) => {
    await expect(textOf(requests, piped)).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message) as string,
    })
  })

  it('joins characters that are split between chunks of standard input', async () => {
    const whole = bytes('é😀')
    const { read } = ask({}, of(...Array.from(whole, (_, index) => whole.subarray(index, index + 1))))
    expect((await read)?.text).toBe('é😀')
  })

  it.each([
    ['bytes that are no UTF-8', Uint8Array.from([0xff, 0xfe, 0x41])],
    ['NUL', bytes('a\0b')],
  ])('is rejected for %s on standard input', async (_, chunk) => {
    await expect(ask({ words: 'x' }, of(chunk)).read).rejects.toThrow('standard input is not UTF-8 text')
  })

  it('is rejected if more than 16 MiB are piped in, without reading on', async () => {
    const chunk = new Uint8Array(1024 * 1024).fill(0x61)
    const endless$ = concat(...Array.from({ length: 20 }, () => of(chunk)), NEVER)
    await expect(ask({}, endless$).read).rejects.toThrow('standard input is longer than 16 MiB')
  })
})

describe('reading piped input', () => {
  it('prints one notice if the input has no end after 3 s [CLI-waits]', async () => {
    vi.useFakeTimers()
    const chunks$ = new Subject<Uint8Array>()
    const { read, own } = ask({ words: 'x' }, chunks$)
    await vi.advanceTimersByTimeAsync(2_999)
    expect(own.stderr.written).toBe('')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(own.stderr.written).toBe('rxpi: waiting for the end of standard input; use --no-stdin to ignore it\n')
    chunks$.complete()
    expect((await read)?.text).toBe('x')
    vi.useRealTimers()
  })

  it('prints no notice if the input ends within 3 s', async () => {
    vi.useFakeTimers()
    const { read, own } = ask(
      { words: 'x' },
      timer(2_900).pipe(() => EMPTY),
    )
    await vi.advanceTimersByTimeAsync(10_000)
    expect([(await read)?.text, own.stderr.written]).toEqual(['x', ''])
    vi.useRealTimers()
  })

  it('ends after 1 s if there is no prompt and no byte arrives', async () => {
    vi.useFakeTimers()
    const { read, own } = ask({ stdin: 'only' }, NEVER)
    await vi.advanceTimersByTimeAsync(1_000)
    expect([await read, own.stderr.written]).toEqual([undefined, ''])
    vi.useRealTimers()
  })
})

describe('an @file', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'rxpi-input-'))
    mkdirSync(join(folder, 'sub'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  function file(name: string, content: string | Uint8Array): string {
    const path = join(folder, name)
    writeFileSync(path, content)
    return path
  }

  function pipe(name: string): string {
    const path = join(folder, name)
    execFileSync('mkfifo', [path])
    return path
  }

  // macOS duplicates the descriptor, with O_NONBLOCK
  it.runIf(process.platform === 'linux')('that is a pipe with many small pieces takes little memory', () => {
    const path = pipe('pieces')
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = spawn('sh', ['-c', `for n in $(seq 100); do echo $n; sleep 0.005; done > ${path}`])
    const before = process.memoryUsage().arrayBuffers
    const text = readFile(`/dev/fd/${descriptor}`).toString()
    const grown = process.memoryUsage().arrayBuffers - before
    closeSync(descriptor)
    writer.kill()
    expect(text.split('\n')).toHaveLength(101)
    expect(grown).toBeLessThan(8 * 2 ** 20)
  })

  it('that is text comes before the words, with its path', async () => {
    const path = file('a "b".txt', 'one\ntwo')
    const text = await textOf({ words: 'why?', files: [path] })
    expect(text).toBe(`<file path=${JSON.stringify(path)}>\none\ntwo\n</file>\n\nwhy?`)
  })

  it('can be the whole prompt', async () => {
    expect(await textOf({ files: [file('only.txt', 'x')] })).toContain('\nx\n</file>')
  })

  it.each<[string, number[]]>([
    ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0]],
    ['image/jpeg', [0xff, 0xd8, 0xff, 0xe0]],
    ['image/gif', [...bytes('GIF89a')]],
    ['image/webp', [...bytes('RIFF'), 1, 2, 3, 4, ...bytes('WEBPVP8 ')]],
  ])('with %s content becomes an image, whatever its name', async (mimeType, content) => {
    const path = file('picture.txt', Uint8Array.from(content))
    const read = await ask({ words: 'what?', files: [path] }).read
    expect(read).toEqual({
      text: 'what?',
      images: [{ type: 'image', mimeType, data: Buffer.from(content).toString('base64') }],
    })
  })

  it.each(['Convert WEBP files to PNG', 'GIF8 is no version of it'])('with the content %j is text', async (text) => {
    expect(await textOf({ files: [file('about.txt', text)] })).toContain(`\n${text}\n</file>`)
  })

  it.each<[string, () => string, RegExp]>([
    ['is not there', () => join(folder, 'missing.txt'), /missing\.txt cannot be read: there is no such file in \//],
    ['is a folder', () => join(folder, 'sub'), /sub is a folder/],
    ['is neither text nor image', () => file('a.bin', Uint8Array.from([0, 1, 2])), /a\.bin is not UTF-8 text/],
    ['is too long', () => file('long', new Uint8Array(16 * 1024 * 1024 + 1)), /longer than 16 MiB/],
    ['is a device without an end', () => '/dev/zero', /@\/dev\/zero is a pipe or device/],
    ['is a pipe without a writer', () => pipe('pipe'), /pipe is a pipe or device/],
  ])('that %s is rejected with its name', async (_, make, message) => {
    await expect(ask({ words: 'x', files: [make()] }).read).rejects.toMatchObject({
      code: 'bad_request',
      message: expect.stringMatching(message) as string,
    })
  })
})
