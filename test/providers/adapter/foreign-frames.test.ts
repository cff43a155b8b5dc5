// Tests frames that are not the API's, and broken frames that should be.
import { from, lastValueFrom, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { warnOnce } from '../../../lib/providers/resolve/provider-model.ts'
import type { AssistantDelta } from '../../../lib/streams/messages/delta.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { aRequest } from '../offline/a-request.ts'
import { foldDeltas } from '../offline/fold-deltas.ts'
import { frame } from '../openai/openai-chunks.ts'
import { allApis, decodeFrames, deltasOf } from './decoded-frames.ts'
import { testedApis } from './tested-apis.ts'

const foreign = [
  ['a named ping', 'event: ping\ndata: {}\n\n'],
  ['a named text', 'event: keepalive\ndata: still here\n\n'],
  ['a notice with a message', 'event: queue\ndata: {"message":"3rd in the queue"}\n\n'],
  ['an empty object', 'data: {}\n\n'],
  ['a number', 'data: 7\n\n'],
  ['a vendor’s timing', 'data: {"x_timing":{"ms":3}}\n\n'],
] as const

function warnings(deltas: readonly AssistantDelta[]) {
  return deltas.filter((delta) => delta.type === 'warning')
}

describe.each(testedApis)('$api', ({ api, begun, end }) => {
  it.each(foreign)('skips %s, and reports it [S28c]', async (_, text) => {
    const deltas = await deltasOf(api, text, ...begun, text, ...end)
    expect(foldDeltas(deltas).content).toEqual([{ type: 'text', text: 'a' }])
    expect(warnings(deltas)).toMatchObject([{ code: 'foreign_frames', context: { provider: 'maker', frames: 2 } }])
    expect(deltas.at(-1)?.type).toBe('done')
  })

  it('names the first of many in one warning [S28c]', async () => {
    const pings = Array.from({ length: 20 }, () => 'event: ping\ndata: {}\n\n')
    const [warning] = warnings(await deltasOf(api, ...begun, ...pings, ...end))
    expect(warning?.message).toContain('maker sent 20 frames that are not of its API ("event: ping")')
  })

  it('has nothing to report of a plain answer', async () => {
    expect(warnings(await deltasOf(api, ...begun, ...end))).toEqual([])
  })

  it('ends early, to be tried again, after pings alone [S28c]', async () => {
    expect(await decodeFrames(api, 'event: ping\ndata: {}\n\n')).toMatchObject({ data: { kind: 'early_end' } })
  })

  it('says which frame came instead of any of the API [S28c]', async () => {
    const failure = await decodeFrames(api, frame({ status: 'ok' }))
    expect(failure).toMatchObject({ data: { kind: 'bad_request' } })
    expect(failure instanceof Failure && failure.message).toContain('{\\"status\\":\\"ok\\"}')
  })

  it('fails for an error, under any name [S28d]', async () => {
    const error = '{"error":{"message":"It broke","code":"server_error"}}'
    for (const name of ['error', 'message', 'fault'])
      expect(await decodeFrames(api, ...begun, `event: ${name}\ndata: ${error}\n\n`)).toMatchObject({
        message: expect.stringContaining('It broke') as unknown,
        data: { kind: 'overloaded' },
      })
  })
})

const named = (name: string, value: object): string => `event: ${name}\ndata: ${JSON.stringify(value)}\n\n`
const broken: readonly (readonly [api: string, fault: string, frame: string])[] = [
  ...allApis.map(({ api }) => [api, 'half a document', 'data: {"choices":[\n\n'] as const),
  ['openai-completions', 'choices that are no list', frame({ id: 'x', choices: 'a' })],
  ['openai-completions', 'a choice that is no object', frame({ id: 'x', choices: ['a'] })],
  ['openai-completions', 'a delta that is no object', frame({ id: 'x', choices: [{ index: 0, delta: 'a' }] })],
  ['openai-responses', 'a text piece without its type', named('response.output_text.delta', { delta: 'a' })],
  ['openai-responses', 'an item that is missing', named('x', { type: 'response.output_item.added' })],
  ['openai-responses', 'an end without its response', named('x', { type: 'response.completed' })],
  ['openai-responses', 'a named text that is no JSON', 'event: response.output_text.delta\ndata: {"de\n\n'],
  ['anthropic-messages', 'a delta that is missing', frame({ type: 'content_block_delta', index: 0 })],
  ['anthropic-messages', 'a block that is a text', frame({ type: 'content_block_start', content_block: 'a' })],
  ['anthropic-messages', 'a delta without its type', named('content_block_delta', { index: 0, delta: {} })],
  ['google-generative-ai', 'candidates that are no list', frame({ candidates: {} })],
  ['google-generative-ai', 'a candidate that is no object', frame({ candidates: ['a'] })],
]

it.each(broken)('%s: %s is a broken connection, which is tried again [S28d]', async (api, _, text) => {
  const { begun = [] } = allApis.find((each) => each.api === api) ?? {}
  const failure = await decodeFrames(api, ...begun, text)
  expect(failure).toMatchObject({ code: 'provider_error', data: { kind: 'network' } })
  expect(failure instanceof Failure && failure.message).toMatch(/^maker sent a frame .*damaged on the way\.$/)
})

it('a model’s provider reports them once, not with each response [S28c]', async () => {
  const warning = { type: 'warning', code: 'foreign_frames', message: 'm', recoverable: true } as const
  const provider = warnOnce(() => from([warning, { ...warning, code: 'usage_impossible' }]))
  const codes = async () =>
    (await lastValueFrom(provider(aRequest()).pipe(toArray()), { defaultValue: [] })).flatMap((delta) =>
      'code' in delta ? delta.code : [],
    )
  expect(await codes()).toEqual(['foreign_frames', 'usage_impossible'])
  await expect(codes()).resolves.toEqual([])
})
