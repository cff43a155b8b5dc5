// Tests the exit codes and messages for failures of a provider.
import { describe, expect, it } from 'vitest'
import { providerFailureKinds } from '../../lib/streams/values/failure.ts'
import type { ProviderFailureKind } from '../../lib/streams/values/failure.ts'
import type { ScriptedError } from '../../lib/streams/config/script-file.ts'
import { workplace } from '../support/command.ts'
import { isFull } from '../support/sample-size.ts'

const failures: Readonly<Record<ProviderFailureKind, Omit<ScriptedError, 'kind'>>> = {
  auth: { status: 401 },
  rate_limit: { status: 429, retryAfterMs: 1 },
  overloaded: { status: 529, retryAfterMs: 1 },
  context_overflow: { status: 400 },
  bad_request: { status: 400 },
  network: { retryAfterMs: 1 },
  stall: { retryAfterMs: 1 },
  early_end: { retryAfterMs: 1 },
  refused: {},
}

/** The failure in `agent_end`, from the lines on standard output. */
function endIn(stdout: string): unknown {
  for (const line of stdout.trimEnd().split('\n').slice(1)) {
    const { event } = JSON.parse(line) as { event: { type: string; terminationReason?: string; error?: object } }
    if (event.type === 'agent_end') return [event.terminationReason, event.error]
  }
  return undefined
}

/** A retried kind and a silent server; `npm run test:full` has all kinds. */
const kinds = providerFailureKinds.filter((kind) => isFull || ['overloaded', 'stall'].includes(kind))

describe.concurrent('a provider’s failure', () => {
  it.each(kinds)('of kind %s ends the run with 3, as text and as lines [EXIT-3]', async (kind) => {
    using workspace = workplace()
    const answer = { error: { kind, message: 'as the test wants it', ...failures[kind] } }
    const model = workspace.scripted(Array.from({ length: 9 }, () => answer))
    const env = { RXPI_RETRY_BUSY_MS: '0' }
    const text = await workspace.run(['-p', 'x', '--model', model], { env })
    expect([text.code, text.stdout]).toEqual([3, ''])
    expect(text.stderr).toContain('as the test wants it')
    const lines = await workspace.run(['--mode', 'json', '-p', 'x', '--model', model], { env })
    expect(lines.code).toBe(3)
    expect(endIn(lines.stdout)).toMatchObject([
      kind === 'stall' ? 'idle_timeout' : 'error',
      { code: 'provider_error', data: { kind } },
    ])
  })

  it.each(kinds)('of kind %s after the start of the answer ends it with 3 too [EXIT-3]', async (kind) => {
    using workspace = workplace()
    const answer = { text: 'So far', error: { kind, message: 'as the test wants it', ...failures[kind] } }
    const ended = await workspace.run(['-p', 'x', '--model', workspace.scripted([answer])])
    expect([ended.code, ended.stdout]).toEqual([3, 'So far\n'])
    expect(ended.stderr).toContain('as the test wants it')
  })
})

it('that lasts is waited for, `-p` says so, and `--timeout` counts meanwhile [LOOP-28l]', async () => {
  using workspace = workplace()
  const model = workspace.scripted([{ error: { kind: 'overloaded', message: 'Busy', retryAfterMs: 120_000 } }])
  const ended = await workspace.run(['-p', 'x', '--timeout', '1', '--model', model])
  expect(ended.code).not.toBe(0)
  expect(ended.stderr).toContain('rxpi: attempt 2 follows in 120 s (Busy)')
  expect(ended.stderr).not.toContain('attempt 3')
})
