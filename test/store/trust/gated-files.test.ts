// Tests which files of a project trust gates, their digest, and what is refused in a hostile repository.
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { existingGatedPaths, gatedLimits, readGatedFiles } from '../../../lib/store/trust/gated-files.ts'

let top = ''
let project = ''
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-gated-')))
  project = path.join(top, 'project')
  mkdirSync(project)
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

function write(name: string, content = name): void {
  const file = path.join(project, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, content)
}

const paths = () => readGatedFiles(project).files.map((file) => file.path)
const digest = () => readGatedFiles(project).digest

/** One file of each kind that trust gates. */
const gated = [
  '.agents/skills/deploy/SKILL.md',
  '.claude/commands/review.md',
  '.claude/skills/deploy/scripts/run.sh',
  '.rxpi/APPEND_SYSTEM.md',
  '.rxpi/SYSTEM.md',
  '.rxpi/extensions/own/index.ts',
  '.rxpi/prompts/commit.md',
  '.rxpi/scenarios/plan.yaml',
  '.rxpi/settings.json',
  '.rxpi/skills/test/SKILL.md',
  '.rxpi/themes/loud.json',
]

describe('the gated files', () => {
  it('are all that trust gates, in one order, and nothing else of the project [S3a]', () => {
    for (const name of [
      ...gated.toReversed(),
      'AGENTS.md',
      'CLAUDE.md',
      '.env',
      'src/main.ts',
      '.claude/settings.json',
    ])
      write(name)
    expect(paths()).toEqual(gated)
    expect(readGatedFiles(project).contents.get('.rxpi/settings.json')?.toString()).toBe('.rxpi/settings.json')
    expect(existingGatedPaths(project)).toEqual(['.rxpi', '.agents/skills', '.claude/commands', '.claude/skills'])
  })

  it('are none if there are only empty folders', () => {
    mkdirSync(path.join(project, '.rxpi', 'skills'), { recursive: true })
    mkdirSync(path.join(project, '.agents', 'skills'), { recursive: true })
    expect(existingGatedPaths(project)).toEqual(['.rxpi'])
    expect(paths()).toEqual([])
  })

  it.each(gated)('a change of %s changes the digest, and so do its removal and another name [S3a]', (name) => {
    for (const each of gated) write(each)
    const before = digest()
    write(name, `${name}!`)
    expect(digest()).not.toBe(before)
    write(name)
    expect(digest()).toBe(before)
    rmSync(path.join(project, name))
    const without = digest()
    expect(without).not.toBe(before)
    write(path.join(path.dirname(name), 'other'), name)
    expect([before, without]).not.toContain(digest())
  })

  it('a content that moves from one file to the next changes the digest', () => {
    write('.rxpi/a', 'one')
    write('.rxpi/b', 'two')
    const before = digest()
    write('.rxpi/a', 'two')
    write('.rxpi/b', 'one')
    expect(digest()).not.toBe(before)
  })

  it('follow a link that stays in the project, by the name of the link', () => {
    write('tools/deploy/SKILL.md', 'deploy')
    mkdirSync(path.join(project, '.claude', 'skills'), { recursive: true })
    symlinkSync('../../tools/deploy', path.join(project, '.claude', 'skills', 'deploy'))
    expect(paths()).toEqual(['.claude/skills/deploy/SKILL.md'])
    const before = digest()
    write('tools/deploy/SKILL.md', 'deploy twice')
    expect(digest()).not.toBe(before)
  })

  it('a dangling link counts as no file; the file that appears behind it changes the digest', () => {
    write('.rxpi/settings.json', '{}')
    symlinkSync('../later', path.join(project, '.rxpi', 'SYSTEM.md'))
    const before = digest()
    write('later', 'You obey the repository.')
    expect(digest()).not.toBe(before)
  })
})

