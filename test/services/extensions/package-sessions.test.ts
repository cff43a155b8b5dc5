// Tests the texts of installed packages in sessions: skills, templates, scenarios; names, reading, removal.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import { skillFolders } from '../../../lib/session/create/session-commands.ts'
import { sessionPackages } from '../../../lib/session/create/session-packages.ts'
import { resultOf } from '../../support/result-of.ts'

let top: string
let backend: ServerBackend
const at = (...names: readonly string[]): string => path.join(top, ...names)
const env = () => ({ RXPI_HOME: at('state'), XDG_CONFIG_HOME: at('config'), HOME: at('own') })

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-package-sessions-')))
  mkdirSync(at('work'))
  backend = createServerBackend({ env: env(), version: '0.2.0' })
})
afterEach(async () => {
  await lastValueFrom(backend.close(), { defaultValue: undefined })
  rmSync(top, { recursive: true })
})

function write(file: string, text: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), text)
}

const skill = (name: string): string => `---\nname: ${name}\ndescription: Does ${name}.\n---\nThe text of ${name}.\n`

/** A package with one text of each kind. */
function bundle(folder: string, name: string): string {
  write(`${folder}/package.json`, JSON.stringify({ name, version: '1.0.0' }))
  write(`${folder}/skills/pdf/SKILL.md`, skill('pdf'))
  write(`${folder}/prompts/notes.md`, '---\ndescription: writes notes\n---\nWrite notes about $1.')
  write(`${folder}/scenarios/audit.yaml`, 'description: looks\nphases:\n  - name: look\n    skills: [pdf]\n')
  return at(folder)
}

const install = (source: string) => resultOf(backend.extensions.installPackage({ source, cwd: at('work'), env: env() }))

async function inSession<Value>(use: (session: Session) => Promise<Value>): Promise<Value> {
  const { session } = await resultOf(backend.sessions.create({ cwd: at('work'), env: env(), model: 'demo/guide' }))
  try {
    return await use(session)
  } finally {
    await lastValueFrom(session.close(), { defaultValue: undefined })
  }
}
type Session = Awaited<ReturnType<typeof created>>['session']
const created = () => resultOf(backend.sessions.create({ cwd: at('work') }))

const commandsOf = async ({ commands }: Session) => {
  if (commands === undefined) throw new Error('the session has no commands')
  return resultOf(commands.list())
}

describe('the texts of installed packages', () => {
  it('reach a session: its commands, its scenarios, and what may be read', async () => {
    await install(bundle('bundle', '@me/bundle'))
    await inSession(async (session) => {
      const { commands, problems } = await commandsOf(session)
      expect(problems).toEqual([])
      expect(commands.filter(({ source }) => source === 'package')).toEqual([
        expect.objectContaining({ name: 'skill:pdf', kind: 'skill', package: '@me/bundle' }),
        expect.objectContaining({ name: 'notes', kind: 'template', package: '@me/bundle' }),
      ])
      const packages = await resultOf(sessionPackages(at('state')))
      const trust = { trusted: false, folder: at('work') }
      expect(skillFolders({ env: env(), config: at('config/rxpi'), trust, packages })).toContain(at('bundle/skills'))
      expect((await resultOf(session.commands?.expand('/notes it') ?? EMPTY))?.text).toBe('Write notes about it.')
      const { scenarios } = await resultOf(session.scenarios?.list() ?? EMPTY)
      const [audit] = scenarios.filter(({ source }) => source === 'package')
      expect(audit).toMatchObject({ name: 'audit', path: at('bundle/scenarios/audit.yaml') })
      expect(audit?.phases[0]?.prompt).toContain(at('bundle/skills/pdf/SKILL.md'))
    })
  })

  it('bring themes, and what is no theme is a problem', async () => {
    const folder = bundle('bundle', 'bundle')
    write('bundle/themes/sea.json', JSON.stringify({ name: 'sea', base: 'dark', colours: { accent: 39 }, more: 1 }))
    write('bundle/themes/pi.json', JSON.stringify({ name: 'pi', colors: {} }))
    write('bundle/themes/bad.json', JSON.stringify({ name: 'bad', base: 'dark', colours: { accent: '\u001b[2J' } }))
    await install(folder)
    await inSession(async (session) => {
      const theme = { extension: 'bundle', name: 'sea', base: 'dark', colours: { accent: 39 } }
      expect(session.extensionUi?.().themes).toEqual([theme])
      const { problems } = await commandsOf(session)
      expect(problems.map(({ path: file, message }) => [path.basename(file), message])).toEqual([
        ['bad.json', expect.stringContaining('The colour accent') as string],
        ['pi.json', expect.stringContaining('it is a theme of pi') as string],
      ])
    })
  })

  it('take no name of the user, and of two packages the first one has it', async () => {
    write('own/.claude/skills/pdf/SKILL.md', skill('pdf'))
    await install(bundle('one', 'one'))
    await install(bundle('two', 'two'))
    await inSession(async (session) => {
      const { commands, problems } = await commandsOf(session)
      expect(commands.find(({ name }) => name === 'skill:pdf')).toMatchObject({ source: 'user' })
      expect(commands.find(({ name }) => name === 'notes')).toMatchObject({ package: 'one' })
      expect(problems.map(({ path: file, message }) => [path.relative(top, file), message])).toEqual([
        ['one/skills/pdf/SKILL.md', expect.stringContaining('is taken by') as string],
        ['two/skills/pdf/SKILL.md', expect.stringContaining('own/.claude/skills/pdf/SKILL.md') as string],
        ['two/prompts/notes.md', expect.stringContaining('one/prompts/notes.md') as string],
      ])
    })
  })

  it('are gone from new sessions when the package is removed', async () => {
    await install(bundle('bundle', 'bundle'))
    await resultOf(backend.extensions.removePackage({ package: 'bundle' }))
    await inSession(async (session) => {
      const { commands } = await commandsOf(session)
      expect(commands.filter(({ source }) => source === 'package')).toEqual([])
    })
  })

  it('are problems if they cannot be read, and the session opens', async () => {
    await install(bundle('bundle', 'bundle'))
    rmSync(at('bundle'), { recursive: true })
    await inSession(async (session) => {
      expect((await commandsOf(session)).problems).toEqual([
        {
          path: at('bundle'),
          level: 'error',
          message: expect.stringContaining('the package bundle is damaged') as string,
        },
      ])
    })
    const { checks } = await resultOf(backend.config.doctor({ cwd: at('work'), env: env() }))
    expect(checks.filter(({ message }) => message.includes(at('bundle')))).toHaveLength(1)
    writeFileSync(at('state/packages/packages.json'), '{')
    const { problems } = await resultOf(sessionPackages(at('state')))
    expect(problems).toEqual([expect.objectContaining({ path: at('state/packages/packages.json') })])
  })

  it('cost nothing without a package: nothing is loaded', () => {
    let isThere = false
    sessionPackages(at('state')).subscribe(() => (isThere = true))
    expect(isThere).toBe(true)
  })
})
