// Tests the output schema of a request in each SDK, and which schemas the strict modes accept.
import { lastValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import {
  anthropicMessages,
  googleGenerativeAi,
  openAiCompletions,
  openAiResponses,
} from '../../../lib/providers/endpoints/apis.ts'
import { isStrictSchema } from '../../../lib/providers/adapter/output-options.ts'
import type { Provider, ProviderRequest } from '../../../lib/streams/ports/provider.ts'
import type { EndpointOptions } from '../../../lib/providers/adapter/sdk-response.ts'
import { Type } from '@sinclair/typebox'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import { aRequest } from '../offline/a-request.ts'
import { aUser } from './messages.ts'

const strict = {
  type: 'object',
  properties: { port: { type: 'integer' } },
  required: ['port'],
  additionalProperties: false,
}
const optional = { ...strict, required: [] }
const loose = {
  type: 'object',
  properties: { port: { type: 'integer', multipleOf: 5 } },
  patternProperties: { '^x': { type: 'string' } },
}
const tool = { name: 'read', description: 'Read a file.', parameters: Type.Object({ path: Type.String() }) }

/** Returns the body of the only request. */
async function sent(
  make: (options: EndpointOptions) => Provider,
  fields: Partial<ProviderRequest>,
): Promise<Readonly<Record<string, unknown>>> {
  await using server = await rawSseServer({ status: 400, body: ['{"error":{"message":"enough"}}'] })
  const model = { id: 'm', provider: 'maker', api: 'any', inputs: ['text' as const], reasoning: true }
  const provider = make({ provider: 'maker', baseUrl: server.url, apiKey$: of('sk-test') })
  const request = aRequest({ model, messages: [aUser('Hello')], thinkingLevel: 'low', ...fields })
  await expect(lastValueFrom(provider(request), { defaultValue: undefined })).rejects.toThrow('enough')
  return server.requests[0]?.json() as Readonly<Record<string, unknown>>
}

describe('openai-responses', () => {
  it.each([
    [strict, true],
    [optional, false],
    [loose, false],
  ])('sends %j with strict: %s', async (outputSchema, isStrict) => {
    expect((await sent(openAiResponses, { outputSchema, tools: [tool] }))['text']).toEqual({
      format: { type: 'json_schema', name: 'answer', schema: outputSchema, strict: isStrict },
    })
  })

  it('sends no format without a schema', async () => {
    expect(await sent(openAiResponses, {})).not.toHaveProperty('text')
  })
})

describe('openai-completions', () => {
  const taking = (structuredOutput: 'never' | 'without_tools' | 'always') => (options: EndpointOptions) =>
    openAiCompletions({ ...options, compat: { structuredOutput } })
  const format = { type: 'json_schema', json_schema: { name: 'answer', schema: strict, strict: true } }

  it.each([
    ['always', [tool], format],
    ['always', [], format],
    ['without_tools', [], format],
    ['without_tools', [tool], undefined],
    ['never', [], undefined],
  ] as const)(
    'sends or omits the schema with structuredOutput %s and the tools %j',
    async (structuredOutput, tools, expected) => {
      const body = await sent(taking(structuredOutput), { outputSchema: strict, tools })
      expect(body['response_format']).toEqual(expected)
    },
  )
})

describe('anthropic-messages', () => {
  const vendor = (options: EndpointOptions): Provider =>
    anthropicMessages({ ...options, compat: { dialect: 'vendor', thinking: 'adaptive' } })

  it.each([strict, optional])('sends %j beside the effort', async (outputSchema) => {
    const { output_config: config } = await sent(vendor, { outputSchema, tools: [tool] })
    expect(config).toEqual({ effort: 'low', format: { type: 'json_schema', schema: outputSchema } })
  })

  it('sends no schema that the API does not support completely, and none to another address', async () => {
    expect((await sent(vendor, { outputSchema: loose }))['output_config']).toEqual({ effort: 'low' })
    expect(await sent(anthropicMessages, { outputSchema: strict })).not.toHaveProperty('output_config')
  })
})

describe('google-generative-ai', () => {
  const byLevel = (options: EndpointOptions): Provider =>
    googleGenerativeAi({ ...options, compat: { thinking: 'level' } })

  it('sends the supported part of the schema, and the rest in descriptions', async () => {
    const { generationConfig } = await sent(googleGenerativeAi, { outputSchema: loose })
    expect(generationConfig).toMatchObject({
      responseMimeType: 'application/json',
      responseJsonSchema: {
        type: 'object',
        properties: { port: { type: 'integer', description: '(multipleOf: 5)' } },
        description: '(patternProperties: {"^x":{"type":"string"}})',
      },
    })
  })

  it('sends the schema beside tools from Gemini 3 on', async () => {
    const sentRequests = { outputSchema: strict, tools: [tool] }
    expect((await sent(byLevel, sentRequests))['generationConfig']).toHaveProperty('responseJsonSchema', strict)
    expect((await sent(googleGenerativeAi, sentRequests))['generationConfig']).not.toHaveProperty('responseJsonSchema')
  })
})

describe('isStrictSchema', () => {
  const closed = { type: 'object', properties: {}, required: [], additionalProperties: false }
  it.each<[object, boolean, boolean]>([
    [strict, true, true],
    [optional, false, true],
    [loose, false, false],
    [{ type: 'string', enum: ['a'] }, true, true],
    [{ type: 'string', minLength: 1 }, false, false],
    [{ type: 'object' }, false, false],
    [{ ...closed, properties: { a: optional }, required: ['a'] }, false, true],
    [{ type: 'array', items: closed }, true, true],
    [{ type: 'array', items: { type: 'object' } }, false, false],
    [{ anyOf: [closed, { type: 'null' }], $defs: { a: closed } }, true, true],
    [{ $ref: '#/$defs/a', $defs: { a: loose } }, false, false],
  ])('returns for %j: %s, and %s if properties may be optional', (schema, whole, withOptional) => {
    expect([isStrictSchema(schema, false), isStrictSchema(schema, true)]).toEqual([whole, withOptional])
  })
})
