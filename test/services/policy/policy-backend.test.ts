// Tests the commands about the policy: decisions explained, rules of Claude Code translated, decisions of a log listed.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import { sealLine } from '../../../lib/store/index.ts'

let top = ''
let backend: ServerBackend
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-policy-')))
  mkdirSync(path.join(top, 'config', 'rxpi'), { recursive: true })
  settings({})
  backend = createServerBackend({ env: { HOME: top, RXPI_HOME: path.join(top, 'state'), XDG_CONFIG_HOME: path.join(top, 'config') }, version: '1' }) // prettier-ignore
})
afterEach(async () => {
  await lastValueFrom(backend.close(), { defaultValue: undefined })
  rmSync(top, { recursive: true, force: true })
})

const once = <Value>(value$: Observable<Value>) => lastValueFrom(value$, { defaultValue: undefined })
const write = (file: string, value: unknown): string => {
  const target = path.join(top, file)
  writeFileSync(target, JSON.stringify(value))
  return target
}
/** Without a sandbox, so that the answers are those of any machine. */
const settings = (value: object) => write('config/rxpi/settings.json', { sandbox: { mode: 'off' }, ...value })

describe('policy_explain', () => {
  const explain = (tool: string, args: Record<string, unknown>, more: object = {}) =>
    once(backend.policy.explain({ cwd: top, env: {}, tool, args, ...more }))

  it('names decision, reason, class and rule of a new session, and runs nothing [COMMAND-policy_explain]', async () => {
    settings({ permissions: { deny: ['bash(git push *)'] } })
    expect(await explain('bash', { command: 'touch made' })).toMatchObject({ decision: 'ask', by: 'mode', mode: 'writes', pattern: 'bash(touch made)' }) // prettier-ignore
    expect(await explain('bash', { command: 'rm -rf /' })).toMatchObject({ decision: 'ask', by: 'class', class: 'recursive_delete', tier: 'critical' }) // prettier-ignore
    expect(await explain('bash', { command: 'git push origin' })).toMatchObject({ decision: 'deny', by: 'rule', rule: 'bash(git push *)' }) // prettier-ignore
    expect(await explain('read', { path: 'a' })).toMatchObject({ decision: 'allow', by: 'capability' })
    expect(await explain('unknown_tool', {})).toMatchObject({ decision: 'ask' })
  })

  it('takes mode and sandbox of the command, else those of the environment and the settings', async () => {
    const call = { command: 'npm test' }
    settings({ approve: 'ask' })
    expect(await explain('bash', call, { sandboxed: true })).toMatchObject({ decision: 'ask', mode: 'ask', sandboxed: true }) // prettier-ignore
    expect(await explain('bash', call, { env: { RXPI_APPROVE: 'auto' } })).toMatchObject({ decision: 'allow', mode: 'auto' }) // prettier-ignore
    expect(await explain('bash', call, { approve: 'writes', sandboxed: true })).toMatchObject({ decision: 'allow', by: 'sandbox' }) // prettier-ignore
    expect(await explain('bash', { ...call, escalate: 'docker' }, { approve: 'writes', sandboxed: true })).toMatchObject({ decision: 'ask', sandboxed: false }) // prettier-ignore
  })

  it('says that leaving the sandbox asks in every mode, as a session does [S6d]', async () => {
    const call = { command: 'npm test', escalate: 'docker' }
    expect(await explain('bash', call, { approve: 'auto', sandboxed: true })).toMatchObject({ decision: 'ask', by: 'sandbox', reason: 'bash asks to run outside the sandbox: docker.' }) // prettier-ignore
    expect(await explain('bash', call, { approve: 'auto', sandboxed: false })).toMatchObject({ decision: 'allow' })
  })

  it('counts a tool that does not keep to the sandbox as outside, as a session does', async () => {
    const inSandbox = { sandboxed: true, approve: 'writes' }
    expect(await explain('unknown_tool', {}, inSandbox)).toMatchObject({ decision: 'ask', sandboxed: false })
    expect(await explain('grep', { pattern: 'x' }, inSandbox)).toMatchObject({ decision: 'allow', sandboxed: true })
  })

  it('counts the folders that the sandbox lets a call write as inside', async () => {
    settings({ sandbox: { writable: ['/srv/data'] } })
    for (const file of ['/srv/data/a', ...(process.platform === 'linux' ? ['/tmp/rxpi-explained'] : [])]) {
      const call = { path: file, content: '' }
      expect(await explain('write', call, { sandboxed: true })).toMatchObject({ decision: 'allow', by: 'sandbox' })
      expect(await explain('write', call, { sandboxed: false })).toMatchObject({ decision: 'ask' })
    }
  })

  it('denies a change of files in a sandbox that is read-only, of the command or the settings', async () => {
    const [inside, outside] = [
      { path: 'a', content: '' },
      { path: '/srv/a', content: '' },
    ]
    const denied = { decision: 'deny', by: 'sandbox', reason: expect.stringContaining('read-only') as unknown }
    for (const call of [inside, outside]) {
      expect(await explain('write', call, { sandbox: 'read-only', approve: 'auto' })).toMatchObject(denied)
      expect(await explain('write', call, { sandbox: 'read-only', approve: 'ask' })).toMatchObject(denied)
    }
    expect(await explain('read', { path: 'a' }, { sandbox: 'read-only' })).toMatchObject({ decision: 'allow', sandboxed: true }) // prettier-ignore
    expect(await explain('bash', { command: 'make' }, { sandbox: 'read-only' })).toMatchObject({ decision: 'allow', by: 'sandbox' }) // prettier-ignore
    settings({ sandbox: { mode: 'read-only' } })
    expect(await explain('write', inside, { sandboxed: true })).toMatchObject(denied)
    expect(await explain('write', inside, { sandbox: 'workspace' })).toMatchObject({ decision: 'allow', by: 'sandbox' })
    expect(await explain('write', inside, { sandbox: 'off' })).toMatchObject({ decision: 'ask', sandboxed: false })
  })

  it('refuses arguments that the tool would refuse, and decides about repaired ones [POLICY-commands]', async () => {
    const faults = [
      ['bash', {}, 'bash would refuse these arguments: they need the field "command"'],
      ['bash', { command: { a: 1 } }, 'bash would refuse these arguments: /command must be text'],
      ['bash', { cmd: 'ls' }, 'they need the field "command"; bash takes command, timeout, '],
      ['Bash', { command: 'ls' }, 'There is no tool "Bash". Did you mean bash?'],
    ] as const
    for (const [tool, args, message] of faults)
      await expect(explain(tool, args), tool).rejects.toMatchObject({ code: 'bad_request', message: expect.stringContaining(message) as unknown }) // prettier-ignore
    expect(await explain('bash', { command: 'ls', timeout: '5' })).toMatchObject({ decision: 'ask' })
    expect(await explain('mcp__x__y', { any: 1 })).toMatchObject({ decision: 'ask' })
  })

  it('fails for rules that are not valid', async () => {
    settings({ permissions: { allow: ['bash('] } })
    await expect(explain('bash', { command: 'ls' })).rejects.toMatchObject({ code: 'bad_config' })
  })
})

