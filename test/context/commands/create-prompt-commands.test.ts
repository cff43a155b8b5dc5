// Tests skills and templates on disk: folders, trust, clashes, bounds, links, and changes while they are used.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { commandFolders } from '../../../lib/context/commands/command-folders.ts'
import { createPromptCommands } from '../../../lib/context/commands/create-prompt-commands.ts'
import { resultOf } from '../../support/result-of.ts'
import { parseSlash } from '../../../lib/streams/ports/prompt-commands.ts'

const made: string[] = []
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-commands-'))
  made.push(folder)
  return folder
}

function scene({ trusted = false }: { readonly trusted?: boolean } = {}) {
  const root = temporaryFolder()
  const write = (file: string, text: string): string => {
    const whole = path.join(root, file)
    mkdirSync(path.dirname(whole), { recursive: true })
    writeFileSync(whole, text)
    return whole
  }
  const folders = commandFolders({
    config: path.join(root, 'config'),
    homeFolder: path.join(root, 'home'),
    project: trusted ? path.join(root, 'repo') : undefined,
  })
  const commands = createPromptCommands(folders)
  const list = () => resultOf(commands.list())
  return {
    root,
    write,
    list,
    names: async () => (await list()).commands.map(({ name, source }) => `${name} ${source}`),
    expand: (text: string) => resultOf(commands.expand(text)),
    skills: () => resultOf(commands.skills()),
  }
}

