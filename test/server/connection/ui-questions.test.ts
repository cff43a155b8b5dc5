// Tests the questions of a policy on the wire: which clients are asked how, and the answers they send.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { concatMap, filter, lastValueFrom, map, mergeMap, of, take, tap } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { connect } from '../../../lib/server/client/client.ts'
import { connectSocket } from '../../../lib/server/socket/connect-socket.ts'
import { serve } from '../../../lib/server/serve.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { askingServer } from '../../support/asking-server.ts'
import type { AskingServer } from '../../support/asking-server.ts'
import { resultOf } from '../../support/result-of.ts'
import { lineClient } from '../../support/line-client.ts'
import type { LineClient } from '../../support/line-client.ts'
import { fakePolicy } from '../../session/questions/policy-scene.ts'

const call = { name: 'act', arguments: { path: 'a' } }

function asking(): AskingServer {
  return askingServer({
    script: [{ toolCalls: [call, call] }, 'done'],
    tools: [fakeTool('act', 'ran')],
    options: { policy: fakePolicy() },
  })
}

function member({ server, session }: AskingServer, hello: object): LineClient {
  const client = lineClient(server)
  client.ask('n', { type: 'new_session', cwd: '/' })
  client.ask('h', { type: 'hello', ...hello })
  client.ask('a', { type: 'attach', session: session.id })
  return client
}

function events(client: LineClient, type: string): Record<string, unknown>[] {
  return client.frames.flatMap((frame) => {
    const event = frame['event'] as Record<string, unknown> | undefined
    return event?.['type'] === type ? [event] : []
  })
}

const newer = { client: 'desk', ui: true, questions: true }

describe('a question of the policy', () => {
  it('reaches clients that show it, is in the state, and is answered with the client’s name [POLICY-answers]', () => {
    const all = asking()
    const client = member(all, newer)
    const { id: session } = all.session
    client.ask('p', { type: 'prompt', session, text: 'Hi' })
    client.ask('s', { type: 'get_state', session })
    const [first, second] = events(client, 'question')
    expect(client.answers('s')[0]).toMatchObject({ result: { approvalMode: 'writes', questions: [first, second] } })
    expect(member(all, newer).answers('a')[0]).toMatchObject({ result: { requests: [], questions: [first, second] } })
    client.ask('1', { type: 'ui_response', session, requestId: second?.['requestId'], outcome: { choice: 'deny', text: 'No.' } }) // prettier-ignore
    client.ask('2', { type: 'ui_response', session, requestId: first?.['requestId'], outcome: { choice: 'once' } })
    expect([client.answers('1')[0], client.answers('2')[0]]).toMatchObject([{ ok: true }, { ok: true }])
    expect(events(client, 'policy_decision')).toMatchObject([
      { toolCallId: 'call_1_2', decision: 'deny', by: 'client', client: 'desk' },
      { toolCallId: 'call_1_1', decision: 'allow', by: 'client', client: 'desk' },
    ])
    expect(events(client, 'agent_settled')).toHaveLength(1)
  })

  it('comes as an approval if only clients without it are attached [POLICY-fallback]', () => {
    const all = asking()
    const client = member(all, { client: 'old', ui: true })
    client.ask('p', { type: 'prompt', session: all.session.id, text: 'Hi' })
    expect(events(client, 'ui_request')).toMatchObject([{ choices: ['once', 'deny'] }, { choices: ['once', 'deny'] }])
    expect(events(client, 'question')).toEqual([])
    client.ask('x', { type: 'abort', session: all.session.id })
  })

  it('is not asked if no client has a UI, and cannot be answered by one [S4b]', () => {
    const all = asking()
    const client = member(all, { client: 'script', questions: true })
    client.ask('p', { type: 'prompt', session: all.session.id, text: 'Hi' })
    expect(events(client, 'policy_decision')).toMatchObject([{ by: 'unattended' }, { by: 'unattended' }])
  })

  it('the mode changes by a command, for all clients [COMMAND-set_approval_mode]', () => {
    const all = asking()
    const client = member(all, newer)
    client.ask('m', { type: 'set_approval_mode', session: all.session.id, mode: 'auto' })
    client.ask('s', { type: 'get_state', session: all.session.id })
    expect(client.answers('s')[0]).toMatchObject({ result: { approvalMode: 'auto' } })
    expect(events(client, 'approval_mode_change')).toMatchObject([{ from: 'writes', to: 'auto', by: 'client' }])
  })
})

it('is asked and answered over a socket [POLICY-question]', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rxpi-questions-'))
  const path = join(folder, 'rxpi.sock')
  const { server, session } = asking()
  let over: Promise<unknown> = Promise.resolve()
  await new Promise<void>((resolve, reject) => {
    const begun$ = serve(server, { path }).pipe(tap(() => resolve()))
    over = lastValueFrom(begun$, { defaultValue: undefined })
    over.catch(reject)
  })
  const client = connect(await resultOf(connectSocket(path)))
  await resultOf(client.request({ type: 'hello', ...newer }))
  await resultOf(client.request({ type: 'new_session', cwd: '/' }))
  const decisions: AgentEvent[] = []
  const settled = resultOf(
    client.events$(session.id).pipe(
      mergeMap((frame) => (frame.type === 'event' ? [frame.event] : [])),
      concatMap((event) => {
        if (event.type === 'policy_decision') decisions.push(event)
        if (event.type !== 'question') return of(event)
        const command = { type: 'ui_response', session: session.id, requestId: event.requestId } as const
        return client.request({ ...command, outcome: { choice: 'once' } }).pipe(map(() => event))
      }),
      filter(({ type }) => type === 'agent_settled'),
      take(1),
    ),
  )
  await new Promise((resolve) => setTimeout(resolve, 50)) // attached
  await resultOf(client.request({ type: 'prompt', session: session.id, text: 'Hi' }))
  await settled
  expect(decisions).toMatchObject([{ decision: 'allow', client: 'desk' }, { decision: 'allow', client: 'desk' }]) // prettier-ignore
  await resultOf(client.request({ type: 'shutdown' }))
  client.close()
  await over
  rmSync(folder, { recursive: true, force: true })
})
