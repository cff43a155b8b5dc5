// Tests that a session without a store writes nothing to disk, even for long tool output.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { filter, firstValueFrom, lastValueFrom, switchMap, take } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/index.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { fileStore } from '../../../lib/store/index.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'

let folder: string
let home: string
let env: Record<string, string>
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-unstored-'))
  home = path.join(folder, 'home')
  env = { RXPI_HOME: home, XDG_CONFIG_HOME: path.join(folder, 'config'), PATH: process.env['PATH'] ?? '' }
})
afterEach(() => rmSync(folder, { recursive: true }))

const script = [{ toolCalls: [{ name: 'bash', arguments: { command: 'seq 20000' } }] }, 'done']

/** The notice below a long output. */
async function shownBy(session: Session): Promise<string> {
  const settled$ = session.events$.pipe(filter(({ type }) => type === 'agent_settled'))
  const settled = firstValueFrom(settled$, { defaultValue: undefined })
  void session.send({ type: 'prompt', text: 'count' })
  await settled
  const result = transcript(session.state$.value).find(({ role }) => role === 'toolResult')
  await lastValueFrom(session.close(), { defaultValue: undefined })
  return JSON.stringify(result).split('[This is').at(-1) ?? ''
}

function own(store: object = {}): Session {
  const model = { model: scriptedModel, provider: scripted(script) }
  return createSession({ model, cwd: folder, env, approve: 'auto', ...store })
}

describe('the full output of a command', () => {
  it('is not saved by a session without a store, and the model gets a notice', async () => {
    expect(await shownBy(own())).toContain('The rest was not stored.')
    expect(existsSync(home)).toBe(false)
  })

  it('is saved beside the log by a session with a store [S17b]', async () => {
    const shown = await shownBy(own({ store: fileStore({ home }) }))
    const file = /All of it: ([^\]"\\]+)/.exec(shown)?.[1] ?? ''
    expect(path.relative(home, file)).toMatch(/^spill\/[a-z2-7]{12}\//)
    expect(readFileSync(file, 'utf8')).toMatch(/^1\n2\n[^]*20000\n$/)
  })

  it.each([
    [false, 'The rest was not stored.'],
    [true, 'All of it: '],
  ])('of a server’s session with store: %j: %s', async (store, notices) => {
    const file = path.join(folder, 'script.json')
    writeFileSync(file, JSON.stringify(script))
    const host = createServerBackend({ env, version: '1' })
    const command = { approve: 'auto' as const, cwd: folder, env, model: `scripted/${file}`, store }
    const shown$ = host.sessions.create(command).pipe(
      take(1),
      switchMap(({ session }) => shownBy(session)),
    )
    expect(await firstValueFrom(shown$, { defaultValue: '' })).toContain(notices)
    expect(existsSync(home)).toBe(store)
  })
})