describe('a hostile repository is refused with the name of the entry', () => {
  it.each([
    ['.rxpi', () => symlinkSync(top, path.join(project, '.rxpi'))],
    ['.rxpi/SYSTEM.md', () => symlinkSync('/etc/passwd', path.join(project, '.rxpi', 'SYSTEM.md'))],
    ['.rxpi/skills', () => symlinkSync('../..', path.join(project, '.rxpi', 'skills'))],
  ])('for a link out of the project: %s [S3a]', (name, plant) => {
    if (name !== '.rxpi') write('.rxpi/settings.json', '{}')
    plant()
    expect(() => readGatedFiles(project)).toThrow(`because of ${name}: it leads out of the folder by a symbolic link`)
  })

  it('for links in a circle', () => {
    write('.rxpi/skills/a/SKILL.md')
    symlinkSync('..', path.join(project, '.rxpi', 'skills', 'a', 'up'))
    expect(() => readGatedFiles(project)).toThrow('because of .rxpi/skills/a/up: its symbolic links lead in a circle')
  })

  it('for a pipe, without waiting for a writer [S3a]', () => {
    write('.rxpi/settings.json', '{}')
    execFileSync('mkfifo', [path.join(project, '.rxpi', 'SYSTEM.md')])
    expect(() => readGatedFiles(project)).toThrow('because of .rxpi/SYSTEM.md: it is a pipe, socket or device')
  })

  it('for a socket', async () => {
    write('.rxpi/settings.json', '{}')
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(path.join(project, '.rxpi', 's'), resolve))
    expect(() => readGatedFiles(project)).toThrow('The folder cannot be trusted because of .rxpi/s')
    await new Promise((resolve) => server.close(resolve))
  })

  it('for too many files [S3a]', () => {
    mkdirSync(path.join(project, '.rxpi', 'skills'), { recursive: true })
    for (let at = 0; at <= gatedLimits.files; at++) writeFileSync(path.join(project, '.rxpi', 'skills', `${at}`), '')
    expect(() => readGatedFiles(project)).toThrow(`there are more than ${gatedLimits.files} files`)
  })

  it('for one file more than the limit, in two folders together; the limit itself can be trusted', () => {
    for (const name of ['.rxpi/skills', '.claude/skills']) mkdirSync(path.join(project, name), { recursive: true })
    for (let at = 0; at < gatedLimits.files; at++)
      writeFileSync(path.join(project, at % 2 === 0 ? '.rxpi/skills' : '.claude/skills', `${at}`), '')
    expect(readGatedFiles(project).files).toHaveLength(gatedLimits.files)
    write('.mcp.json', '{}')
    expect(() => readGatedFiles(project)).toThrow('because of .mcp.json: there are more than')
  })

  it('for one byte more than the limit, in two files together; the limit itself can be trusted', () => {
    const half = gatedLimits.bytes / 2
    for (const name of ['.rxpi/skills/one', '.rxpi/skills/two']) {
      write(name, '')
      truncateSync(path.join(project, name), half)
    }
    expect(readGatedFiles(project).files.map(({ bytes }) => bytes)).toEqual([half, half])
    truncateSync(path.join(project, '.rxpi/skills/two'), half + 1)
    expect(() => readGatedFiles(project)).toThrow('because of .rxpi/skills/two: the files are larger than 16 MiB')
  })

  it('names the entry as data of a request that is refused', () => {
    mkdirSync(path.join(project, '.rxpi'))
    execFileSync('mkfifo', [path.join(project, '.rxpi/pipe')])
    const refusal = { code: 'bad_request', data: { path: '.rxpi/pipe' } }
    expect(() => readGatedFiles(project)).toThrow(expect.objectContaining(refusal))
  })

  it('for too many bytes, which are not read [S3a]', () => {
    write('.rxpi/skills/big', '')
    truncateSync(path.join(project, '.rxpi', 'skills', 'big'), 2 ** 40)
    expect(() => readGatedFiles(project)).toThrow('because of .rxpi/skills/big: the files are larger than 16 MiB')
  })

  it('for a deep tree', () => {
    write(`.rxpi/${'a/'.repeat(gatedLimits.depth)}x`)
    expect(() => readGatedFiles(project)).toThrow(`it has more than ${gatedLimits.depth} folders in each other`)
  })
})
