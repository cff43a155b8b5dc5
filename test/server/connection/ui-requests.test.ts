// Tests questions with two clients: both receive a question, and the first answer counts.
// Only a client that answers for a user counts as present.
import { describe, expect, it, vi } from 'vitest'
import { askingServer, askingTool } from '../../support/asking-server.ts'
import type { AskingServer } from '../../support/asking-server.ts'
import { lineClient } from '../../support/line-client.ts'
import type { LineClient } from '../../support/line-client.ts'

const script = [{ toolCalls: [{ name: 'ask' }] }, 'done']

function asking(): AskingServer {
  return askingServer({ script, tools: [askingTool({ kind: 'confirm', text: 'Sure?' })] })
}

interface Member {
  readonly client: LineClient
  answer(outcome: unknown, id?: string): unknown
}

/** An attached client; `ui`: whether it answers for a user. */
function member({ server, session }: AskingServer, ui?: boolean): Member {
  const client = lineClient(server)
  client.ask('n', { type: 'new_session', cwd: '/' })
  if (ui !== undefined) client.ask('h', { type: 'hello', client: 'test', ui })
  client.ask('a', { type: 'attach', session: session.id })
  return {
    client,
    answer: (outcome, id = 'r') => {
      const [request] = session.state$.value.requests
      const requestId = request?.requestId ?? sentRequests(client)?.['requestId']
      client.ask(id, { type: 'ui_response', session: session.id, requestId, outcome })
      return client.answers(id)[0]
    },
  }
}

function events(client: LineClient, type: string): Record<string, unknown>[] {
  return client.frames.flatMap((frame) => {
    const event = frame['event'] as Record<string, unknown> | undefined
    return event?.['type'] === type ? [event] : []
  })
}

function sentRequests(client: LineClient): Record<string, unknown> | undefined {
  return events(client, 'ui_request')[0]
}

function prompt({ client }: Member, { session }: AskingServer): void {
  client.ask('p', { type: 'prompt', session: session.id, text: 'Hi' })
}

describe('a question with two clients attached', () => {
  it('reaches both, is answered once, and is resolved for both', () => {
    const all = asking()
    const [first, second] = [member(all, true), member(all, true)]
    prompt(first, all)
    expect([first, second].map(({ client }) => sentRequests(client))).toMatchObject([
      { text: 'Sure?' },
      { text: 'Sure?' },
    ])
    expect(second.answer(true)).toMatchObject({ ok: true })
    expect(first.answer(false)).toMatchObject({
      ok: false,
      error: { code: 'bad_request', data: { resolvedBy: 'client' } },
    })
    for (const { client } of [first, second]) {
      expect(events(client, 'ui_resolved')).toMatchObject([{ outcome: true, by: 'client' }])
      expect(events(client, 'agent_settled')).toHaveLength(1)
    }
  })

  it('reaches a client that attaches while it is open', () => {
    const all = asking()
    prompt(member(all, true), all)
    const late = member(all, true)
    expect(late.client.answers('a')).toMatchObject([{ result: { requests: [{ kind: 'confirm', text: 'Sure?' }] } }])
    expect(late.answer(true)).toMatchObject({ ok: true })
    expect(all.session.state$.value.requests).toEqual([])
  })

  it('cannot be answered by a client without a UI [ATTACH-ui]', () => {
    const all = asking()
    const person = member(all, true)
    const program = member(all)
    prompt(program, all)
    expect(program.answer(true)).toMatchObject({ ok: false, error: { code: 'not_allowed' } })
    expect(person.answer(true)).toMatchObject({ ok: true })
  })
})

it('a question without an answer in time resolves to its default, for all clients', async () => {
  const question = { kind: 'select', text: 'Which?', options: ['a', 'b'], default: 'b', timeoutMs: 20 } as const
  const all = askingServer({ script, tools: [askingTool(question)] })
  const [first, second] = [member(all, true), member(all, true)]
  prompt(first, all)
  await vi.waitFor(() => expect(events(second.client, 'ui_resolved')).toHaveLength(1), { timeout: 10_000 })
  for (const { client } of [first, second])
    expect(events(client, 'ui_resolved')).toMatchObject([{ outcome: 'b', by: 'timeout' }])
  expect(first.answer('a')).toMatchObject({
    ok: false,
    error: { code: 'bad_request', data: { resolvedBy: 'timeout' } },
  })
})

describe('a client that can answer', () => {
  it.each([
    ['a client without hello', undefined],
    ['a client that sent hello {ui: false}', false],
  ])('is not %s: the default applies at once [ATTACH-ui]', (_, ui) => {
    const all = asking()
    const program = member(all, ui)
    prompt(program, all)
    expect(events(program.client, 'ui_resolved')).toMatchObject([{ outcome: false, by: 'default' }])
  })

  it('is one that sends hello {ui: true} after it attached [COMMAND-hello]', () => {
    const all = asking()
    const program = member(all)
    program.client.ask('h', { type: 'hello', ui: true })
    prompt(program, all)
    expect(events(program.client, 'ui_resolved')).toEqual([])
    expect(program.answer(true)).toMatchObject({ ok: true })
  })

  it('is not one that opened the session but is not attached', () => {
    const all = asking()
    const client = lineClient(all.server)
    client.ask('h', { type: 'hello', ui: true })
    client.ask('n', { type: 'new_session', cwd: '/' })
    client.ask('p', { type: 'prompt', session: all.session.id, text: 'Hi' })
    const resolved = [...all.session.logged()].filter(({ event }) => event.type === 'ui_resolved')
    expect(resolved).toMatchObject([{ event: { by: 'default' } }])
  })

  it.each([
    ['detached', (client: LineClient, session: string) => client.ask('d', { type: 'detach', session })],
    ['disconnected', (client: LineClient) => client.close()],
  ])('is, for 30 s, one that has just %s', (_, leave) => {
    const all = asking()
    const person = member(all, true)
    leave(person.client, all.session.id)
    const back = member(all)
    prompt(back, all)
    expect(all.session.state$.value.requests).toHaveLength(1) // the grace period of the question has begun
    back.client.ask('h', { type: 'hello', ui: true })
    expect(back.answer(true)).toMatchObject({ ok: true })
  })
})
