// Tests `rxpi context`: what the next request of a new and of a stored session would hold.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { parseCommandLine } from '../../../../app/cli/command-line.ts'
import { context } from '../../../../app/commands/sessions/session-context.ts'
import { contextBars } from '../../../../app/text/context-bars.ts'
import { createEmbeddedServer } from '../../../../lib/server/machine-server.ts'
import type { ResultOf } from '../../../../lib/streams/commands/command.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

let folder: string
let env: Record<string, string>

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-context-'))
  mkdirSync(path.join(folder, 'project'))
  writeFileSync(path.join(folder, 'project/AGENTS.md'), 'Count in words.\n')
  writeFileSync(path.join(folder, 'script.json'), JSON.stringify([{ text: 'One, two.' }]))
  env = { HOME: folder, RXPI_HOME: path.join(folder, 'state'), RXPI_LOCAL_MODELS_MS: '0', RXPI_SANDBOX: 'off' }
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A server in this process, and the command over its client. */
function embedded() {
  const { client } = createEmbeddedServer({ env, version: '1' })
  const command = async (...words: string[]) => {
    const invocation = parseCommandLine(['context', ...words])
    if (invocation.mode !== 'context') throw new Error(`not context: ${words.join(' ')}`)
    const { world, stdout, stderr } = fakeWorld()
    const code = await firstValueFrom(context(invocation, { ...world, env, client }), { defaultValue: -1 })
    expect([code, stderr.written]).toEqual([0, ''])
    return stdout.written
  }
  return {
    client,
    command,
    [Symbol.asyncDispose]: async () => {
      await firstValueFrom(client.request({ type: 'shutdown' }), { defaultValue: {} })
      client.close()
    },
  }
}

const requestIn = (json: string) => (JSON.parse(json) as ResultOf<'get_context'>).request
const project = () => path.join(folder, 'project')
const model = () => `scripted/${path.join(folder, 'script.json')}`

it('prints the parts of a new session’s first request with their tokens, and stores nothing [CLI-context]', async () => {
  await using rxpi = embedded()
  const words = ['--cwd', project(), '--model', model()]
  const request = requestIn(await rxpi.command(...words, '--json'))
  const parts = request?.parts ?? []
  expect(parts.find(({ text }) => text?.includes('Count in words.') === true)?.kind).toBe('section')
  expect(parts.filter(({ kind }) => kind === 'tool').map(({ name }) => name)).toContain('read')
  expect(parts.filter(({ kind }) => kind === 'messages')).toEqual([])
  expect(request?.tokens).toBe(parts.reduce((sum, { tokens }) => sum + tokens, 0))
  const lines = request === undefined ? [] : contextBars(request)
  expect(await rxpi.command(...words)).toBe(lines.map((line) => `${line}\n`).join(''))
  expect(lines).toHaveLength(parts.length + 1)
  expect(existsSync(path.join(folder, 'state/sessions'))).toBe(false)
})

it('prints the messages of a session that is named [CLI-context]', async () => {
  await using rxpi = embedded()
  const setup = { type: 'new_session', cwd: project(), model: model(), approve: 'auto', env } as const
  const none = { session: '' }
  const { session } = await firstValueFrom(rxpi.client.request(setup), { defaultValue: none })
  await firstValueFrom(rxpi.client.request({ type: 'prompt', session, text: 'Count to two' }), { defaultValue: none })
  const messages = async () => {
    const parts = requestIn(await rxpi.command(session, '--json'))?.parts ?? []
    return parts.flatMap(({ kind, name, count }) => (kind === 'messages' ? [`${name} ${count ?? 0}`] : []))
  }
  await expect.poll(messages, { timeout: 10_000 }).toEqual(['user 1', 'assistant 1'])
})
