// Tests that no secret of a tool's output reaches an event, the disk or an export.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { scripted, scriptedModel } from '../../../lib/providers/index.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { sessionSecrets } from '../../../lib/session/create/session-secrets.ts'
import { fileStore } from '../../../lib/store/index.ts'
import type { Settings } from '../../../lib/streams/config/settings.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

const planted = {
  OPENAI_API_KEY: 'planted-openai-0123456789',
  APP_TOKEN: 'planted-app-0123456789',
  GITHUB_TOKEN: 'planted-github-0123456789',
}
const fileSecret = 'ghp_planted0123456789abcdefghij0123456789AB'

let folder: string
let home: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-secrets-'))
  home = path.join(folder, 'home')
  env = {
    ...planted,
    HOME: folder,
    RXPI_HOME: home,
    XDG_CONFIG_HOME: path.join(folder, 'config'),
    PATH: process.env['PATH'] ?? '',
  }
  mkdirSync(path.join(folder, 'work'))
  writeFileSync(path.join(folder, 'work', '.env'), `GITHUB=${fileSecret}\n`)
})
afterEach(() => rmSync(folder, { recursive: true }))

interface Call {
  readonly name: string
  readonly arguments: Record<string, unknown>
}

const failing = fakeTool(
  'failing',
  throwError(() => new Error(`401 for ${planted.APP_TOKEN}`)),
  { capability: 'read' },
)

/** Events, files and exports of a session that makes these calls, one after the other, and runs this command of a person. */
async function traces(
  calls: readonly Call[],
  { settings = {}, command }: { settings?: Settings; command?: string } = {},
) {
  const provider = scripted([...calls.map((call) => ({ toolCalls: [call] })), 'done'])
  const session = createSession({
    model: { model: scriptedModel, provider },
    cwd: path.join(folder, 'work'),
    env,
    approve: 'auto',
    settings,
    store: fileStore({ home }),
    tools: ['read', 'edit', 'grep', 'bash', 'job_output', failing],
  })
  const records: string[] = []
  session.records$.subscribe((record) => records.push(JSON.stringify(record)))
  if (command !== undefined) {
    const ended = new Promise<void>((resolve) => {
      session.events$.subscribe(({ type }) => (type === 'job_end' ? resolve() : undefined))
    })
    await resultOf(session.send({ type: 'user_bash', command }))
    await ended
  }
  const settled = valuesOf(session.events$.pipe(untilSettled()))
  await resultOf(session.send({ type: 'prompt', text: 'Go' }))
  await settled
  await valuesOf(session.close())
  const backend = createServerBackend({ env, version: '1' })
  const exported = await Promise.all(
    (['html', 'markdown', 'pi'] as const).map((format) => exportOf(backend, session.id, format)),
  )
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    .map((name) => path.join(home, name))
    .filter((file) => statSync(file).isFile())
  return {
    events: records.join('\n'),
    files: files.map((file) => readFileSync(file, 'utf8')).join('\n'),
    exported: exported.join('\n'),
  }
}

async function exportOf(
  backend: ReturnType<typeof createServerBackend>,
  session: string,
  format: 'html' | 'markdown' | 'pi',
) {
  const { text = '', file } = await resultOf(backend.stored.exportSession({ session, format }))
  return file === undefined ? text : readFileSync(file, 'utf8')
}

const bash = (command: string): Call => ({ name: 'bash', arguments: { command } })
const secretsIn = (text: string): readonly string[] =>
  [...Object.values(planted), fileSecret].filter((secret) => text.includes(secret))

