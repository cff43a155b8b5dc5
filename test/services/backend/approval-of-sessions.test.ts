// Tests that calls of a server obey the approval mode of the user's settings.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
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

  it('decides about a call without a session, and so does that of the command [S1b]', async () => {
    const { sessions, env } = backend('ask')
    const write = { cwd: folder, env, name: 'write', args: { path: 'a', content: 'x' } }
    expect(await valuesOf(sessions.runTool(write))).toMatchObject([{ type: 'result', isError: true }])
    expect(existsSync(path.join(folder, 'a'))).toBe(false)
    expect((await valuesOf(sessions.runTool({ ...write, approve: 'auto' }))).at(-1)).toMatchObject({ isError: false })
    expect(existsSync(path.join(folder, 'a'))).toBe(true)
  })
})
