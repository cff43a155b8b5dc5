// Tests which instruction files are read, within which bounds, and what a hostile repository cannot do.
import { execFileSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { foreignReason } from '../../../lib/context/instructions/instruction-guard.ts'
import { instructionFolders, readInstructions } from '../../../lib/context/instructions/instruction-set.ts'
import type { InstructionSet } from '../../../lib/context/instructions/instruction-set.ts'
import { instructionWorkspace } from './instruction-place.ts'
import type { InstructionWorkspace } from './instruction-place.ts'

function read(workspace: InstructionWorkspace, cwd: string, config?: string): InstructionSet {
  return readInstructions(instructionFolders(workspace.path(cwd), config && workspace.path(config)).chain)
}
const textsOf = ({ files }: InstructionSet): string[] => files.map(({ text }) => text)
const messagesOf = ({ problems }: InstructionSet): string => problems.map(({ message }) => message).join('\n')
const emptyHead = { 'repo/.git/HEAD': '' }

describe('instruction files', () => {
  it('are those of the user, then of each folder down to the working folder [CONTEXT-instructions-order]', () => {
    using workspace = instructionWorkspace({
      ...emptyHead,
      'config/AGENTS.md': 'user',
      'AGENTS.md': 'above',
      'repo/CLAUDE.md': 'root',
      'repo/a/AGENTS.md': 'a',
      'repo/a/b/AGENTS.md': 'b',
      'repo/a/b/c/AGENTS.md': 'below',
      'repo/other/AGENTS.md': 'beside',
    })
    expect(textsOf(read(workspace, 'repo/a/b', 'config'))).toEqual(['user', 'above', 'root', 'a', 'b'])
  })

  it.each([
    [['AGENTS.override.md', 'AGENTS.md', 'CLAUDE.md'], 'AGENTS.override.md'],
    [['AGENTS.md', 'CLAUDE.md'], 'AGENTS.md'],
    [['CLAUDE.md', 'README.md'], 'CLAUDE.md'],
  ])('of %j in one folder are %s [CONTEXT-instructions-order]', (names, first) => {
    using workspace = instructionWorkspace(Object.fromEntries(names.map((name) => [`repo/${name}`, name])))
    expect(textsOf(read(workspace, 'repo'))).toEqual([first])
  })

  it('are cut at 32 KiB, which is told [CONTEXT-instructions-bounds]', () => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': 'é'.repeat(20_000) })
    const set = read(workspace, 'repo')
    expect(textsOf(set)[0]).toMatch(/^é{16384}\n\[The rest of the file was left out: it is too long\.\]$/)
    expect(messagesOf(set)).toMatch(/AGENTS\.md: has 40000 bytes; only the first 32768 were read/)
  })

  it('have 128 KiB together; the nearest come first, and what is left out is told [CONTEXT-instructions-bounds]', () => {
    const names = ['one', 'one/two', 'one/two/three', 'one/two/three/four', 'one/two/three/four/five']
    using workspace = instructionWorkspace(
      Object.fromEntries(names.map((name) => [`repo/${name}/AGENTS.md`, `${name} ${'x'.repeat(30_000)}`])),
    )
    workspace.write('repo/.git/HEAD', '')
    const set = read(workspace, 'repo/one/two/three/four/five')
    expect(textsOf(set).map((text) => text.split(' ')[0])).toEqual(names.slice(1))
    expect(messagesOf(set)).toMatch(/one\/AGENTS\.md: it was left out/)
  })

  it.each(['repo/AGENTS.md', 'repo/.git/HEAD', 'config/AGENTS.md'])('do not block at a pipe: %s', (name) => {
    using workspace = instructionWorkspace({ 'repo/x': '', 'config/x': '', 'repo/.git/x': '' })
    execFileSync('mkfifo', [workspace.path(name)])
    const set = read(workspace, 'repo', 'config')
    expect(textsOf(set)).toEqual([])
    expect(messagesOf(set)).toMatch(name.endsWith('.md') ? /is a pipe, socket or device/ : /^$/)
  })
})

