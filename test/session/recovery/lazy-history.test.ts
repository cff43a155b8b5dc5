// Tests the check of older log lines after opening: it finds damage and does not delay a run.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NEVER } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
let session: Session
beforeEach(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-verify-'))
  session = createSession(surroundings(scripted(['first', 'second'])))
  await run('x'.repeat(300 * 1024)) // more than opening reads instead of a saved state
  await run('and')
  await valuesOf(session.close())
})
afterEach(async () => {
  await valuesOf(session.close())
  rmSync(home, { recursive: true })
})

const surroundings = (provider: Provider) => ({
  model: { model: scriptedModel, provider },
  cwd: home,
  env: {},
  tools: [],
  store: fileStore({ home }),
})

function logFile(): string {
  const [folder = ''] = readdirSync(path.join(home, 'sessions'))
  const name = readdirSync(path.join(home, 'sessions', folder)).find((each) => each.endsWith('.jsonl')) ?? ''
  return path.join(home, 'sessions', folder, name)
}

function damage(): void {
  const bytes = readFileSync(logFile())
  const at = bytes.indexOf('xxxx')
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(logFile(), bytes)
}

function reopen(provider: Provider = scripted(['third'])): AgentEvent[] {
  const events: AgentEvent[] = []
  session = createSession({ ...surroundings(provider), sessionId: session.id, onEvent: (event) => events.push(event) })
  return events
}

async function run(text: string): Promise<void> {
  const settled = new Promise<void>((resolve) => {
    session.events$.subscribe(({ type }) => {
      if (type === 'agent_settled') resolve()
    })
  })
  await valuesOf(session.send({ type: 'prompt', text }))
  await settled
}

const warnings = (events: readonly AgentEvent[]): EventNamed<'warning'>[] =>
  events.filter((event) => event.type === 'warning')

describe('a long session that is opened again', () => {
  it('accepts a prompt before every line is checked, and isVerified turns true [LOG-verified, ATTACH-state]', async () => {
    const events = reopen()
    expect(session.isVerified).toBe(false)
    await run('go on')
    await expect.poll(() => session.isVerified, { timeout: 10_000 }).toBe(true)
    expect(warnings(events)).toEqual([])
    expect(transcript(session.state$.value).map(({ role }) => role)).toHaveLength(6)
    await valuesOf(session.send({ type: 'prompt', text: 'more' }))
  })

  it('that is damaged emits a warning, and accepts no more commands [LOG-verified]', async () => {
    damage()
    const events = reopen()
    await expect.poll(() => warnings(events), { timeout: 10_000 }).toHaveLength(1)
    expect(warnings(events)[0]).toMatchObject({
      code: 'read_only',
      message: expect.stringMatching(/^Line 5 of /) as string,
    })
    await expect.poll(() => session.isVerified, { timeout: 10_000 }).toBe(true)
    await expect(valuesOf(session.send({ type: 'prompt', text: 'Hi' }))).rejects.toMatchObject({ code: 'read_only' })
  })

  it('that is damaged ends its run first [LOG-verified]', async () => {
    damage()
    const events = reopen(() => NEVER)
    // in one step of the event loop: the run is on before the check of the lines begins
    const sent = [
      session.send({ type: 'set_model', model: { model: scriptedModel, provider: () => NEVER } }),
      session.send({ type: 'branch_session', entryId: null }), // avoids the damaged lines
      session.send({ type: 'prompt', text: 'Hi' }),
    ]
    await Promise.all(sent.map((answer$) => valuesOf<unknown>(answer$)))
    await expect.poll(() => session.isVerified, { timeout: 10_000 }).toBe(true)
    await valuesOf(session.send({ type: 'steer', text: 'still' }))
    expect(warnings(events)).toEqual([])
    await valuesOf(session.send({ type: 'abort' }))
    await expect.poll(() => warnings(events), { timeout: 10_000 }).toHaveLength(1)
    expect(events.findIndex(({ type }) => type === 'agent_settled')).toBeLessThan(
      events.findIndex(({ type }) => type === 'warning'),
    )
    await expect(valuesOf(session.send({ type: 'steer', text: 'Hi' }))).rejects.toMatchObject({ code: 'read_only' })
  })

  it('that is damaged in its context ends the run with an error that names the line', async () => {
    damage()
    const events = reopen()
    await run('go on')
    const end = events.find((event) => event.type === 'agent_end')
    expect(end).toMatchObject({ terminationReason: 'error', error: { code: 'read_only' } })
    expect(end?.error?.message).toMatch(/^Line 5 of /)
  })

  it('that is closed before every line is checked leaves nothing running', async () => {
    reopen()
    await valuesOf(session.close())
    expect(
      readdirSync(path.dirname(logFile()))
        .map((name) => path.extname(name))
        .sort(),
    ).toEqual(['.jsonl', '.state'])
  })

  it('assigns no entry id twice', () => {
    const known = [...session.state$.value.entries.keys()]
    const fresh = [...known, 'zzzzzzzz']
    const counted = {
      session: () => session.id,
      short: () => fresh.shift() ?? 'yyyyyyyy',
      request: () => 'x'.repeat(26),
    }
    session = createSession({ ...surroundings(scripted(['third'])), sessionId: session.id, ids: counted })
    fresh.unshift('aaaaaaaa', 'bbbbbbbb') // ids of the run and of the turn
    session.send({ type: 'prompt', text: 'go on' }).subscribe()
    const prompted = session.state$.value.entries.get('zzzzzzzz')
    expect(prompted?.message).toMatchObject({ role: 'user', content: 'go on' })
  })
})
