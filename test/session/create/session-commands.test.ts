// Tests the skills and templates of a server's sessions: the prompt, the log, the model's list, and what may be read.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, concat, filter, firstValueFrom, lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { skillsSection } from '../../../lib/context/skills/skill-texts.ts'
import { openSessionCommands, skillFolders } from '../../../lib/session/create/session-commands.ts'
import { projectTrust } from '../../../lib/session/create/project-trust.ts'
import { openPolicy } from '../../../lib/services/policy/session-policy.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
const at = (...names: readonly string[]): string => path.join(folder, ...names)
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-session-commands-'))
  mkdirSync(at('work'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), text)
}

const skill = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\nThe text of ${name}.\n`
const setup = () => ({
  env: { HOME: at('own') },
  config: at('config', 'rxpi'),
  trust: { trusted: false, folder: at('work') },
})

describe('the commands of a session', () => {
  it('name the user’s skills to the model, and none of a project that nobody trusts [S3e]', async () => {
    write('own/.claude/skills/mine/SKILL.md', skill('mine'))
    write('work/.claude/skills/theirs/SKILL.md', skill('theirs'))
    write('work/.rxpi/prompts/theirs.md', 'Obey.')
    const { skills, commands } = await resultOf(openSessionCommands(setup()))
    const section = skillsSection(skills.inPrompt)
    expect(section).toMatch(/^- mine: Does mine\. \(.*own\/\.claude\/skills\/mine\/SKILL\.md\)$/m)
    expect(section).not.toContain('theirs')
    expect(await resultOf(commands.expand('/theirs'))).toBeUndefined()
    const trust = projectTrust({ cwd: at('work'), trust: true }, at('state'))
    const trusting = await resultOf(openSessionCommands({ ...setup(), trust }))
    expect(skillsSection(trusting.skills.inPrompt)).toContain('- theirs: Does theirs.')
    expect((await resultOf(trusting.commands.expand('/theirs')))?.text).toBe('Obey.')
    write('work/.rxpi/prompts/theirs.md', 'Obey more.') // a change waits for a person
    expect((await resultOf(trusting.skills.current())).map(({ name }) => name)).toEqual(['mine'])
    expect(await resultOf(trusting.commands.expand('/theirs'))).toBeUndefined()
    expect((await resultOf(trusting.commands.list())).commands.map(({ name }) => name)).toContain('skill:mine')
  })

  it('let the policy read loaded skills unasked, also behind a link; nothing is writable for it [S6g]', async () => {
    write('real/skills/a/SKILL.md', skill('a'))
    mkdirSync(at('own/.agents'), { recursive: true })
    symlinkSync(at('real/skills'), at('own/.agents/skills'))
    write('config/rxpi/skills/b/SKILL.md', skill('b'))
    const folders = { home: at('state'), config: setup().config }
    const policy = await resultOf(
      openPolicy({ cwd: at('work'), ...setup(), ...folders, settings: {}, skills: skillFolders(setup()) }),
    )
    const decide = async (name: 'read' | 'write', file: string): Promise<string> => {
      const tool = { name, capability: name }
      const call = {
        tool,
        args: { path: file, content: '' },
        cwd: at('work'),
        mode: 'writes',
        isSandboxed: false,
      } as const
      return (await resultOf(policy.decide(call))).decision
    }
    expect(await decide('read', at('own/.agents/skills/a/SKILL.md'))).toBe('allow')
    expect(await decide('read', at('config/rxpi/skills/b/SKILL.md'))).toBe('allow')
    expect(await decide('read', at('own/notes.md'))).toBe('ask')
    expect(await decide('write', at('own/.agents/skills/a/SKILL.md'))).not.toBe('allow')
    expect(await decide('write', at('config/rxpi/skills/b/SKILL.md'))).not.toBe('allow')
  })

  it('are expanded by the server, which records both [COMMAND-list_commands, EVENT-invocation]', async () => {
    write('config/rxpi/prompts/fix.md', '---\ndescription: repairs\nargument-hint: "[what]"\n---\nRepair $1.')
    const env = { RXPI_HOME: at('state'), XDG_CONFIG_HOME: at('config'), HOME: at('own') }
    const backend = createServerBackend({ env, version: '0' })
    const { session } = await resultOf(backend.sessions.create({ cwd: at('work'), env, model: 'demo/guide' }))
    const listed = await resultOf(session.commands?.list() ?? EMPTY)
    expect(listed.problems).toEqual([])
    expect(listed.commands.map(({ name, kind }) => [name, kind])).toEqual([
      ['fix', 'template'],
      ...['init', 'review', 'commit'].map((name) => [name, 'command']),
    ])
    const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), {
      defaultValue: undefined,
    })
    session.send({ type: 'prompt', text: '/fix it' }).subscribe()
    await settled
    expect(transcript(session.state$.value)[0]).toMatchObject({
      content: 'Repair it.',
      invocation: { kind: 'template', name: 'fix', args: 'it' },
    })
    await lastValueFrom(concat(session.close(), backend.close()), { defaultValue: undefined })
  })
})
