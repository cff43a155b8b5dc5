// Tests the failures of requests with a plan: a refused token, a spent limit, a missing model, a refused use.
import { EMPTY, catchError, of, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { retryRequest } from '../../../lib/operators/request/retry-request.ts'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'
import type { AccountProblem, StoredAccount } from '../../../lib/streams/accounts/account-storage.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'
import { aUser } from '../adapter/messages.ts'
import { completed, created, event, response, textItem } from '../openai/responses/responses-events.ts'

interface Reply {
  readonly status?: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A model of a plan whose vendor replies in this order; the tokens are token-1, token-2 … */
async function planModel(
  name: string,
  replies: readonly Reply[],
  own: Partial<StoredAccount> = {},
  problem: () => AccountProblem | undefined = () => undefined,
) {
  const provider = name.slice(0, name.indexOf('/'))
  const origins = { anthropic: 'https://api.anthropic.com', 'openai-codex': 'https://chatgpt.com' }
  const origin = Object.entries(origins).find(([key]) => key === provider)?.[1]
  const account: StoredAccount = {
    ...{ id: 'abcdefgh', provider, origin: origin ?? 'https://api.individual.githubcopilot.com', kept: 'file' },
    ...{ renewedAt: 1, plan: 'plus', ...own },
  }
  const sent: (string | null)[] = []
  const fetch: typeof globalThis.fetch = (_, init) => {
    sent.push(new Headers(init?.headers).get('authorization'))
    const { status = 200, body, headers = {} } = replies[sent.length - 1] ?? { status: 500, body: '' }
    const type = { 'content-type': status === 200 ? 'text/event-stream' : 'application/json' }
    return Promise.resolve(new Response(body, { status, headers: { ...type, ...headers } }))
  }
  let renewals = 0
  const access$ = (_: StoredAccount, refused?: string): Observable<string> => {
    if (refused !== undefined) renewals++
    return of(`token-${renewals + 1}`)
  }
  const accounts = { list: (of: string) => (of === provider ? [account] : []), access: access$, problem }
  const authStorage = { list: () => [], read: () => EMPTY, accounts }
  const memory = createKeyMemory()
  const found = await resultOf(resolveModel({ name, env: {}, authStorage, memory, models: { providers: {} }, fetch }))
  const request = { model: found.model, system: '', messages: [aUser('Hi')], tools: [], thinkingLevel: 'off' as const }
  return { sent, answer$: () => found.provider(request) }
}

async function failureOf(name: string, reply: Reply): Promise<Failure> {
  const { answer$ } = await planModel(name, [reply])
  let failure: Failure | undefined
  await valuesOf(
    answer$().pipe(
      catchError((error: unknown) => {
        failure = Failure.from(error)
        return EMPTY
      }),
    ),
  )
  if (failure === undefined) throw new Error('the request did not fail')
  return failure
}

const body = (error: object): string => JSON.stringify(error)
const refusedToken: Reply = { status: 401, body: body({ error: { message: 'Token expired', code: 'token_expired' } }) }
const wholeAnswer: Reply = { body: [created, ...textItem(0, 'Hello'), completed()].join('') }
const cutAnswer: Reply = { body: created }

describe('a token that is refused', () => {
  it('is renewed once, and the run goes on with the new one', async () => {
    const { sent, answer$ } = await planModel('openai-codex/gpt-6-sol', [refusedToken, wholeAnswer])
    const events = await resultOf(retryRequest(() => answer$()).pipe(toArray()))
    expect(sent).toEqual(['Bearer token-1', 'Bearer token-2'])
    expect(events[0]).toMatchObject({ type: 'auto_retry', to: 'a renewed one', delayMs: 0 })
    expect(events.at(-1)).toMatchObject({ type: 'done', stopReason: 'stop' })
  })

  it('after the renewal too ends the run', async () => {
    const { sent, answer$ } = await planModel('openai-codex/gpt-6-sol', [refusedToken, refusedToken, wholeAnswer])
    await expect(resultOf(retryRequest(() => answer$()).pipe(toArray()))).rejects.toMatchObject({
      data: { kind: 'auth', status: 401 },
    })
    expect(sent).toHaveLength(2)
  })

  it('within a stream, before the answer, is renewed too', async () => {
    const inStream = event('error', { code: 'token_expired', message: 'Token expired', status: 401 })
    const { sent, answer$ } = await planModel('openai-codex/gpt-6-sol', [{ body: inStream }, wholeAnswer])
    await resultOf(retryRequest(() => answer$()).pipe(toArray()))
    expect(sent).toEqual(['Bearer token-1', 'Bearer token-2'])
  })
})

describe('the limit of a plan', () => {
  const inAnHour = Math.round(Date.now() / 1_000) + 3_600
  const limit = { type: 'usage_limit_reached', message: 'The usage limit has been reached', plan_type: 'plus' }

  it.each<[string, string, Reply]>([
    [
      'ChatGPT',
      'openai-codex/gpt-6-sol',
      { status: 429, body: body({ error: { ...limit, resets_in_seconds: 3_600 } }) },
    ],
    [
      'ChatGPT, by its time',
      'openai-codex/gpt-6-sol',
      { status: 429, body: body({ error: { ...limit, resets_at: inAnHour } }) },
    ],
    [
      'Claude',
      'anthropic/claude-opus-5',
      {
        ...{ status: 429, body: body({ type: 'error', error: { type: 'rate_limit_error', message: 'Limit' } }) },
        headers: {
          'anthropic-ratelimit-unified-status': 'rejected',
          'anthropic-ratelimit-unified-reset': String(inAnHour),
        },
      },
    ],
    [
      'Copilot',
      'github-copilot/gpt-6-sol',
      {
        status: 429,
        body: body({ error: { code: 'rate_limited', message: 'Limit' } }),
        headers: { 'retry-after': '3600' },
      },
    ],
  ])('of %s is told with the time of its end', async (_, name, reply) => {
    const { data, message } = await failureOf(name, reply)
    expect(data).toMatchObject({ kind: 'rate_limit', planIssue: 'limit', status: 429 })
    expect(Math.abs((data.retryAfterMs ?? 0) - 3_600_000)).toBeLessThan(60_000)
    expect(message).toMatch(/it asks to wait \d+ s, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\)/)
    expect(message).toContain(`This is the limit of your plan "plus" of ${name.slice(0, name.indexOf('/'))}`)
  })

  it('of a spent allowance is told', async () => {
    const reply = {
      status: 402,
      body: body({ error: { code: 'quota_exceeded', message: 'No premium requests left' } }),
    }
    expect((await failureOf('github-copilot/gpt-6-sol', reply)).data).toMatchObject({
      kind: 'auth',
      planIssue: 'limit',
    })
  })
})

describe('a plan that lacks something', () => {
  const unsupported = "The 'gpt-6-sol' model is not supported when using Codex with a ChatGPT account."
  it.each<[string, string, Reply]>([
    ['ChatGPT', 'openai-codex/gpt-6-sol', { status: 400, body: body({ detail: unsupported }) }],
    [
      'Copilot',
      'github-copilot/gpt-6-sol',
      {
        status: 400,
        body: body({ error: { code: 'model_not_supported', message: 'The requested model is not supported.' } }),
      },
    ],
  ])('%s without the model fails so that fallbacks follow', async (_, name, reply) => {
    const { data, message } = await failureOf(name, reply)
    expect(data).toMatchObject({ kind: 'auth', planIssue: 'model' })
    expect(message).toContain(`has no model gpt-6-sol: rxpi models ${name.slice(0, name.indexOf('/'))} lists others.`)
  })

  it.each<[string, string, Reply]>([
    [
      '403',
      'anthropic/claude-opus-5',
      { status: 403, body: body({ error: { type: 'permission_error', message: 'no' } }) },
    ],
    [
      'its code',
      'openai-codex/gpt-6-sol',
      { status: 429, body: body({ error: { type: 'usage_not_included', message: 'no' } }) },
    ],
  ])('says that it does not cover the request: %s', async (_, name, reply) => {
    const { data, message } = await failureOf(name, reply)
    expect(data).toMatchObject({ kind: 'auth', planIssue: 'refused' })
    expect(message).toContain('does not cover this request, or its vendor refuses rxpi')
  })

  it('is not blamed for other failures', async () => {
    const reply = { status: 400, body: body({ error: { message: 'Unknown parameter' } }) }
    expect((await failureOf('openai-codex/gpt-6-sol', reply)).data).not.toHaveProperty('planIssue')
    expect((await failureOf('openai-codex/gpt-6-sol', cutAnswer)).data).toMatchObject({ kind: 'early_end' })
  })
})

describe('a problem of the account', () => {
  it('is one warning after the first delta, and stops nothing', async () => {
    const replies = [wholeAnswer, wholeAnswer]
    const problem = { code: 'account_not_stored', message: 'It is in memory alone.' }
    const { answer$ } = await planModel('openai-codex/gpt-6-sol', replies, {}, () => problem)
    const deltas = await valuesOf(answer$())
    expect(deltas[0]?.type).toBe('start')
    expect(deltas[1]).toMatchObject({ type: 'warning', ...problem, context: { provider: 'openai-codex' } })
    expect(deltas.at(-1)?.type).toBe('done')
    expect((await valuesOf(answer$())).filter(({ type }) => type === 'warning')).toEqual([])
  })
})

describe("the end of ChatGPT's answers", () => {
  it.each([
    ['completed', { stopReason: 'stop' }],
    ['incomplete', { stopReason: 'length' }],
  ])('may be response.done, here %s', async (status, expected) => {
    const ended = [created, ...textItem(0, 'Hello'), event('response.done', { response: response(status) })].join('')
    const { answer$ } = await planModel('openai-codex/gpt-6-sol', [{ body: ended }])
    expect((await valuesOf(answer$())).at(-1)).toMatchObject({ type: 'done', ...expected })
  })

  it('may be a failure', async () => {
    const ended = event('response.done', { response: response('failed', { error: { message: 'It broke' } }) })
    expect((await failureOf('openai-codex/gpt-6-sol', { body: ended })).message).toContain('It broke')
  })
})