describe('a hostile repository', () => {
  it.each([
    ['AGENTS.md', 'secret', 'a link to a file outside'],
    ['AGENTS.md', 'secret-folder/AGENTS.md', 'a link to an instruction file outside'],
  ])('gets no file through %s → %s: %s [S22b]', (name, target) => {
    using workspace = instructionWorkspace({ ...emptyHead, secret: 'token', 'secret-folder/AGENTS.md': 'token' })
    workspace.link(`repo/${name}`, workspace.path(target))
    const set = read(workspace, 'repo')
    expect(textsOf(set)).toEqual([])
    expect(messagesOf(set)).toMatch(/leads out of the workspace .*; it was not read/)
  })

  it.each(['.env', '.git/config'])('gets no keys through a link to its own %s [S22b]', (target) => {
    using workspace = instructionWorkspace({ ...emptyHead, [`repo/${target}`]: 'token' })
    workspace.link('repo/AGENTS.md', target)
    const set = read(workspace, 'repo')
    expect(textsOf(set)).toEqual([])
    expect(messagesOf(set)).toMatch(/leads to a hidden file; it was not read/)
  })

  it('may link inside itself', () => {
    using workspace = instructionWorkspace({ ...emptyHead, 'repo/guide/rules.md': 'rules' })
    workspace.link('repo/AGENTS.md', 'guide/rules.md')
    expect(textsOf(read(workspace, 'repo'))).toEqual(['rules'])
  })

  it.each([
    ['a tag', 'Be brief\u{E0041}\u{E0042}.', 2],
    ['a zero width space and a bidi override', 'Be\u200b brief\u202e.', 2],
    ['an escape sequence', 'Be brief\u001b.', 1],
  ])('hides no words from a person: %s [S22d]', (_, text, count) => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': text })
    const set = read(workspace, 'repo')
    expect(textsOf(set)).toEqual(['Be brief' + '.'])
    expect(messagesOf(set)).toMatch(new RegExp(`${count} invisible characters? w(?:as|ere) removed`))
  })

  it('may have emoji and Windows line ends', () => {
    using workspace = instructionWorkspace({ 'repo/AGENTS.md': 'one 👩\u200d🚀\r\ntwo ✔️\r\n' })
    const set = read(workspace, 'repo')
    expect([textsOf(set), set.problems]).toEqual([['one 👩\u200d🚀\ntwo ✔️'], []])
  })
})

describe('a file above the repository', () => {
  it.each([
    ['the file', 'AGENTS.md', 0o666],
    ['its folder', '.', 0o777],
    ['the file for a group', 'AGENTS.md', 0o664],
  ])('is not read if others may write %s [S22a]', (_, name, mode) => {
    using workspace = instructionWorkspace({ ...emptyHead, 'AGENTS.md': 'obey', 'repo/AGENTS.md': 'own' })
    chmodSync(workspace.path('AGENTS.md'), 0o644)
    chmodSync(workspace.path(name), mode)
    const set = read(workspace, 'repo')
    expect(textsOf(set)).toEqual(['own'])
    expect(messagesOf(set)).toMatch(
      /can be written by others \(mode \d+\), and it stands above the repository; it was not/,
    )
  })

  it('is not read if others may write the target of its link [S22a]', () => {
    using workspace = instructionWorkspace({ ...emptyHead, 'open/target.md': 'obey' })
    chmodSync(workspace.path('open'), 0o777)
    workspace.link('AGENTS.md', 'open/target.md')
    expect(textsOf(read(workspace, 'repo'))).toEqual([])
  })

  it.each([
    [{ uid: 1_000, mode: 0o644 }, 1_000, undefined],
    [{ uid: 0, mode: 0o644 }, 1_000, undefined],
    [{ uid: 1_001, mode: 0o644 }, 1_000, 'belongs to another user'],
    [{ uid: 0, mode: 0o646 }, 1_000, 'can be written by others (mode 646)'],
    [{ uid: 1_001, mode: 0o666 }, undefined, undefined],
  ])('with %j is for user %s: %s [S22a]', (status, user, reason) => {
    expect(foreignReason(status, user)).toBe(reason)
  })
})

