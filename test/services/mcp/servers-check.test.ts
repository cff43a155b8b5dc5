// Tests what the doctor says of MCP servers.
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { ServerBackend } from '../../../lib/services/contract/server-backend.ts'
import { fileAccountStorage } from '../../../lib/store/config/file-account-storage.ts'
import { resultOf } from '../../support/result-of.ts'
import { fakeHub, status } from './fake-hub.ts'
import type { FakeHub } from './fake-hub.ts'

let top: string
let fake: FakeHub
let backend: ServerBackend
const at = (...names: readonly string[]): string => path.join(top, ...names)
const env = () => ({ RXPI_HOME: at('state'), XDG_CONFIG_HOME: at('config'), HOME: at('own') })
const where = () => ({ cwd: at('work'), env: env() })

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-backend-')))
  for (const name of ['work', 'own', 'config/rxpi']) mkdirSync(at(name), { recursive: true })
  fake = fakeHub({ statuses: [status('files', { state: 'waiting', error: 'it ended', restarts: 2 }), status('files')] })
  backend = createServerBackend({ env: env(), version: '0.2.0', mcpHub$: of(fake.hub) })
})
afterEach(async () => {
  await lastValueFrom(backend.close(), { defaultValue: undefined })
  rmSync(top, { recursive: true })
})

const write = (file: string, value: unknown): void => {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o600 })
}
const settings = (mcpServers: unknown): void => {
  write('config/rxpi/settings.json', { mcpServers, own: 'key' })
}

/** Loads the hub, as a session with servers does. */
const openOne = async (): Promise<void> => {
  const { session } = await resultOf(backend.sessions.create({ ...where(), model: 'demo/guide', store: false }))
  await lastValueFrom(session.close(), { defaultValue: undefined })
}

describe('the doctor', () => {
  const check = async () =>
    (await resultOf(backend.mcp.check(where()))).map(({ name, ok, message }) => [name, ok ? 'ok' : 'note', message])

  it('says of each server whether it could be started, and starts none', async () => {
    expect(await check()).toEqual([])
    write('run.sh', '#!/bin/sh')
    chmodSync(at('run.sh'), 0o700)
    settings({
      good: { command: 'sh' },
      path: { command: at('run.sh'), cwd: at('work') },
      gone: { command: 'no-such-program' },
      lost: { command: at('work/none') },
      nowhere: { command: 'sh', cwd: at('none') },
      unset: { command: 'sh', env: { TOKEN: '$NO_SUCH_VARIABLE' } },
      odd: { url: 'ftp://x.example' },
      far: { url: 'https://far.example/mcp', headers: { A: 'hidden' } },
      off: { command: 'x', disabled: true },
    })
    write('work/.mcp.json', { mcpServers: { theirs: { command: 'no-such-program' } } })
    expect(await check()).toEqual([
      ['mcp good', 'ok', expect.stringMatching(/\/sh$/) as string],
      ['mcp path', 'ok', at('run.sh')],
      ['mcp gone', 'note', 'The program no-such-program is not in a folder of PATH.'],
      ['mcp lost', 'note', `Its program ${at('work/none')} is not there, or it cannot be executed.`],
      ['mcp nowhere', 'note', `Its folder ${at('none')} is not there.`],
      [
        'mcp unset',
        'note',
        'not used: mcpServers.unset.env.TOKEN needs the variable NO_SUCH_VARIABLE, which is not set.',
      ],
      ['mcp odd', 'note', 'not used: mcpServers.odd.url must begin with http:// or https://.'],
      ['mcp far', 'ok', 'https://far.example/mcp'],
      ['mcp off', 'ok', 'disabled'],
      ['mcp theirs', 'ok', 'not used: the folder is not trusted: look at it, then /trust, or --trust'],
    ])
    expect([fake.opened, fake.calls]).toEqual([[], []])
  })

  it('has the last problem and the sign-in of a server, and a file that is not valid', async () => {
    settings({ files: { url: 'https://n.example/mcp' } })
    write('work/.mcp.json', '{')
    const storage = fileAccountStorage({ home: at('state') })
    const account = { origin: 'https://n.example', tokens: { access: 'a' }, where: 'file' } as const
    await resultOf(storage.store({ ...account, provider: 'mcp:https://n.example/mcp' }))
    await openOne()
    expect(await check()).toEqual([
      ['mcp files', 'note', 'https://n.example/mcp, signed in; waiting: it ended'],
      ['mcp', 'note', expect.stringContaining('.mcp.json') as string],
    ])
    write('state/trust.json', '{')
    expect(await check()).toEqual([['mcp', 'note', expect.stringContaining('trust.json') as string]])
  })
})
