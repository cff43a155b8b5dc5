// Tests planning and building with a real server: refusals, acceptance, other clients, and a kill in the plan.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ensureBuilt } from '../support/command.ts'
import type { Frame, SocketServer } from '../support/socket-server.ts'
import { builtServer, socketClient } from '../support/socket-server.ts'
import { isFull } from '../support/sample-size.ts'

let folder: string
let server: SocketServer
const at = (...names: readonly string[]): string => path.join(folder, ...names)
const start = () => builtServer({ socket: at('s'), home: at('home') })
beforeAll(ensureBuilt, 300_000) // if there is no build
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-plan-'))
  server = await start()
})
afterEach(async () => {
  await server.kill()
  rmSync(folder, { recursive: true, force: true })
})

const write = { name: 'write', arguments: { path: 'made.txt', content: 'made' } }
const propose = { name: 'propose_plan', arguments: { plan: 'Write made.txt.' } }
const script = [
  { toolCalls: [write, { name: 'bash', arguments: { command: 'touch by-bash' } }, { name: 'bash', arguments: { command: 'ls' } }] }, // prettier-ignore
  { toolCalls: [propose] },
  { toolCalls: [write] },
  { text: 'Built.' },
]

const eventOf = (frame: Frame): Frame => (frame['event'] ?? {}) as Frame
const isEvent =
  (type: string, more: Frame = {}) =>
  (frame: Frame): boolean => {
    const event = eventOf(frame)
    return event['type'] === type && Object.entries(more).every(([key, value]) => event[key] === value)
  }
const result = (frame: Frame): Frame => (frame['result'] ?? {}) as Frame

async function client() {
  const connection = await socketClient(at('s'))
  await connection.ask({ type: 'hello', client: 'test', ui: true, questions: true })
  return connection
}

async function openPlanning() {
  writeFileSync(at('script.json'), JSON.stringify(script))
  const first = await client()
  const setup = { cwd: folder, env: {}, model: 'scripted/script.json', approve: 'auto', sandbox: 'off' }
  const session = String(result(await first.ask({ type: 'new_session', ...setup }))['session'])
  await first.ask({ type: 'attach', session })
  expect(await first.ask({ type: 'set_scenario_phase', session, scenario: 'plan' })).toMatchObject({ ok: true, result: { scenario: 'plan', phase: 'plan' } }) // prettier-ignore
  return { first, session, setup }
}

describe('a plan on a real server', () => {
  /** A client of the next server, of a session whose plan waited for an answer. */
  const killWhilePlanning = async () => {
    const { first, session, setup } = await openPlanning()
    await first.ask({ type: 'prompt', session, text: 'Make a file' })
    await first.frame(isEvent('question', { kind: 'plan' }))
    await server.kill()
    server = await start()
    const again = await client()
    await again.ask({ type: 'open_session', session, ...setup })
    await again.ask({ type: 'attach', session })
    return { again, session }
  }

  it('changes nothing before another client accepts it, then builds [SCENARIO-process]', async () => {
    const { first, session } = await openPlanning()
    await first.ask({ type: 'prompt', session, text: 'Make a file' })
    const second = await client()
    await second.ask({ type: 'attach', session, after: 0 })
    const requests = eventOf(await second.frame(isEvent('question', { kind: 'plan' })))
    expect(requests).toMatchObject({ text: 'Write made.txt.', choices: ['accept', 'reject'] })
    expect([existsSync(at('made.txt')), existsSync(at('by-bash'))]).toEqual([false, false])
    const decisions = second.frames.map(eventOf).filter((event) => event['type'] === 'policy_decision')
    expect(decisions.slice(0, 3).map(({ decision, by }) => [decision, by])).toEqual([
      ['deny', 'scenario'],
      ['deny', 'scenario'],
      ['allow', 'mode'],
    ])
    expect(result(await second.ask({ type: 'get_state', session }))).toMatchObject({ scenario: { scenario: 'plan', phase: 'plan', readOnly: true } }) // prettier-ignore
    await second.ask({ type: 'ui_response', session, requestId: requests['requestId'], outcome: { choice: 'accept' } })
    await first.frame(isEvent('agent_settled'))
    expect(readFileSync(at('made.txt'), 'utf8')).toBe('made')
    expect(result(await first.ask({ type: 'get_state', session }))).toMatchObject({ scenario: { scenario: 'plan', phase: 'build' } }) // prettier-ignore
    for (const each of [first, second]) each.cut()
  })

  it.runIf(isFull)(
    'is kept by a server that is killed while it waits, and goes on after it [SCENARIO-process]',
    async () => {
      const { again, session } = await killWhilePlanning()
      expect(result(await again.ask({ type: 'get_state', session }))).toMatchObject({ scenario: { scenario: 'plan', phase: 'plan', readOnly: true } }) // prettier-ignore
      await again.ask({ type: 'prompt', session, text: 'Go on' }) // the script begins anew
      await again.frame(isEvent('policy_decision', { by: 'scenario' }))
      expect(existsSync(at('made.txt'))).toBe(false)
      await again.ask({ type: 'abort', session })
      again.cut()
    },
  )

  it('is proposed again by a server that starts after a kill, and is built when it is accepted [SCENARIO-process]', async () => {
    const { again, session } = await killWhilePlanning()
    const question = eventOf(await again.frame(isEvent('question', { kind: 'plan' })))
    expect(question).toMatchObject({ text: 'Write made.txt.', choices: ['accept', 'reject'], tool: 'propose_plan' })
    expect(existsSync(at('made.txt'))).toBe(false)
    await again.ask({ type: 'ui_response', session, requestId: question['requestId'], outcome: { choice: 'accept' } })
    await again.frame(isEvent('tool_execution_end', { toolName: 'write' })) // the script begins anew
    expect(readFileSync(at('made.txt'), 'utf8')).toBe('made')
    expect(result(await again.ask({ type: 'get_state', session }))).toMatchObject({ scenario: { scenario: 'plan', phase: 'build' } }) // prettier-ignore
    await again.ask({ type: 'abort', session })
    again.cut()
  })
})
