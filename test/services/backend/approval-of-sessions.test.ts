// Tests that calls of a server obey the approval mode and the sandbox of the user's settings.
import { existsSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import type { SandboxMode } from '../../../lib/streams/ports/sandbox.ts'
import { noSandbox } from '../../host/sandbox/box.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-approval-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

function backend(approve: string) {
  mkdirSync(path.join(folder, 'rxpi'), { recursive: true })
  writeFileSync(path.join(folder, 'rxpi', 'settings.json'), JSON.stringify({ approve }), { mode: 0o600 })
  const env = { RXPI_HOME: path.join(folder, 'home'), HOME: folder, XDG_CONFIG_HOME: folder }
  return { env, ...createServerBackend({ env, version: '1' }) }
}

describe('the approval mode of the settings', () => {
  it.each(approvalModes)('“%s” is that of a new session, and of a reopened one [S1b]', async (mode) => {
    const { sessions, env } = backend(mode)
    const command = { cwd: folder, env, model: 'demo/guide' }
    const created = await resultOf(sessions.create(command))
    const session = created.session.id
    await resultOf(created.session.close()).catch(() => undefined)
    const again = await resultOf(sessions.open({ cwd: folder, env, session }))
    await resultOf(again.session.close()).catch(() => undefined)
    expect([created.session.approvalMode, again.session.approvalMode]).toEqual([mode, mode])
  })

  it('comes back when a session is opened again, with a notice about the looser one that it had [S1b]', async () => {
    const { sessions, env } = backend('writes')
    const open = async (session: string) => {
      const opened = await resultOf(sessions.open({ cwd: folder, env, session }))
      await valuesOf(opened.session.close())
      return opened
    }
    const { session } = await resultOf(sessions.create({ cwd: folder, env, model: 'demo/guide' }))
    await resultOf(session.send({ type: 'set_approval_mode', mode: 'auto' }))
    await valuesOf(session.close())
    const again = await open(session.id)
    expect(again.session.approvalMode).toBe('writes')
    expect(again.notices).toMatchObject([{ code: 'approval_mode', message: expect.stringContaining('auto') as string }])
    expect((await open(session.id)).notices).toEqual([])
  })

  it('decides about a call without a session, and so does that of the command [S1b]', async () => {
    const { sessions, env } = backend('ask')
    const write = { cwd: folder, env, name: 'write', args: { path: 'a', content: 'x' } }
    expect(await valuesOf(sessions.runTool(write))).toMatchObject([{ type: 'result', isError: true }])
    expect(existsSync(path.join(folder, 'a'))).toBe(false)
    expect((await valuesOf(sessions.runTool({ ...write, approve: 'auto' }))).at(-1)).toMatchObject({ isError: false })
    expect(existsSync(path.join(folder, 'a'))).toBe(true)
  })
})

describe.skipIf(noSandbox !== undefined)('a call without a session in the mode “writes”', () => {
  const call = async (name: string, args: Record<string, unknown>, sandbox?: SandboxMode) => {
    const { sessions, env } = backend('writes')
    const path = { ...env, PATH: process.env['PATH'] ?? '' }
    const command = { cwd: folder, env: path, name, args, ...(sandbox && { sandbox }) }
    const [last] = (await valuesOf(sessions.runTool(command))).slice(-1)
    return JSON.stringify(last)
  }

  it('runs in the sandbox of the settings, and the sandbox ends with it [SANDBOX-escape]', async () => {
    const command = 'readlink /proc/self/ns/pid; echo x > in; echo x > /etc/rxpi-out'
    const result = await call('bash', { command })
    expect(result).toMatch(/pid:\[\d+\]/)
    expect(result).not.toContain(readlinkSync('/proc/self/ns/pid'))
    expect(result).toContain('Read-only file system')
    expect(existsSync(path.join(folder, 'in'))).toBe(true)
  })

  it.each<[SandboxMode, boolean]>([
    ['read-only', false],
    ['workspace', true],
  ])(
    'as each call of a session with the sandbox %s changes the workspace: %j [SANDBOX-escape]',
    async (sandbox, writes) => {
      const { sessions, env } = backend('auto')
      const script = path.join(folder, 'script.json')
      writeFileSync(
        script,
        JSON.stringify([{ toolCalls: [{ name: 'write', arguments: { path: 'a', content: 'x' } }] }, 'done']),
      )
      const { session } = await resultOf(
        sessions.create({ cwd: folder, env, model: `scripted/${script}`, sandbox, store: false }),
      )
      const settled = firstValueFrom(session.events$.pipe(filter(({ type }) => type === 'agent_settled')), {
        defaultValue: undefined,
      })
      session.send({ type: 'prompt', text: 'Write.' }).subscribe()
      await settled
      await valuesOf(session.close())
      expect(existsSync(path.join(folder, 'a'))).toBe(writes)
    },
  )

  it.each<[string, string, Record<string, unknown>, SandboxMode | undefined, string]>([
    ['asks without a sandbox', 'bash', { command: 'echo ran' }, 'off', '--approve auto'],
    ['asks outside of it', 'bash', { command: 'echo ran', escalate: 'why' }, undefined, '--sandbox off'],
    [
      'cannot write where only reading is allowed',
      'write',
      { path: 'a', content: 'x' },
      'read-only',
      'outside the folders that this session may write',
    ],
  ])('%s, and is refused [S6c]', async (_, name, args, sandbox, words) => {
    const result = await call(name, args, sandbox)
    expect(result).toContain('"isError":true')
    expect(result).toContain(words)
    expect(existsSync(path.join(folder, 'a'))).toBe(false)
  })
})