describe('policy_import', () => {
  const translate = (file: string) => once(backend.policy.importRules({ cwd: top, env: {}, file }))

  it('translates rules of Claude Code, and names those without a counterpart [POLICY-import]', async () => {
    settings({ permissions: { allow: ['bash(npm run test *)'] } })
    const file = write('claude.json', {
      permissions: {
        allow: ['Bash(npm run test:*)', 'Read(//etc/**)', 'Task(x)'],
        ask: ['WebFetch(domain:x.io)'],
        deny: ['Read(./.env)', 'Bash(rm a && rm b)'],
        defaultMode: 'acceptEdits',
        additionalDirectories: ['../docs'],
      },
      hooks: {},
    })
    expect(await translate(file)).toEqual({
      file,
      rules: [
        { list: 'allow', text: 'Bash(npm run test:*)', rule: 'bash(npm run test *)', present: true },
        { list: 'allow', text: 'Read(//etc/**)', rule: 'read(/etc/**)' },
        { list: 'allow', text: 'Task(x)', fault: 'rxpi has no counterpart of the tool Task' },
        { list: 'ask', text: 'WebFetch(domain:x.io)', rule: 'web_fetch(domain:x.io)' },
        { list: 'deny', text: 'Read(./.env)', rule: 'read(./.env)' },
        { list: 'deny', text: 'Bash(rm a && rm b)', fault: expect.stringContaining('matches one command') as unknown },
      ],
      notes: [
        'defaultMode acceptEdits: approve "writes" with the allow rule "write" comes nearest',
        'additionalDirectories ../docs: allow read(../docs/**) and write(../docs/**) if you want it',
        'hooks are not imported: a hook is a program, not a rule',
      ],
    })
  })

  it.each([
    ['nothing about permissions', {}, /has no permissions/],
    ['no object', [], /it is not a JSON object/],
    ['a list that is none', { permissions: { allow: 'Bash' } }, /allow must be a list/],
    ['a rule that is no text', { permissions: { deny: [7] } }, /a rule of deny is not a text/],
  ])('refuses a file with %s', async (_, value, message) => {
    await expect(translate(write('claude.json', value))).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(message) as unknown }) // prettier-ignore
  })

  it('names a file that cannot be read, or is not JSON', async () => {
    await expect(translate(path.join(top, 'none.json'))).rejects.toThrow(/none\.json/)
    writeFileSync(path.join(top, 'bad.json'), '{"a":')
    await expect(translate(path.join(top, 'bad.json'))).rejects.toMatchObject({ code: 'bad_request', message: expect.stringMatching(/it is not JSON \(line 1/) as unknown }) // prettier-ignore
  })
})

