// Tests fallback models from the settings, through a whole session (docs/loop.md#28).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { createServerBackend } from '../../../lib/services/backend/create-server-backend.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-fallbacks-'))
  const files = { 'a.json': [{ error: { kind: 'auth' } }], 'b.json': ['in its place', 'and again'] }
  for (const [file, script] of Object.entries(files)) writeFileSync(path.join(folder, file), JSON.stringify(script))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** Every value of the source, after it has completed. */
function all<Value>(source$: Observable<Value>): Promise<Value[]> {
  return firstValueFrom(source$.pipe(toArray()), { defaultValue: [] })
}

async function eventsOf(session: Session): Promise<AgentEvent[]> {
  const events = all(session.events$.pipe(untilSettled()))
  await all(session.send({ type: 'prompt', text: 'Hello' }))
  return events
}

const answered = (events: readonly AgentEvent[]) =>
  events.flatMap((event) => (event.type === 'message_end' && event.message.role === 'assistant' ? [event.message] : []))

describe('the fallbacks of the settings', () => {
  it('are asked if the model of a session does not answer [LOOP-28i]', async () => {
    const session = createSession({
      model: 'scripted/a.json',
      cwd: folder,
      settings: { fallbacks: ['scripted/none.json', 'scripted/b.json'] },
    })
    const events = await eventsOf(session)
    expect(events.find(({ type }) => type === 'model_fallback')).toMatchObject({
      kind: 'auth',
      from: 'scripted/a.json',
      to: 'scripted/b.json',
    })
    expect(answered(events)).toMatchObject([{ model: 'b.json', content: [{ text: 'in its place' }] }])
    await all(session.close())
  })

  it('also apply to a model that is set later', async () => {
    const session = createSession({ model: 'demo', cwd: folder, settings: { fallbacks: ['scripted/b.json'] } })
    await all(session.send({ type: 'set_model', model: 'scripted/a.json' }))
    expect(answered(await eventsOf(session))).toMatchObject([{ model: 'b.json' }])
    await all(session.close())
  })

  it('are listed by doctor behind the model, with the unavailable ones', async () => {
    const host = createServerBackend({ env: { RXPI_HOME: path.join(folder, 'home') }, version: '0' })
    const env = { RXPI_FALLBACKS: 'scripted/b.json,openai/x' }
    const [report] = await all(host.config.doctor({ cwd: folder, env, model: 'scripted/a.json' }))
    const model = report?.checks.find(({ name }) => name === 'model')
    expect(model).toMatchObject({ ok: true })
    expect(model?.message).toMatch(
      /^scripted\/a.json, else scripted\/b.json\. The fallback openai\/x .* no key for openai/,
    )
  })

  it('that are unavailable cause a notice when a server opens the session', async () => {
    const host = createServerBackend({ env: { RXPI_HOME: path.join(folder, 'home') }, version: '0' })
    const env = { RXPI_FALLBACKS: 'scripted/none.json,scripted/b.json', XDG_CONFIG_HOME: folder }
    const [opened] = await all(host.sessions.create({ cwd: folder, env, model: 'scripted/a.json', store: false }))
    if (opened === undefined) throw new Error('no session was opened')
    const { session, notices } = opened
    expect(notices).toMatchObject([{ code: 'fallback_left_out' }])
    expect(notices[0]?.message).toContain('The fallback scripted/none.json of scripted/a.json is left out')
    expect(answered(await eventsOf(session))).toMatchObject([{ model: 'b.json' }])
    await all(session.close())
  })
})