describe('secrets in outputs [S18b]', () => {
  it.each<readonly [string, Call]>([
    ['the output of a command', bash('echo "$APP_TOKEN"; cat .env')],
    [
      'errors and colours',
      bash(String.raw`cat .env >&2; printf 'ghp_planted0123\033[1m456789abcdefghij0123456789AB\033[0m\n'`),
    ],
    ['slow pieces', bash('printf ghp_planted0123456789; sleep 0.1; printf "abcdefghij0123456789AB\\n"')],
    ['a long output in a file', bash('seq 9000; echo "$APP_TOKEN"; cat .env; seq 3000')],
    ['a result in a blob', bash('yes "0123456789 0123456789 $APP_TOKEN" | head -n 1500')],
    ['a file', { name: 'read', arguments: { path: '.env' } }],
    ['a search', { name: 'grep', arguments: { pattern: 'GITHUB', path: '.env' } }],
    [
      'the diff of an edit',
      { name: 'edit', arguments: { path: '.env', edits: [{ oldText: 'GITHUB=', newText: 'X=' }] } },
    ],
    ['an error', { name: 'failing', arguments: {} }],
  ])('%s are hidden from events, files and exports', async (_name, call) => {
    const { events, files, exported } = await traces([call])
    expect(secretsIn(events)).toEqual([])
    expect(secretsIn(files)).toEqual([])
    expect(secretsIn(exported)).toEqual([])
    expect(events).toMatch(/\[redacted:(?:APP_TOKEN|github-token)\]/)
    expect(events).toMatch(/redacted\.\]|"redactedSecrets":/)
  })

  it('of jobs and of a person’s own command are hidden', async () => {
    const wait = { name: 'job_output', arguments: { id: 'aaaaaaaa', wait: 1 } }
    const job = { name: 'bash', arguments: { command: 'cat .env', background: true } }
    const { events, files } = await traces([job, bash('sleep 0.2'), wait], { command: 'echo "$APP_TOKEN" | tee x' })
    expect(secretsIn(events + files)).toEqual([])
    expect(events).toContain('[redacted:APP_TOKEN]')
    expect(events).toContain('[redacted:github-token]')
    expect(events).toContain('[1 secret was redacted.]')
  })

  it('are shown if the settings say so', async () => {
    const { events } = await traces([bash('echo "$APP_TOKEN"')], { settings: { secrets: { redact: false } } })
    expect(secretsIn(events)).toEqual([planted.APP_TOKEN])
  })
})

describe('the environment of commands [S18d]', () => {
  const shows = 'echo "[$OPENAI_API_KEY|$GITHUB_TOKEN]" | tr a-z A-Z'

  it('lacks the keys of model providers', async () => {
    const { events } = await traces([bash(shows)])
    expect(events).toContain('[|PLANTED-GITHUB-0123456789]')
  })

  it('lacks each variable that a provider reads, also of models.json, and keeps those that serve for more', () => {
    const own = ['OPENAI_API_KEY', 'MOONSHOT_API_KEY', 'LITELLM_MASTER_KEY', 'ONE', 'TWO']
    const others = ['ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN', 'OPENAI_ADMIN_KEY', 'AWS_BEARER_TOKEN_BEDROCK']
    const shared = ['GITHUB_TOKEN', 'HF_TOKEN', 'GOOGLE_API_KEY', 'HOME']
    const all = Object.fromEntries([...own, ...others, ...shared].map((name) => [name, `planted-${name}`]))
    const provider = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:1/v1' } as const
    const providers = { one: { ...provider, apiKey: '$ONE' }, two: { ...provider, apiKey: ['$TWO', '$GITHUB_TOKEN'] } }
    const { env: rest } = sessionSecrets({ env: all, settings: {}, models: { providers } })
    expect(Object.keys(rest)).toEqual(shared)
  })

  it('has them if the settings allow it, without the variables that the settings name', async () => {
    const settings = { secrets: { env: 'keep' } } as const
    expect((await traces([bash(shows)], { settings })).events).toContain('[PLANTED-OPENAI-0123456789|')
    const named = { secrets: { names: ['GITHUB_TOKEN'] } }
    expect((await traces([bash(shows)], { settings: named })).events).toContain('[|]')
  })

  it('and the output of one tool call by hand are guarded as well', async () => {
    const backend = createServerBackend({ env, version: '1' })
    const args = { command: 'echo "[$OPENAI_API_KEY]"; echo "$APP_TOKEN"' }
    const values = await valuesOf(backend.sessions.runTool({ approve: 'auto', name: 'bash', args, cwd: folder, env }))
    expect(JSON.stringify(values)).toContain('[]')
    expect(JSON.stringify(values)).toContain('[redacted:APP_TOKEN]')
    expect(secretsIn(JSON.stringify(values))).toEqual([])
  })

  it('follows the user’s files', async () => {
    const config = path.join(folder, 'config', 'rxpi')
    mkdirSync(config, { recursive: true })
    const provider = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:1/v1' }
    const models = {
      providers: { one: { ...provider, apiKey: '$ONE' }, two: { ...provider, apiKey: 'planted-literal-01' } },
    }
    writeFileSync(path.join(config, 'models.json'), JSON.stringify(models))
    writeFileSync(path.join(config, 'settings.json'), '{"secrets":{"names":["OWN"]}}')
    for (const file of ['models.json', 'settings.json']) chmodSync(path.join(config, file), 0o600)
    const backend = createServerBackend({ env, version: '1' })
    const args = { command: 'echo "[$ONE$OWN]"; echo planted-literal-01 planted-own-01' }
    const own = { ...env, ONE: 'planted-one-01', OWN: 'planted-own-01' }
    const text = JSON.stringify(
      await valuesOf(backend.sessions.runTool({ approve: 'auto', name: 'bash', args, cwd: folder, env: own })),
    )
    expect(text).toContain(String.raw`[]\n[redacted:key of two] [redacted:OWN]`)
  })
})