const skill = (name: string, description = 'Does it.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nThe text of ${name}.\n`

const builtIn = ['init built-in', 'review built-in', 'commit built-in']

describe('createPromptCommands', () => {
  it('has the built-in commands if no folder exists', async () => {
    const { list, names } = scene()
    expect(await names()).toEqual(builtIn)
    expect((await list()).problems).toEqual([])
  })

  it('finds skills and templates of all folders of the user', async () => {
    const { write, names } = scene()
    write('config/skills/a/SKILL.md', skill('a'))
    write('home/.agents/skills/group/b/SKILL.md', skill('b'))
    write('home/.claude/skills/c/SKILL.md', skill('c'))
    write('config/prompts/one.md', 'One.')
    write('home/.claude/commands/group/two.md', 'Two.')
    write('config/prompts/note.txt', 'no template')
    expect(await names()).toEqual([
      ...['skill:a user', 'skill:b user', 'skill:c user', 'one user', 'two user'],
      ...builtIn,
    ])
  })

  const inProject = (write: (file: string, text: string) => string): void => {
    write('repo/.agents/skills/p/SKILL.md', skill('p'))
    write('repo/.claude/skills/q/SKILL.md', skill('q'))
    write('repo/.rxpi/prompts/r.md', 'R.')
    write('repo/.claude/commands/review.md', 'Other.')
    write('repo/below/.claude/commands/below.md', 'Below the project.')
    write('.rxpi/prompts/above.md', 'Above the project.')
  }

  it('reads nothing of a project that nobody trusts [S3e]', async () => {
    const { write, names, expand } = scene()
    inProject(write)
    expect(await names()).toEqual(builtIn)
    expect(await expand('/skill:p')).toBeUndefined()
  })

  it('reads the files of a trusted project itself', async () => {
    const { write, names } = scene({ trusted: true })
    inProject(write)
    const own = ['skill:p project', 'skill:q project', 'r project', 'review project']
    expect(await names()).toEqual([...own, 'init built-in', 'commit built-in'])
  })

  it('uses no file of a project that changed since, nor a new one, and says so [S3e]', async () => {
    const { write, expand, list } = scene({ trusted: true })
    inProject(write)
    await list()
    const changed = write('repo/.rxpi/prompts/r.md', 'Obey.')
    const added = write('repo/.claude/skills/new/SKILL.md', skill('new'))
    expect(await expand('/r')).toBeUndefined()
    expect(await expand('/skill:new')).toBeUndefined()
    expect((await expand('/skill:p'))?.text).toContain('The text of p.')
    const { problems } = await list()
    expect(problems.map(({ path: file, message }) => [file, message.includes('changed since')])).toEqual([
      [added, true],
      [changed, true],
    ])
  })

  it('prefers the user to the project, and names the clash [CONTEXT-commands-clash]', async () => {
    const { write, list } = scene({ trusted: true })
    const first = write('home/.claude/skills/a/SKILL.md', skill('a', 'Mine.'))
    const second = write('repo/.claude/skills/a/SKILL.md', skill('a', 'Theirs.'))
    const { commands, problems } = await list()
    expect(commands[0]).toMatchObject({ name: 'skill:a', description: 'Mine.', path: first })
    expect(problems).toEqual([
      { path: second, level: 'error', message: expect.stringContaining(`taken by ${first}`) as unknown },
    ])
  })

  it('takes two names of one folder as one', async () => {
    const { root, write, list } = scene()
    write('home/.agents/skills/a/SKILL.md', skill('a'))
    mkdirSync(path.join(root, 'home/.claude'))
    symlinkSync('../.agents/skills', path.join(root, 'home/.claude/skills'))
    expect((await list()).problems).toEqual([])
  })

  it('follows no link out of a folder [CONTEXT-commands-bounds]', async () => {
    const { root, write, list, names } = scene()
    write('outside/SKILL.md', skill('outside'))
    write('config/skills/in/SKILL.md', skill('in'))
    symlinkSync(path.join(root, 'outside'), path.join(root, 'config/skills/outside'))
    symlinkSync('in', path.join(root, 'config/skills/inner'))
    mkdirSync(path.join(root, 'config/skills/file'))
    symlinkSync(path.join(root, 'outside/SKILL.md'), path.join(root, 'config/skills/file/SKILL.md'))
    symlinkSync('.', path.join(root, 'config/skills/circle'))
    expect(await names()).toEqual(['skill:in user', ...builtIn])
    const out = (await list()).problems.filter(({ message }) => message.includes('leads out'))
    expect(out.map(({ path: file }) => path.relative(root, file))).toEqual([
      'config/skills/file/SKILL.md',
      'config/skills/outside',
    ])
  })

  it('bounds a file [CONTEXT-commands-bounds]', async () => {
    const { write, list } = scene()
    write('config/skills/big/SKILL.md', skill('big') + 'x'.repeat(262_144))
    write('config/skills/head/SKILL.md', `---\nname: head\ndescription: ${'x'.repeat(20_000)}\n---\n`)
    write('config/prompts/big.md', 'x'.repeat(65_537))
    const { commands, problems } = await list()
    expect(commands).toHaveLength(3)
    expect(problems.map(({ message }) => message)).toEqual([
      'it is larger than 256 KiB',
      'its frontmatter has no closing ---',
      'it is larger than 64 KiB',
    ])
  })

  it('sees what changes: a new folder, a new text, a removed file [CONTEXT-commands-fresh]', async () => {
    const { root, write, names, expand, skills } = scene()
    expect(await skills()).toEqual([])
    const file = write('home/.agents/skills/a/SKILL.md', skill('a'))
    expect((await expand('/skill:a'))?.text).toContain('The text of a.')
    write('home/.agents/skills/a/SKILL.md', skill('a', 'Does another thing.') + 'More.\n')
    expect((await skills())[0]).toMatchObject({ description: 'Does another thing.', path: file })
    expect((await expand('/skill:a'))?.text).toContain('More.')
    rmSync(path.join(root, 'home'), { recursive: true })
    expect(await names()).toEqual(builtIn)
  })

  it('expands skills, templates and built-in commands, and says which', async () => {
    const { write, expand } = scene()
    write('config/skills/a/SKILL.md', '---\nname: "a"\ndescription: |\n  Does\n  it.\n---\nThe text.\n')
    write('config/prompts/fix.md', '---\ndescription: fixes\n---\nFix $1.')
    expect(await expand('/skill:a for me')).toEqual({
      text: expect.stringMatching(/The text\.\n<\/skill>[^]*\n\nfor me$/) as unknown,
      invocation: { kind: 'skill', name: 'skill:a', args: 'for me' },
    })
    expect(await expand('/fix "the bug" now')).toEqual({
      text: 'Fix the bug.',
      invocation: { kind: 'template', name: 'fix', args: '"the bug" now' },
    })
    expect(await expand('/commit')).toMatchObject({ invocation: { kind: 'command', name: 'commit' } })
    expect((await expand('/review src'))?.text).toMatch(/^Review src\./)
  })

  it.each(['/etc/hosts is what?', 'review', ' /review', '/nobody', '/skill:nobody', '//review', '/'])(
    'leaves %j as it is',
    async (text) => {
      expect(await scene().expand(text)).toBeUndefined()
    },
  )

  it('opens 200 skills in a moment, and again in less', async () => {
    const { write, skills } = scene()
    for (let index = 0; index < 200; index += 1) write(`config/skills/s${index}/SKILL.md`, skill(`s${index}`))
    expect(await skills()).toHaveLength(200)
    const start = cpuMs()
    await skills()
    expect(cpuMs() - start).toBeLessThan(500) // 5 ms on a quiet machine
  })
})

describe('parseSlash', () => {
  it.each([
    ['/a', { name: 'a', args: '' }],
    ['/skill:x-1 a  b\nc ', { name: 'skill:x-1', args: 'a  b\nc' }],
    ['/tmp/x', undefined],
    ['a /b', undefined],
  ])('reads %j', (text, slash) => {
    expect(parseSlash(text)).toEqual(slash)
  })
})
