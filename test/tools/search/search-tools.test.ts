// Tests grep, find and ls: one suite for both engines, which give equal results.
// Over 250 lines: the three tools over both of their programs.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom, throwError } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createFindTool } from '../../../lib/tools/search/find.ts'
import { createGrepTool } from '../../../lib/tools/search/grep.ts'
import { createLsTool } from '../../../lib/tools/search/ls.ts'
import { createRipgrepEngine } from '../../../lib/tools/search/ripgrep-engine.ts'
import { chooseEngine, nodeEngine } from '../../../lib/tools/search/choose-engine.ts'
import { resultOf, testContext, textOf, toolContract } from '../../contract/tool-contract.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-search-'))
const context = testContext(folder)
afterAll(() => rmSync(folder, { recursive: true }))

function put(files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
}

beforeAll(() => {
  put({
    '.gitignore': '# rules\nbuild/\n*.log\n!keep.log\n/only-top.txt\ndocs/*.tmp\n\\#odd\ntrail.md   \n',
    'src/a.ts': 'import x\nexport const one = 1\nexport const two = 2\n// last',
    'src/deep/b.ts': 'one\r\nTWO one\r\n',
    'src/deep/.gitignore': 'secret.ts\n!err.log\n',
    'src/deep/secret.ts': 'one\n',
    'src/deep/err.log': 'one\n',
    'src/c.test.ts': 'const one = 1\n',
    'build/out.js': 'one\n',
    'keep.log': 'one\n',
    'drop.log': 'one\n',
    'only-top.txt': 'one\n',
    'src/only-top.txt': 'one\n',
    'docs/x.tmp': 'one\n',
    'docs/in/x.tmp': 'one\n',
    'trail.md': 'one\n',
    '#odd': 'one\n',
    '.hidden/h.txt': 'one\n',
    '.git/config': 'one\n',
    '.ignore': 'src\n',
    'latin.txt': Buffer.from('caf\xe9 one\n', 'latin1'),
    'utf16.txt': Buffer.from('\u{FEFF}one wide\n', 'utf16le'),
    'bom.txt': '\u{FEFF}one\n',
    'binary.bin': Buffer.from('one\0\n'),
    'late.bin': Buffer.from(`one\n${'x'.repeat(200_000)}\0`),
    'long.txt': `${'a'.repeat(3000)}needle${'b'.repeat(3000)}\n`,
    'too-long.txt': `${'a'.repeat(2_100_000)}needle\nneedle here\n`,
    'two\nlines.txt': 'one\n',
    'nested/.git/HEAD': '',
    'nested/free.log': 'one\n',
    'brackets[1].md': 'a.b\na+b\n',
    'empty.txt': '',
  })
  execFileSync('mkfifo', [path.join(folder, 'pipe')])
  symlinkSync('..', path.join(folder, 'src/loop'))
  symlinkSync('/etc', path.join(folder, 'etc'))
})

const byNode = { engine: nodeEngine }
const engines = [
  ['ripgrep', {}],
  ['node', byNode],
] as const

