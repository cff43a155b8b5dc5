// Tests the schemas of tools against the rules of each API: every built-in tool, and schemas that no API takes.
import type { TObject } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { openAiStrictSchema, toolSchemas, strictSchema } from '../../../lib/providers/schemas/tool-schema.ts'
import { repairArguments } from '../../../lib/operators/tool-calls/repair-arguments.ts'
import { builtInTools } from '../../../lib/tools/index.ts'
import { hostileSchemas } from './hostile-schemas.ts'
import { ajv, providerRules, strictRules } from './provider-rules.ts'

const apis = Object.entries(providerRules)
const tools = builtInTools()

function accepts(schema: unknown, value: unknown): boolean {
  return ajv.validate(schema as object, value)
}

function deepFreeze<Value>(value: Value, received = new Set<unknown>()): Value {
  if (typeof value !== 'object' || value === null || received.has(value)) return value
  received.add(value)
  for (const each of Object.values(value)) deepFreeze(each, received)
  return Object.freeze(value)
}

describe.each(apis)('the schemas for %s', (api, rules) => {
  const normalise = toolSchemas({ api })

  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'of %s are what the API takes [LOOP-37e]',
    (_, { parameters }) => {
      const sent = normalise(parameters)
      expect(rules(sent)).toEqual([])
      if (!api.startsWith('google')) expect(sent).toBe(parameters)
    },
  )

  it.each(hostileSchemas.map((each) => [each.name, each] as const))(
    'of %s are what the API takes [LOOP-37e]',
    (_, { schema, accepts: values = [] }) => {
      const sent = normalise(deepFreeze(schema) as TObject)
      expect(rules(sent)).toEqual([])
      expect(values.filter((value) => !accepts(sent, value))).toEqual([])
      expect(JSON.stringify(sent).length).toBeLessThan(400_000)
      expect(JSON.parse(JSON.stringify(sent))).toEqual(JSON.parse(JSON.stringify(sent).toWellFormed()))
    },
  )

  it.each(hostileSchemas.map((each) => [each.name, each] as const))(
    'of %s are made once, and are their own form',
    (_, { schema }) => {
      const sent = normalise(schema as TObject)
      expect(normalise(schema as TObject)).toBe(sent)
      expect(normalise(sent)).toBe(sent)
      const again: unknown = JSON.parse(JSON.stringify(sent))
      expect(normalise(again as TObject)).toEqual(again)
    },
  )
})

it.each([
  ['openai-responses', 'openai-completions'],
  ['google-vertex', 'google-generative-ai'],
  ['mistral-conversations', 'openai-completions'],
  ['bedrock-converse-stream', 'anthropic-messages'],
])('sends by %s what it sends by %s', (api, other) => {
  for (const { parameters } of tools)
    expect(toolSchemas({ api })(parameters)).toBe(toolSchemas({ api: other })(parameters))
})

it('leaves schemas for another API as they are', () => {
  const schema = { type: 'string' } as unknown as TObject
  expect(toolSchemas({ api: 'scripted' })(schema)).toBe(schema)
})

describe('the strict schemas of OpenAI', () => {
  it.each(tools.map((tool) => [tool.name, tool] as const))(
    'of %s are what strict mode takes [LOOP-37e]',
    (_, { parameters }) => {
      const sent = openAiStrictSchema(parameters)
      expect(sent).toBeDefined()
      expect(strictRules(sent)).toEqual([])
      expect(openAiStrictSchema(parameters)).toBe(sent)
    },
  )

  it.each(hostileSchemas.map((each) => [each.name, each] as const))(
    'of %s are what strict mode takes, or there is none [LOOP-37e]',
    (_, { schema }) => {
      const sent = openAiStrictSchema(schema as TObject)
      if (sent !== undefined) expect(strictRules(sent)).toEqual([])
    },
  )

  it('are missing for the schemas that strict mode cannot say', () => {
    const names = hostileSchemas
      .filter(({ schema }) => openAiStrictSchema(schema as TObject) === undefined)
      .map(({ name }) => name)
    expect(names).toEqual([
      'if at the root',
      'an array without items',
      'a tuple of draft 7',
      'a tuple of draft 2020-12',
      'a reference that names nothing',
      'a reference elsewhere',
      'a reference to itself',
      'dynamic references',
      'schemas that are true and false',
      'additional properties as a schema',
      'names of prototypes',
      'values of enum that no API takes',
      'keywords of a wrong kind',
      'types that do not exist',
      'every constraint',
      'combinations within',
      'a deep schema',
      'an object that is its own part',
      'objects that are shared',
      'many values',
      'a long constraint',
    ])
  })

  const object = (properties: Record<string, unknown>): TObject =>
    ({ type: 'object', properties }) as unknown as TObject
  const named = (count: number): Record<string, unknown> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'null' }]))
  const deep = (levels: number): TObject => (levels === 1 ? object({}) : object({ a: deep(levels - 1) }))
  const values = (count: number, value = 'v'): TObject =>
    object({ a: { type: 'string', enum: Array.from({ length: count }, (_, index) => `${value}${index}`) } })

  it.each<readonly [string, TObject, boolean]>([
    ['10 levels', deep(10), true],
    ['11 levels', deep(11), false],
    ['1,000 values', values(1_000), true],
    ['1,001 values', values(1_001), false],
    ['90,000 characters', values(90, 'v'.repeat(999)), true],
    ['130,000 characters', values(130, 'v'.repeat(999)), false],
  ])('keep to the limits: %s', (_, schema, has) => {
    expect(openAiStrictSchema(schema) !== undefined).toBe(has)
  })

  it('keep to the limit of 5,000 properties', () => {
    expect(strictSchema(object(named(5_000)))).toBeDefined()
    expect(strictSchema(object(named(5_001)))).toBeUndefined()
  })

  it('accept null for an optional property, which a call counts as absent', () => {
    const [read] = tools
    const args = { path: 'a.txt', offset: null, limit: null, hashes: null }
    const names = Object.keys(read?.parameters.properties ?? {})
    const sent = Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)))
    expect(accepts(openAiStrictSchema(read?.parameters as TObject), sent)).toBe(true)
    expect(repairArguments(read?.parameters ?? {}, sent)).toEqual({ path: 'a.txt' })
  })
})
