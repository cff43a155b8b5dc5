// Tests the hook commands of a project in a server's session: they run only if a person trusts the folder.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { concat, lastValueFrom } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { resultOf } from '../../support/result-of.ts'

let top: string
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-project-hooks-')))
})
afterEach(() => rmSync(top, { recursive: true }))

function write(file: string, hooks: object): void {
  mkdirSync(path.dirname(path.join(top, file)), { recursive: true })
  writeFileSync(path.join(top, file), JSON.stringify({ hooks }), { mode: 0o600 })
}

const command = (text: string) => [{ hooks: [{ type: 'command', command: text }] }]

/** The answer to a prompt, or why it was refused. */
async function prompt(trust: boolean): Promise<string> {
  const env = { RXPI_HOME: path.join(top, 'state'), XDG_CONFIG_HOME: path.join(top, 'config'), HOME: path.join(top, 'own'), PATH: process.env['PATH'] ?? '' } // prettier-ignore
  const backend = createServerBackend({ env, version: '0' })
  const setup = { cwd: path.join(top, 'work'), env, model: 'demo/guide', trust, store: false }
  const { session } = await resultOf(backend.sessions.create(setup))
  try {
    await resultOf(session.send({ type: 'prompt', text: 'hi' }))
    return 'accepted'
  } catch (error) {
    return (error as Error).message
  } finally {
    await lastValueFrom(concat(session.close(), backend.close()), { defaultValue: undefined })
  }
}

it('run after those of the user, in a trusted folder only [S2c]', async () => {
  const log = path.join(top, 'ran')
  write('work/.rxpi/settings.json', { UserPromptSubmit: command(`echo theirs >> ${log}; echo the project objects >&2; exit 2`) }) // prettier-ignore
  expect(await prompt(false)).toBe('accepted')
  expect(await prompt(true)).toContain('the project objects')
  write('config/rxpi/settings.json', { UserPromptSubmit: command('echo the user objects >&2; exit 2') })
  expect(await prompt(true)).toContain('the user objects')
})

it('refuse the opening with the name of their file if a matcher is no pattern', async () => {
  write('work/.rxpi/settings.json', { PreToolUse: [{ matcher: '(', hooks: [{ type: 'command', command: 'true' }] }] })
  await expect(prompt(true)).rejects.toMatchObject({
    code: 'bad_config',
    message: expect.stringContaining(path.join(top, 'work/.rxpi/settings.json')) as string,
  })
})