describe.each(engines)('grep by %s', (name, options) => {
  const grep = createGrepTool(options)
  const text = async (args: Parameters<typeof grep.execute>[0]) => textOf(await resultOf(grep, args, context))

  it('shows matches as path:line: text, sorted, without what .gitignore names [TOOLS-search-grep]', async () => {
    expect((await text({ pattern: 'one' })).split('\n')).toEqual([
      '.hidden/h.txt:1: one',
      'bom.txt:1: one',
      'docs/in/x.tmp:1: one',
      'keep.log:1: one',
      'latin.txt:1: caf\u{FFFD} one',
      'nested/free.log:1: one',
      'src/a.ts:2: export const one = 1',
      'src/c.test.ts:1: const one = 1',
      'src/deep/b.ts:1: one',
      'src/deep/b.ts:2: TWO one',
      'src/deep/err.log:1: one',
      'src/only-top.txt:1: one',
      String.raw`"two\nlines.txt":1: one`,
      'utf16.txt:1: one wide',
    ])
  })

  it('has the engine and the counts in its details', async () => {
    const { details } = await resultOf(grep, { pattern: 'one', glob: '*.ts', limit: 2 }, context)
    const counts = { matches: 4, files: 3, shown: 2, isComplete: false }
    expect(details).toEqual({ path: folder, engine: name, ...counts })
  })

  it.each([
    ['*.ts', ['src/a.ts:2', 'src/c.test.ts:1', 'src/deep/b.ts:1', 'src/deep/b.ts:2']],
    ['!*.ts', 10],
    ['src/*.ts', ['src/a.ts:2', 'src/c.test.ts:1']],
    ['**/deep/**', ['src/deep/b.ts:1', 'src/deep/b.ts:2', 'src/deep/err.log:1']],
    ['*.{log,tmp}', ['docs/in/x.tmp:1', 'keep.log:1', 'nested/free.log:1', 'src/deep/err.log:1']],
    ['[a-b].ts', ['src/a.ts:2', 'src/deep/b.ts:1', 'src/deep/b.ts:2']],
    ['drop.log', ['No matches.']],
  ])('searches the files of the glob %s', async (glob, expected) => {
    const lines = (await text({ pattern: 'one', glob })).split('\n')
    const found = lines.map((line) => /^.*?:\d+(?=:)/.exec(line)?.[0] ?? line)
    expect(typeof expected === 'number' ? found.length : found).toEqual(expected)
  })

  it('ignores case, takes text literally, and matches the end of a line before CR LF', async () => {
    expect(await text({ pattern: 'two', path: 'src/deep', ignoreCase: true })).toBe('src/deep/b.ts:2: TWO one')
    expect(await text({ pattern: 'a.b', path: 'brackets[1].md', literal: true })).toBe('brackets[1].md:1: a.b')
    expect(await text({ pattern: 'A.B', literal: true, ignoreCase: true })).toBe('brackets[1].md:1: a.b')
    expect(await text({ pattern: '^one$', path: 'src/deep/b.ts' })).toBe('src/deep/b.ts:1: one')
  })

  it('shows context with dashes', async () => {
    expect(await text({ pattern: 'two', path: 'src/a.ts', context: 1 })).toBe(
      'src/a.ts-2- export const one = 1\nsrc/a.ts:3: export const two = 2\nsrc/a.ts-4- // last',
    )
    expect(await text({ pattern: 'import|last', path: 'src/a.ts', context: 0 })).toBe(
      'src/a.ts:1: import x\nsrc/a.ts:4: // last',
    )
  })

  it('says what a limit left out [TOOLS-search-limits]', async () => {
    expect(await text({ pattern: 'one', limit: 1 })).toBe(
      '.hidden/h.txt:1: one\n[1 of 14 matches are shown: narrow the search, or raise limit.]',
    )
  })

  it('cuts a long line around its match, and counts lines that are too long', async () => {
    const lines = (await text({ pattern: 'needle' })).split('\n')
    expect(lines[0]).toMatch(/^long\.txt:1: …a{100}needleb{394}…$/)
    expect(lines.slice(1)).toEqual([
      'too-long.txt:2: needle here',
      '[Matches in lines of over 1,000,000 characters are left out: 1.]',
    ])
  })

  it('searches an ignored file or folder that is named', async () => {
    expect(await text({ pattern: 'one', path: 'build' })).toBe('build/out.js:1: one')
    expect(await text({ pattern: 'one', path: 'drop.log' })).toBe('drop.log:1: one')
  })

  it.each([
    ['an invalid pattern', { pattern: 'a(' }, /^Could not search for "a\(": .*Set literal for plain text\.$/],
    ['look-ahead', { pattern: 'a(?=b)' }, /^Could not search for/],
    ['a missing path', { pattern: 'a', path: 'nowhere' }, /does not exist/],
    ['a pipe', { pattern: 'a', path: 'pipe' }, /is a pipe, socket or device/],
    ['a device', { pattern: 'a', path: '/dev/zero' }, /is a pipe, socket or device/],
  ])('refuses %s [TOOLS-search-faults]', async (_, args, message) => {
    const result = await resultOf(grep, args, context)
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(message)
  })

  it('counts what cannot be read [TOOLS-search-faults]', async () => {
    expect(await text({ pattern: 'a', path: '/proc/self/mem' })).toBe('No matches.\n[1 path could not be read.]')
  })

  it('takes a pattern that begins with a dash for a pattern', async () => {
    expect(await text({ pattern: '--files' })).toBe('No matches.')
  })

  it('ends at its time limit, and says so [TOOLS-search-limits]', async () => {
    const slow = createGrepTool({ ...options, limitMs: 1 })
    expect(textOf(await resultOf(slow, { pattern: 'a', path: '/usr/share' }, context))).toMatch(
      /The search took over 0\.001 s and was ended/,
    )
  })
})

