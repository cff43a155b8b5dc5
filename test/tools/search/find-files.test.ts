// Tests the file search: .gitignore, ranking, bounds, and one listing for many requests.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fileFinder } from '../../../lib/tools/search/find-files.ts'
import type { FileFinderOptions, FindFiles } from '../../../lib/tools/search/find-files.ts'
import { listFiles } from '../../../lib/tools/search/list-files.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-find-files-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function put(...names: string[]): void {
  for (const name of names) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), '')
  }
}

const found = async (wanted: Partial<FindFiles> = {}, options: Partial<FileFinderOptions> = {}) => {
  const finder = fileFinder({ env: {}, ...options })
  const result = await lastValueFrom(finder.find({ cwd: folder, ...wanted }), { defaultValue: undefined })
  await lastValueFrom(finder.close(), { defaultValue: undefined })
  return result
}

/** A replacement of ripgrep that counts its calls. */
function program(script: string): { readonly program: string; calls(): number } {
  const [file, log] = [path.join(folder, 'rg'), path.join(folder, 'log')]
  writeFileSync(log, '')
  writeFileSync(file, `#!/bin/sh\necho "$@" >> '${log}'\n${script}\n`)
  chmodSync(file, 0o700)
  return { program: file, calls: () => readFileSync(log, 'utf8').split('\n').length - 1 }
}

describe('find_files', () => {
  it('finds files that .gitignore does not exclude, hidden files and folders too, outside of git [COMMAND-find_files]', async () => {
    put('src/main.ts', '.env', 'dist/out.js', '.git/config', 'sub/.git/HEAD', 'sub/a.log')
    writeFileSync(path.join(folder, '.gitignore'), 'dist/\n*.log\n')
    const { files = [], ...more } = (await found()) ?? {}
    expect(files).toEqual(['.env', '.gitignore', 'src/', 'src/main.ts'])
    expect(more).toEqual({ more: false, complete: true })
  })

  it('reads no configuration of the folder or the environment, and follows no link [S16b]', async () => {
    put('a.txt', 'secret/b.txt')
    writeFileSync(path.join(folder, '.ripgreprc'), '--glob=!a.txt\n')
    symlinkSync('/etc', path.join(folder, 'etc'))
    process.env['RIPGREP_CONFIG_PATH'] = path.join(folder, '.ripgreprc')
    const result = await found({ query: 'txt' }).finally(() => delete process.env['RIPGREP_CONFIG_PATH'])
    expect(result?.files).toEqual(['a.txt', 'secret/b.txt'])
  })

  it('starts ripgrep without configuration, with only the variables that locate ignore files [S16b]', async () => {
    const fake = program(`echo "$HOME:\${RIPGREP_CONFIG_PATH-none}:\${SECRET-none}" >> '${path.join(folder, 'log')}'`)
    const env = { HOME: '/nowhere', RIPGREP_CONFIG_PATH: '/nowhere/rc', SECRET: 'x' }
    await found({}, { program: fake.program, env })
    const [called, variables] = readFileSync(path.join(folder, 'log'), 'utf8').split('\n')
    expect([called?.split(' '), variables]).toEqual([expect.arrayContaining(['--no-config']), '/nowhere:none:none'])
  })

  it('ranks by the typed text, bounded [COMMAND-find_files]', async () => {
    put('lib/session/session-host.ts', 'lib/server/socket.ts', 'docs/sessions.md', 'sh.txt')
    expect((await found({ query: 'seshost' }))?.files[0]).toBe('lib/session/session-host.ts')
    const one = await found({ query: 's', limit: 2 })
    expect([one?.files.length, one?.more]).toEqual([2, true])
    expect((await found({ query: 'zzz' }))?.files).toEqual([])
  })

  it('omits names with control characters', async () => {
    put('plain.txt', 'two\nlines.txt', 'esc\u{1b}[31m.txt')
    expect((await found())?.files).toEqual(['plain.txt'])
  })

  it('lists a folder once for many requests at once', async () => {
    const { program: rg, calls } = program(String.raw`printf 'a\0b/c\0'`)
    const finder = fileFinder({ env: {}, program: rg, keepMs: 60_000 })
    const ask = (query: string) => lastValueFrom(finder.find({ cwd: folder, query }), { defaultValue: undefined })
    const results = await Promise.all([ask('a'), ask('c'), ask('')])
    results.push(await ask('b'))
    expect(results.map((result) => result?.files)).toEqual([['a'], ['b/c'], ['a', 'b/', 'b/c'], ['b/', 'b/c']])
    expect(calls()).toBe(1)
    await lastValueFrom(finder.close(), { defaultValue: undefined })
  })

  it('explains that ripgrep is missing or failed', async () => {
    await expect(found({}, { program: path.join(folder, 'none') })).rejects.toThrow('Could not start')
    const { program: rg } = program('echo broken >&2; exit 2')
    await expect(found({}, { program: rg })).rejects.toMatchObject({
      code: 'storage',
      message: expect.stringContaining('broken') as string,
    })
  })
})

describe('listFiles', () => {
  const listed = (options: { program?: string; maxFiles?: number; limitMs?: number }) =>
    lastValueFrom(listFiles({ cwd: folder, env: {}, ...options }), { defaultValue: undefined })

  it('stops at its maximum of files, and reports it', async () => {
    const { program: rg } = program(String.raw`i=0; while :; do i=$((i+1)); printf 'f%s\0' $i; done`)
    const result = await listed({ program: rg, maxFiles: 100 })
    expect([result?.files.length, result?.isComplete]).toEqual([100, false])
  })

  it('stops at its time limit, and reports it', async () => {
    const { program: rg } = program(String.raw`printf 'a\0'; sleep 60`)
    expect(await listed({ program: rg, limitMs: 200 })).toEqual({ files: ['a'], isComplete: false })
  })
})
