// Tests that a session of a program uses the accounts of the machine with the user's settings, and only then.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { fileAccountStorage } from '../../../lib/store/index.ts'
import { completed, created, textItem } from '../../providers/openai/responses/responses-events.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

let home: string
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-user-accounts-'))
})
afterEach(() => {
  rmSync(home, { recursive: true })
})

/** The answer of a model whose account is at a mock of the vendor, and the key that the vendor got. */
async function ask(options: CreateSessionOptions) {
  await using server = await rawSseServer({ body: [created, ...textItem(0, 'Hello'), completed()] })
  const account = { provider: 'xai', origin: server.url, baseUrl: `${server.url}/v1`, where: 'file' } as const
  await resultOf(fileAccountStorage({ home }).store({ ...account, tokens: { access: 'token-1' } }))
  const env = { HOME: home, RXPI_HOME: home, XDG_CONFIG_HOME: home }
  const session = createSession({ model: 'demo/guide', env, cwd: home, ...options })
  try {
    await valuesOf(session.send({ type: 'set_model', model: 'xai/grok-4.7' }))
    const events = valuesOf(session.events$.pipe(untilSettled()))
    await valuesOf(session.send({ type: 'prompt', text: 'Hi' }))
    const answers = (await events).flatMap((event) => (event.type === 'message_end' ? [event.message] : []))
    const sent = server.requests.map(({ headers }) => headers['authorization'])
    return { sent, answer: answers.findLast(({ role }) => role === 'assistant') }
  } finally {
    await valuesOf(session.close())
  }
}

describe('the account of this machine', () => {
  it('answers in a session with the settings of the user', async () => {
    const { sent, answer } = await ask({ settings: true })
    expect(sent).toEqual(['Bearer token-1'])
    expect(answer).toMatchObject({ role: 'assistant', stopReason: 'stop' })
  })

  it('is not used by a session without them', async () => {
    await expect(ask({})).rejects.toThrow('There is no key for xai')
  })
})