describe.each(engines)('find by %s', (_, options) => {
  const find = createFindTool(options)
  const text = async (args: Parameters<typeof find.execute>[0]) => textOf(await resultOf(find, args, context))

  it.each([
    ['*.ts', ['src/a.ts', 'src/c.test.ts', 'src/deep/b.ts']],
    ['src/*.ts', ['src/a.ts', 'src/c.test.ts']],
    ['**/*.log', ['keep.log', 'nested/free.log', 'src/deep/err.log']],
    ['deep', ['src/deep/']],
    ['{docs,src}', ['docs/', 'src/']],
    ['src/**', ['src/a.ts', 'src/c.test.ts', 'src/deep/', 'src/deep/.gitignore', 'src/deep/b.ts', 'src/deep/err.log', 'src/only-top.txt']], // prettier-ignore
    ['two*', [String.raw`"two\nlines.txt"`]],
    [String.raw`brackets\[*`, ['brackets[1].md']],
    ['./src/a.ts', ['src/a.ts']],
    ['*a*a*a*a*a*a*a*a*a*a*a*b', ['No files found.']],
    ['config', ['No files found.']],
    ['deep/', ['src/deep/']],
  ])('finds %s, sorted, without what .gitignore names [TOOLS-search-find]', async (pattern, expected) => {
    expect((await text({ pattern })).split('\n')).toEqual(expected)
  })

  it('finds the same paths as the other engine, and as the search below a folder [TOOLS-search-find]', async () => {
    const other = createFindTool(options === byNode ? {} : byNode)
    expect(await text({ pattern: '**' })).toBe(textOf(await resultOf(other, { pattern: '**' }, context)))
    expect(await text({ pattern: '*.ts', path: 'src' })).toBe(await text({ pattern: '*.ts' }))
  })

  it('says what its limit left out [TOOLS-search-limits]', async () => {
    const result = await resultOf(find, { pattern: '*.ts', limit: 1 }, context)
    expect(textOf(result)).toMatch(/^src\/a\.ts\n\[1 of 3 paths are shown: narrow/)
    expect(result.details).toMatchObject({ matches: 3, shown: 1, isComplete: false })
  })

  it('follows no link, and refuses a file and a missing folder [TOOLS-search-faults]', async () => {
    expect(await text({ pattern: 'passwd' })).toBe('No files found.')
    expect(await text({ pattern: '*', path: 'src/a.ts' })).toMatch(/is a file/)
    expect(await text({ pattern: '*', path: 'nowhere' })).toMatch(/does not exist/)
  })
})

describe('ls', () => {
  const ls = createLsTool()
  const text = async (args: Parameters<typeof ls.execute>[0]) => textOf(await resultOf(ls, args, context))

  it('lists a folder, and names what .gitignore names [TOOLS-search-ls]', async () => {
    expect((await text({ path: 'src' })).split('\n')).toEqual(['a.ts', 'c.test.ts', 'deep/', 'loop@', 'only-top.txt'])
    const top = await text({})
    expect(top).toMatch(/^\.git\/\n\.gitignore\n/)
    expect(top).toMatch(/\netc@\n[^]*\npipe\|\n[^]*\n"two\\nlines\.txt"\n/)
    expect(top).toMatch(/\n\[Left out by \.gitignore: #odd, build\/, drop\.log, only-top\.txt, trail\.md\.\]$/)
  })

  it('shows the first entries, and how to continue [TOOLS-search-limits]', async () => {
    expect(await text({ path: 'src', limit: 2 })).toBe(
      'a.ts\nc.test.ts\n[Entries 1-2 of 5 are shown. Continue with read, offset=3.]',
    )
  })

  it('refuses a file and a missing folder, and lists an empty one [TOOLS-search-faults]', async () => {
    mkdirSync(path.join(folder, 'empty'))
    expect(await text({ path: 'empty' })).toBe('(The folder is empty.)')
    rmSync(path.join(folder, 'empty'), { recursive: true })
    expect(await text({ path: 'src/a.ts' })).toMatch(/is not a folder/)
    expect(await text({ path: 'nowhere' })).toMatch(/does not exist/)
  })
})

describe('the engine', () => {
  it('is the packaged ripgrep, and never a program of the workspace or a relative entry of PATH [S16b]', async () => {
    const engine = await lastValueFrom(chooseEngine({ cwd: folder, env: { PATH: `.:${folder}` } }), {
      defaultValue: undefined,
    })
    expect(engine?.name).toBe('ripgrep')
  })

  it('starts ripgrep without configuration and without the environment [S16b]', async () => {
    const workspace = mkdtempSync(path.join(tmpdir(), 'rxpi-engine-'))
    const fake = path.join(workspace, 'rg')
    writeFileSync(fake, `#!/bin/sh\necho "\${RIPGREP_CONFIG_PATH-none} $*" > '${workspace}/log'\n`, { mode: 0o755 })
    vi.stubEnv('RIPGREP_CONFIG_PATH', path.join(workspace, 'rc'))
    await lastValueFrom(createRipgrepEngine(fake).files({ folder: workspace, limitMs: 10_000 }), {
      defaultValue: undefined,
    })
    vi.unstubAllEnvs()
    expect(readFileSync(path.join(workspace, 'log'), 'utf8')).toMatch(/^none --no-config /)
    rmSync(workspace, { recursive: true })
  })

  it('passes its failure on as a result', async () => {
    const grep = createGrepTool({ engine: () => throwError(() => new Error('broken')) })
    expect(textOf(await resultOf(grep, { pattern: 'a' }, context))).toMatch(/broken/)
  })
})

const searchCase = { leaves: ['a.txt'], invalid: [{ path: 1 }, { pattern: 1 }] }
const putOne = (cwd: string) => writeFileSync(path.join(cwd, 'a.txt'), 'hello\n')
for (const [name, options] of engines) {
  toolContract(`grep by ${name}`, () => ({
    ...searchCase,
    tool: createGrepTool(options),
    succeeding: (cwd) => (putOne(cwd), { pattern: 'hello' }),
    failing: () => ({ pattern: '(' }),
    pending: () => ({ pattern: 'hello', path: '/usr' }),
  }))
  toolContract(`find by ${name}`, () => ({
    ...searchCase,
    tool: createFindTool(options),
    succeeding: (cwd) => (putOne(cwd), { pattern: '*.txt' }),
    failing: () => ({ pattern: 'a', path: 'missing' }),
    pending: () => ({ pattern: 'hello', path: '/usr' }),
  }))
}
toolContract('ls', () => ({
  tool: createLsTool(),
  succeeding: (cwd) => (putOne(cwd), { path: '.' }),
  failing: () => ({ path: 'missing' }),
  leaves: ['a.txt'],
  invalid: [{ path: 1 }, { limit: 0 }],
}))