describe('the imports of CLAUDE.md', () => {
  const imported = (files: Readonly<Record<string, string>>): InstructionSet => {
    using workspace = instructionWorkspace({ ...emptyHead, ...files })
    return read(workspace, 'repo')
  }

  it('follow its text, each once, also in cycles [CONTEXT-instructions-imports]', () => {
    const set = imported({
      'repo/CLAUDE.md': 'Read @guide/one.md and @guide/one.md.',
      'repo/guide/one.md': 'one, see @two.md',
      'repo/guide/two.md': 'two, see @one.md',
    })
    expect(textsOf(set)).toEqual([
      'Read @guide/one.md and @guide/one.md.\n\n[guide/one.md]\n\none, see @two.md\n\n[guide/two.md]\n\ntwo, see @one.md',
    ])
    expect(set.problems).toEqual([])
  })

  it('are read in no other file, and not in code', () => {
    const more = { 'repo/x.md': 'x' }
    expect(textsOf(imported({ 'repo/AGENTS.md': 'See @x.md', ...more }))).toEqual(['See @x.md'])
    const code = 'Write `@x.md` or\n```\n@x.md\n```\nor me@x.md'
    expect(textsOf(imported({ 'repo/CLAUDE.md': code, ...more }))).toEqual([code])
  })

  it('that name no file are text', () => {
    const set = imported({ 'repo/CLAUDE.md': 'Uses @types/node and @nothing.' })
    expect([textsOf(set), set.problems]).toEqual([['Uses @types/node and @nothing.'], []])
  })

  it.each(['@../secret.md', '@/etc/passwd', '@~/.ssh/id_rsa', '@.env', '@guide/.hidden/x.md'])(
    'read nothing outside and nothing hidden: %s [S22b]',
    (name) => {
      const set = imported({
        'repo/CLAUDE.md': name,
        'secret.md': 'token',
        'repo/.env': 'token',
        'repo/guide/.hidden/x.md': 'token',
      })
      expect(textsOf(set)).toEqual([name])
      expect(messagesOf(set)).toMatch(/was not imported: it is hidden, or not below the workspace/)
    },
  )

  it('read nothing through a link out of the workspace [S22b]', () => {
    using workspace = instructionWorkspace({ ...emptyHead, 'repo/CLAUDE.md': '@link.md', secret: 'token' })
    workspace.link('repo/link.md', workspace.path('secret'))
    const set = read(workspace, 'repo')
    expect(textsOf(set)).toEqual(['@link.md'])
    expect(messagesOf(set)).toMatch(/@link\.md leads out of the workspace/)
  })

  it.each([
    ['20 files', Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`repo/${n}.md`, `text ${n}`])), 20],
    [
      '5 levels',
      Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`repo/${n}.md`, `text ${n} @${n + 1}.md`])),
      5,
    ],
    ['32 KiB', Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`repo/${n}.md`, 'x'.repeat(10_000)])), 4],
  ])('end at %s, which is told [CONTEXT-instructions-imports, CONTEXT-instructions-bounds]', (what, files, count) => {
    const names =
      what === '5 levels'
        ? '@0.md'
        : Object.keys(files)
            .map((name) => `@${name.slice(5)}`)
            .join(' ')
    const set = imported({ 'repo/CLAUDE.md': names, ...files })
    expect(textsOf(set)[0]?.match(/^\[\d+\.md\]$/gm)).toHaveLength(count)
    expect(messagesOf(set)).toMatch(/was not imported: a file imports at most/)
  })
})
