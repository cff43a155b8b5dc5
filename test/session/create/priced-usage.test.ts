// Tests that the session prices the tokens of a program's own provider, so that a budget in USD ends the run.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { runResults } from '../../../lib/operators/events/run-results.ts'
import { maxTurns, spent } from '../../../lib/operators/run/stop-when.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { tokenUsage } from '../../../lib/streams/models/price-usage.ts'
import type { Provider } from '../../../lib/streams/ports/provider.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { valuesOf } from '../../support/values-of.ts'

const unpriced: Model = { id: 'own', provider: 'mine', api: 'function', inputs: ['text'], reasoning: false }
const priced: Model = { ...unpriced, prices: { input: 2, output: 16 } }
const tokens = { ...noUsage, input: 500_000, output: 31_250, totalTokens: 531_250 }

/** Calls a tool for ever, as a function that reports this usage. */
function calling(usage: Usage): Provider {
  return () =>
    of<AssistantDelta[]>(
      { type: 'start' },
      { type: 'toolcall_start', contentIndex: 0, id: 'call', name: 'look' },
      { type: 'toolcall_end', contentIndex: 0, arguments: {} },
      { type: 'done', stopReason: 'toolUse', usage },
    )
}

async function resultOf(model: Model, usage: Usage, options: CreateSessionOptions = {}) {
  const session = createSession({
    model: { model, provider: calling(usage) },
    tools: [fakeTool('look', 'nothing')],
    approve: 'auto',
    cwd: '/',
    env: {},
    stopWhen: [spent({ usd: 3 }), maxTurns(37)],
    ...options,
  })
  const warnings: AgentEvent[] = []
  session.events$.subscribe((event) => event.type === 'warning' && warnings.push(event))
  const [result] = await valuesOf(session.run('Go').pipe(runResults()))
  return { ...result, warnings: warnings.map((event) => (event.type === 'warning' ? event.code : '')) }
}

describe('the cost of a program’s own provider', () => {
  it.each<[string, Usage]>([
    ['a cost of zero', tokens],
    ['an unknown cost', { ...tokens, cost: 'unknown' }],
    ['tokenUsage', tokenUsage({ input: 500_000, output: 31_250 })],
  ])('is that of the model’s prices for %s: a budget of 3 USD ends the run after 2 turns', async (_, usage) => {
    const result = await resultOf(priced, usage)
    expect(result).toMatchObject({ terminationReason: 'budget_exceeded', stopRule: 'spent', totalTurns: 2 })
    expect(result.usage?.cost).toMatchObject({ input: 2, output: 1, total: 3 })
    expect(result.message?.usage.cost).toMatchObject({ total: 1.5 })
  })

  it('is that of the provider if it computes one', async () => {
    const cost = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 2 }
    expect((await resultOf(priced, { ...tokens, cost })).usage?.cost).toMatchObject({ total: 4 })
  })

  it('is zero for a model whose prices are', async () => {
    const free = { ...unpriced, prices: { input: 0, output: 0 } }
    expect((await resultOf(free, tokens)).usage?.cost).toMatchObject({ total: 0 })
  })

  it('is unknown without prices, and a budget in USD alone ends the run with a coded error', async () => {
    const result = await resultOf(unpriced, tokens)
    expect(result).toMatchObject({ terminationReason: 'error', totalTurns: 1, usage: { cost: 'unknown' } })
    expect(result.error).toMatchObject({ code: 'bad_request' })
    expect(result.error?.message).toContain('the limit of 3 USD cannot be applied; set its prices')
  })

  it.each<[string, CreateSessionOptions]>([
    ['a limit of tokens too', { stopWhen: [spent({ usd: 3, tokens: 1e9 }), maxTurns(3)] }],
    ['the limit of the settings', { limits: { usd: 3 }, stopWhen: [maxTurns(3)] }],
  ])('warns and goes on with %s', async (_, options) => {
    const result = await resultOf(unpriced, tokens, options)
    expect(result).toMatchObject({ terminationReason: 'stopped', totalTurns: 3 })
    expect(result.warnings.filter((code) => code === 'stop_rule_blind')).toHaveLength(1)
  })

  it('stays unknown for a count that no answer can have', async () => {
    const result = await resultOf(priced, { ...tokens, input: -1 })
    expect(result.usage?.cost).toBe('unknown')
    expect(result.warnings).toContain('stop_rule_blind')
  })
})
