// Tests that a session's tools see only the environment that its client sent.
// They see no variable of another session or of the server.
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-environment-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('sessions of one server have the environment of their own client, and no file contains it [S7b, S7c]', async () => {
  const script = path.join(folder, 'script.json')
  const command = 'echo "[$MINE|$YOURS|$OF_SERVER|$(pwd)]"'
  writeFileSync(script, JSON.stringify([{ toolCalls: [{ name: 'bash', arguments: { command } }] }, { text: 'Done.' }]))
  const home = path.join(folder, 'home')
  const host = createServerBackend({ env: { RXPI_HOME: home, HOME: folder, OF_SERVER: 'of-server' }, version: '1' })
  const ran = async (own: Record<string, string>): Promise<string> => {
    const env = { PATH: process.env['PATH'] ?? '', ...own }
    const { session } = await resultOf(
      host.sessions.create({ approve: 'auto', cwd: folder, env, model: `scripted/${script}` }),
    )
    const settled = valuesOf(session.events$.pipe(untilSettled()))
    await resultOf(session.send({ type: 'prompt', text: 'Go' }))
    await settled
    const result = transcript(session.state$.value).find(({ role }) => role === 'toolResult')
    await valuesOf(session.close())
    return JSON.stringify(result)
  }
  const results = await Promise.all([ran({ MINE: 'a-1', UNSEEN: 'planted-x' }), ran({ YOURS: 'b-2' })])
  expect(results[0]).toContain(`[a-1|||${folder}]`)
  expect(results[1]).toContain(`[|b-2||${folder}]`)
  const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).map((name) => path.join(home, name))
  const stored = files.filter((file) => statSync(file).isFile()).map((file) => readFileSync(file, 'utf8'))
  expect(stored.length).toBeGreaterThanOrEqual(2)
  expect(stored.filter((text) => text.includes('planted'))).toEqual([])
})
