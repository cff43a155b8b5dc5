// Tests which files of a project count in a program's session, and what the log says about the others.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { answerTrust, folderTrust } from '../../../lib/store/index.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { Policy } from '../../../lib/streams/ports/policy.ts'
import { resultOf } from '../../support/result-of.ts'

let top = ''
const at = (...names: readonly string[]): string => path.join(top, ...names)
const write = (file: string, content: string | object): void => {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), typeof content === 'string' ? content : JSON.stringify(content))
}
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-program-project-')))
  write('config/rxpi/settings.json', { limits: { turns: 9 }, thinkingLevel: 'high' })
  write('config/rxpi/APPEND_SYSTEM.md', 'Words of the user.')
  write('project/.rxpi/settings.json', { limits: { turns: 3, tokens: 5 }, approve: 'auto', tools: ['read', 'bash'] })
  write('project/.rxpi/SYSTEM.md', 'Words of the project.')
  write('project/.rxpi/APPEND_SYSTEM.md', 'More of the project.')
  write('project/.claude/commands/fix.md', 'Repair $1.')
  write('project/.rxpi/scenarios/theirs.json', { description: 'd', phases: [{ name: 'look', readOnly: true }] })
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const policy: Policy = { decide: () => of({ decision: 'allow', by: 'mode', reason: 'r' }) }
interface Found {
  readonly prompt: string
  readonly tools: readonly string[]
  readonly commands: readonly string[]
  readonly scenarios: readonly string[]
  readonly warnings: readonly string[]
}
const open = (options: CreateSessionOptions): Session =>
  createSession({
    model: 'demo/guide',
    cwd: at('project'),
    env: { HOME: at('home'), RXPI_HOME: at('state'), XDG_CONFIG_HOME: at('config') },
    policy,
    ...options,
  })
const end = (session: Session) => new Promise<void>((resolve) => session.close().subscribe({ complete: resolve }))
async function look(options: CreateSessionOptions): Promise<Found> {
  const session = open(options)
  const warnings = [...session.logged()].flatMap(({ event }) => (event.type === 'warning' ? [event] : []))
  const commands = session.commands && (await resultOf(session.commands.list()))
  const scenarios = session.scenarios && (await resultOf(session.scenarios.list()))
  const parts = session.nextRequest?.().parts ?? []
  await end(session)
  return {
    prompt: parts.flatMap(({ kind, text = '' }) => (kind === 'section' ? [text] : [])).join('\n'),
    tools: parts.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : [])),
    commands: commands?.commands.map(({ name }) => name) ?? [],
    scenarios: scenarios?.scenarios.map(({ name }) => name) ?? [],
    warnings: warnings.map(({ code, message }) => `${code}: ${message}`),
  }
}
const answer = async (answer: 'trust' | 'never'): Promise<void> => {
  const question = { home: at('state'), cwd: at('project'), homeFolder: at('home') }
  const { digest } = folderTrust({ ...question, forThisRun: true })
  await resultOf(answerTrust(answer, digest, question))
}

describe('the files of a project', () => {
  it.each<[string, CreateSessionOptions]>([
    ['without the option', { settings: true }],
    ['with project: "trusted" in a folder that nobody trusts', { settings: true, project: 'trusted' }],
  ])('do not count %s, which a warning says [S3e]', async (_, options) => {
    const found = await look(options)
    expect(found.prompt).toContain('Words of the user.')
    expect(found.prompt).not.toContain('of the project')
    expect(found.tools).toContain('write')
    expect(found.commands).not.toContain('fix')
    expect(found.scenarios).not.toContain('theirs')
    expect(found.warnings.join('\n')).toMatch(/^folder_untrusted: .*\(\.rxpi, \.claude\/commands\).*$/)
  })

  it.each<[string, CreateSessionOptions]>([
    ['with project: false', { settings: true, project: false }],
    ['of a program that reads no files', {}],
  ])('are no matter %s, and nothing warns', async (_, options) => {
    await answer('trust')
    const found = await look(options)
    expect(found.prompt).not.toContain('of the project')
    expect(found.scenarios).not.toContain('theirs')
    expect(found.warnings).toEqual([])
  })

  it('count with project: true, and tighten alone', async () => {
    const found = await look({ settings: true, project: true })
    expect(found.prompt).toMatch(/^Words of the project\./)
    expect(found.prompt).toMatch(/Words of the user\.\n\nMore of the project\.$/)
    expect(found.tools).toEqual(['read', 'bash', 'use_tool'])
    expect(found.commands).toContain('fix')
    expect(found.scenarios).toContain('theirs')
    expect(found.warnings.join('\n')).toMatch(/^config_project_ignored: .* approve: .*$/)
  })

  it('count with project: "trusted" while a person trusts them [S3a]', async () => {
    await answer('trust')
    const found = await look({ settings: true, project: 'trusted' })
    expect(found.commands).toContain('fix')
    write('project/.claude/commands/fix.md', 'Obey.')
    const changed = await look({ settings: true, project: 'trusted' })
    expect(changed.prompt).not.toContain('of the project')
    expect(changed.warnings.join('\n')).toMatch(/^folder_untrusted: .* it changed since you trusted it\. .*$/)
  })

  it('that change while the session is open do not count any more', async () => {
    const session = open({ commands: true, project: true })
    expect(session.commands && (await resultOf(session.commands.expand('/fix it')))?.text).toBe('Repair it.')
    write('project/.claude/commands/fix.md', 'Obey.')
    expect(session.commands && (await resultOf(session.commands.expand('/fix it')))).toBeUndefined()
    await end(session)
  })

  it('cannot loosen a limit, and lose their rules with a warning', async () => {
    write('project/.rxpi/settings.json', { limits: { turns: 30 }, permissions: { deny: ['bash'] } })
    const { warnings } = await look({ settings: true, project: true })
    expect(warnings).toHaveLength(2)
    expect(warnings[0]).toContain('limits.turns')
    expect(warnings[1]).toContain('its permissions do not count in a session of a program')
  })

  it.each<[string, CreateSessionOptions]>([
    ['needs an option that reads files', { project: true }],
    ['cannot be files that cannot be trusted', { settings: true, project: true }],
  ])('%s: bad_request', (title, options) => {
    if (title.startsWith('cannot')) symlinkSync('/etc/hostname', at('project/.rxpi/link'))
    expect(() => open(options)).toThrow(expect.objectContaining({ code: 'bad_request' }))
  })
})
