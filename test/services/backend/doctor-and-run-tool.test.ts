// Tests the backend commands without a session: the doctor, and running one tool.
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-works-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const host = (home = path.join(folder, 'home')): ServerBackend =>
  createServerBackend({ env: { RXPI_HOME: home, HOME: folder }, version: '7.8.9' })

describe('the doctor', () => {
  const checks = async (home?: string): Promise<ResultOf<'doctor'>['checks']> => {
    const env = { PATH: process.env['PATH'] ?? '', XDG_CONFIG_HOME: folder }
    const notices = await resultOf(host(home).config.doctor({ cwd: folder, env, model: 'demo' }))
    return notices.checks
  }

  it('reports each check that passes [COMMAND-doctor]', async () => {
    const found = new Map((await checks()).map((check) => [check.name, check]))
    expect(found.get('rxpi')?.message).toContain('version 7.8.9')
    for (const name of ['state folder', 'configuration', 'bash', 'model']) {
      expect(found.get(name)).toMatchObject({ ok: true })
    }
  })

  it('reports each check that fails, with the reason [COMMAND-doctor]', async () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, '')
    const state = (await checks(path.join(file, 'home'))).find(({ name }) => name === 'state folder')
    expect(state).toMatchObject({
      ok: false,
      required: true,
      message: expect.stringContaining(`Could not use ${path.join(file, 'home')}`) as string,
    })
  })
})

describe('run_tool', () => {
  const run = (name: string, args: Record<string, unknown>) =>
    valuesOf(host().sessions.runTool({ approve: 'auto', name, args, cwd: folder }))

  it('runs the tool [COMMAND-run_tool]', async () => {
    const results = await run('write', { path: 'a', content: 'x' })
    expect(results.at(-1)).toMatchObject({ type: 'result', isError: false })
    expect(existsSync(path.join(folder, 'a'))).toBe(true)
  })

  it('returns an error result for invalid arguments, and does nothing [COMMAND-run_tool]', async () => {
    expect(await run('write', { path: 'a' })).toMatchObject([
      { type: 'result', isError: true, content: [{ text: expect.stringContaining('content') as string }] },
    ])
    expect(existsSync(path.join(folder, 'a'))).toBe(false)
  })

  it('refuses an unknown tool [COMMAND-run_tool]', async () => {
    await expect(run('none', {})).rejects.toMatchObject({ code: 'bad_request' })
  })
})
