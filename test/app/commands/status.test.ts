// Tests `rxpi status` on a server that a program serves: it may not know its own socket.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { mergeMap, take } from 'rxjs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { status } from '../../../app/commands/status.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import { serve } from '../../../lib/server/serve.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { fakeWorld } from '../../support/fake-world.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-status-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

it.each([true, false])('names the socket at which it reached the server (json: %s)', async (json) => {
  const socket = path.join(folder, 'agent.sock')
  const server = createServer({ sessions: { create: () => createSession({ env: {} }) } })
  const { world, stdout } = fakeWorld()
  const code$ = serve(server, { socket }).pipe(
    mergeMap(() => status({ mode: 'status', socket, json }, world)),
    take(1),
  )
  expect(await resultOf(code$)).toBe(0)
  await new Promise((resolve) => server.close().subscribe({ complete: () => resolve(undefined) }))
  if (json) expect(JSON.parse(stdout.written)).toMatchObject({ running: true, socket })
  else expect(stdout.written).toContain(`socket    ${socket}\n`)
})
