// Tests the output of `rxpi doctor`.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { combineLatest, firstValueFrom, lastValueFrom, mergeMap, take } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createServer } from '../../../lib/server/create-server.ts'
import { serveGateway } from '../../../lib/server/gateway/serve-gateway.ts'
import { serve } from '../../../lib/server/serve.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { doctor } from '../../../app/commands/doctor.ts'
import { fakeWorld } from '../../support/fake-world.ts'
import type { FakeWorld } from '../../support/fake-world.ts'
import { resultOf } from '../../support/result-of.ts'

type Checks = ResultOf<'doctor'>['checks']

const nowhere = { RXPI_SOCKET: '/nowhere/rxpi.sock' }
const socket = { name: 'socket', ok: true, required: false, message: '/nowhere/rxpi.sock: no server runs' }
const accounts = {
  ...{ name: 'accounts', ok: true, required: false },
  message: 'none; rxpi auth login signs in to a plan',
}
const extensions = { name: 'extensions', ok: true, required: false, message: 'none here' }
const gateway = {
  ...{ name: 'gateway', ok: true, required: false },
  message: 'off; rxpi serve --http PORT --web opens one, with a page for your sessions (docs/gateway.md)',
}
const good = { name: 'node', ok: true, required: true, message: 'Node 24' }
const useful = { name: 'rg', ok: false, required: false, message: 'not found' }
const bad = { name: 'state folder', ok: false, required: true, message: 'not writable\u001b[2J' }

function begin(own: FakeWorld, json = false): Promise<number> {
  return firstValueFrom(doctor({ mode: 'doctor', cwd: '/here', json }, { ...own.world, env: nowhere }), {
    defaultValue: -1,
  })
}

describe('rxpi doctor', () => {
  it.each<[string, Checks, number]>([
    ['0 if every check passes', [good], 0],
    ['0 if an optional check fails', [good, useful], 0],
    ['1 if a required check fails', [good, bad, useful], 1],
  ])('returns exit code %s [CLI-doctor]', async (_, checks, code) => {
    expect(await begin(fakeWorld({ checks }))).toBe(code)
  })

  it('prints one line per check, and escapes control characters on a terminal [S19a]', async () => {
    const own = fakeWorld({ checks: [good, useful, bad], terminals: ['stdout'] })
    await begin(own)
    expect(own.stdout.written).toBe(
      'ok    node           Node 24\nnote  rg             not found\nFAIL  state folder   not writable␛[2J\n' +
        `ok    accounts       ${accounts.message}\nok    extensions     none here\n` +
        'ok    socket         /nowhere/rxpi.sock: no server runs\n' +
        `ok    gateway        ${gateway.message}\n`,
    )
  })

  it('prints one JSON document with --json [CLI-document]', async () => {
    const own = fakeWorld({ checks: [good, useful] })
    await begin(own, true)
    expect(JSON.parse(own.stdout.written)).toEqual({ checks: [good, useful, accounts, extensions, socket, gateway] })
  })

  it('prints the address of the gateway that the running server has', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-doctor-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const env = { RXPI_SOCKET: path.join(folder, 'agent.sock'), RXPI_HTTP_TOKEN: 'a-token-of-sixteen-or-more' }
    const server = createServer({ sessions: { create: () => createSession({ env: {} }) } })
    const own = fakeWorld({ checks: [good] })
    let address = ''
    const code$ = combineLatest([
      serve(server, { socket: env.RXPI_SOCKET }),
      serveGateway(server, { port: 0, env }),
    ]).pipe(
      mergeMap(([, gateway]) => {
        address = gateway.url
        return doctor({ mode: 'doctor', cwd: '/here', json: false }, { ...own.world, env })
      }),
      take(1),
    )
    expect(await resultOf(code$)).toBe(0)
    expect(own.stdout.written).toContain(`ok    gateway        ${address}\n`)
    await lastValueFrom(server.close(), { defaultValue: undefined })
  })
})