describe('policy_audit', () => {
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost: 'unknown' }
  const answer = (entryId: string, command: string) => {
    const call = { type: 'toolCall', id: 'call_1', name: 'bash', arguments: { command } }
    const message = { role: 'assistant', content: [call], api: 'x', provider: 'p', model: 'm', usage, stopReason: 'toolUse', timestamp: 5 } // prettier-ignore
    return { type: 'message_end', entryId, parentId: null, message }
  }
  const writeLog = (events: readonly object[]): string => {
    const header = { type: 'session', v: 1, id: 'abcdefghij23', createdAt: 1, cwd: top }
    const lines = [header, ...events.map((event, index) => ({ seq: index + 1, at: 10 + index, event }))].map((line) => sealLine(JSON.stringify(line).slice(0, -1))) // prettier-ignore
    const file = path.join(top, 'log.jsonl')
    writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    return file
  }

  it('lists the decisions of a log with their calls, the last ones first cut [POLICY-audit]', async () => {
    const file = writeLog([
      answer('aaaaaaaa', 'npm publish'),
      { type: 'policy_decision', toolCallId: 'call_1', decision: 'ask', reason: 'It publishes.', class: 'publishing', tier: 'medium', by: 'class' }, // prettier-ignore
      { type: 'policy_decision', toolCallId: 'call_1', decision: 'deny', reason: 'The person refused.', by: 'client', client: 'tui' }, // prettier-ignore
      { type: 'tool_execution_start', toolCallId: 'call_1', toolName: 'bash', entryId: 'aaaaaaaa', args: { command: 'npm pack' } }, // prettier-ignore
    ])
    const args = { command: 'npm pack' }
    expect(await once(backend.stored.auditPolicy({ file }))).toMatchObject({
      total: 2,
      decisions: [
        { seq: 2, at: 11, tool: 'bash', args, decision: 'ask', class: 'publishing', by: 'class' },
        { seq: 3, tool: 'bash', args, decision: 'deny', by: 'client', client: 'tui' },
      ],
    })
    expect(await once(backend.stored.auditPolicy({ file, limit: 1 }))).toMatchObject({
      total: 2,
      decisions: [{ seq: 3 }],
    })
  })

  it('keeps the arguments of an earlier call whose id a provider repeats', async () => {
    const decision = { type: 'policy_decision', toolCallId: 'call_1', decision: 'allow', reason: 'x', by: 'capability' }
    const start = { type: 'tool_execution_start', toolCallId: 'call_1', toolName: 'bash', entryId: 'aaaaaaaa' }
    const file = writeLog([
      answer('aaaaaaaa', 'one'),
      decision,
      start,
      answer('bbbbbbbb', 'two'),
      decision,
      { ...start, args: { command: 'three' } },
    ])
    expect(await once(backend.stored.auditPolicy({ file }))).toMatchObject({
      decisions: [{ args: { command: 'one' } }, { args: { command: 'three' } }],
    })
  })
})
