// Tests the schemas that a tool's parameters can be, at run time and in the types of its methods.
// Over 250 lines: each schema library, at run time and in the types.
import { Type } from '@sinclair/typebox'
import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import { Type as Type1 } from 'typebox'
import { lastValueFrom, of } from 'rxjs'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { createAgent } from '../../../lib/session/agent/create-agent.ts'
import { defineTool } from '../../../lib/streams/tool-definition/define-tool.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool, ToolContext } from '../../../lib/streams/ports/tool.ts'

const described = { name: 'find', description: 'Finds.' }
const noResult$ = () => of(textResult(''))

/** Calls the tool in a session; resolves to the text that the model gets. */
async function resultOf(tool: AnyTool, args: Record<string, unknown>): Promise<string> {
  const provider = scripted([{ toolCalls: [{ name: tool.name, arguments: args }] }, 'done'])
  const agent = createAgent({ model: { model: scriptedModel, provider }, tools: [tool], approve: 'auto', env: {} })
  await agent.prompt('go')
  await agent.close()
  const result = agent.state.messages.find(({ role }) => role === 'toolResult')
  const [part] = result?.role === 'toolResult' ? result.content : []
  return part?.type === 'text' ? part.text : ''
}

/** What a handler receives, as JSON. */
const shown$ = (args: unknown) => of(textResult(JSON.stringify(args)))

describe('parameters of', () => {
  it('TypeBox 0.34 have the static type and stay as they are', async () => {
    const parameters = Type.Object({ word: Type.String(), limit: Type.Optional(Type.Integer({ minimum: 1 })) })
    const tool = defineTool({
      ...described,
      parameters,
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ word: string; limit?: number }>()
        return shown$(args)
      },
    })
    expect(tool.parameters).toBe(parameters)
    expect(await resultOf(tool, { word: 'a', limit: '3' })).toBe('{"word":"a","limit":3}')
    expect(await resultOf(tool, { word: 'a', limit: 0 })).toContain('- /limit: must be at least 1')
  })

  it('TypeBox 1.x have the static type and are checked', async () => {
    const parameters = Type1.Object({
      word: Type1.String(),
      limit: Type1.Optional(Type1.Integer({ minimum: 1 })),
      kind: Type1.Union([Type1.Literal('a'), Type1.Literal('b'), Type1.Null()]),
      level: Type1.Enum(['low', 'high']),
      tags: Type1.Array(Type1.Object({ name: Type1.String() })),
      pair: Type1.Tuple([Type1.String(), Type1.Number()]),
      counts: Type1.Record(Type1.String(), Type1.Number()),
      both: Type1.Intersect([Type1.Object({ x: Type1.Number() }), Type1.Object({ y: Type1.Boolean() })]),
      own: Type1.Unsafe<'mine'>({ type: 'string' }),
      any: Type1.Unknown(),
    })
    const tool = defineTool({
      ...described,
      parameters,
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{
          word: string
          limit?: number
          kind: 'a' | 'b' | null
          level: 'low' | 'high'
          tags: { name: string }[]
          pair: [string, number]
          counts: Record<string, number>
          both: { x: number } & { y: boolean }
          own: 'mine'
          any: unknown
        }>()
        return noResult$()
      },
    })
    expect(tool.parameters).toBe(parameters)
    const few = defineTool({
      ...described,
      parameters: Type1.Object({ n: Type1.Optional(Type1.Number()) }),
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ n?: number }>()
        return shown$(args)
      },
    })
    expect(await resultOf(few, { n: 2 })).toBe('{"n":2}')
    expect(await resultOf(few, { n: 'two' })).toContain('- /n: must be a number')
  })

  it('JSON Schema are inferred from the literal and checked', async () => {
    const tool = defineTool({
      ...described,
      parameters: {
        type: 'object',
        properties: {
          word: { type: 'string', minLength: 1 },
          size: { type: ['integer', 'null'] },
          kind: { enum: ['a', 'b'] },
          fixed: { const: 1 },
          tags: { type: 'array', items: { type: 'string' } },
          pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }] },
          either: { anyOf: [{ type: 'number' }, { type: 'object', properties: { on: { type: 'boolean' } } }] },
          both: { allOf: [{ type: 'object', properties: { x: {} }, required: ['x'] }] },
          map: { type: 'object', additionalProperties: { type: 'number' } },
          open: { type: 'object' },
          other: { $ref: '#/properties/word' },
        },
        required: ['word', 'kind'],
      },
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{
          word: string
          kind: 'a' | 'b'
          size?: number | null
          fixed?: 1
          tags?: string[]
          pair?: [string, boolean]
          either?: number | { on?: boolean }
          both?: { x: unknown }
          map?: Record<string, number>
          open?: Record<string, unknown>
          other?: unknown
        }>()
        return shown$(args)
      },
    })
    expect(await resultOf(tool, { word: 'x', kind: 'a' })).toBe('{"word":"x","kind":"a"}')
    const refused = await resultOf(tool, { word: '', kind: 'c' })
    expect(refused).toContain('- /word: must not be empty')
    expect(refused).toContain('- /kind: must be one of a, b')
  })

  it('zod receive the output of the schema, with its messages', async () => {
    const tool = defineTool({
      ...described,
      parameters: z.object({
        word: z.string().describe('what to find'),
        limit: z.number().int().default(10),
        when: z.string().transform((text) => new Date(text)),
      }),
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ word: string; limit: number; when: Date }>()
        return of(textResult(`${args.word} ${args.limit} ${args.when.getUTCFullYear()}`))
      },
    })
    expect(tool.parameters).toEqual({
      type: 'object',
      properties: {
        word: { type: 'string', description: 'what to find' },
        limit: { type: 'integer', default: 10, minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
        when: { type: 'string' },
      },
      required: ['word', 'when'],
    })
    expect(await resultOf(tool, { word: 'x', when: '2020-02-03' })).toBe('x 10 2020')
    expect(await resultOf(tool, { word: 'x', when: '2020-02-03', limit: '7' })).toBe('x 7 2020')
    expect(await resultOf(tool, { word: {}, when: '2020-02-03' })).toContain(
      '- /word: Invalid input: expected string, received object',
    )
  })

  it('valibot receive the output of the schema', async () => {
    const tool = defineTool({
      ...described,
      parameters: toStandardJsonSchema(v.object({ word: v.string(), limit: v.optional(v.number(), 10) })),
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ word: string; limit: number }>()
        return shown$(args)
      },
    })
    expect(tool.parameters).toMatchObject({ type: 'object', required: ['word'] })
    expect(await resultOf(tool, { word: 'x' })).toBe('{"word":"x","limit":10}')
    expect(await resultOf(tool, { word: [[]] })).toContain('- /word: Invalid type')
  })

  it('ArkType receive the output of the schema', async () => {
    const tool = defineTool({
      ...described,
      parameters: type({ word: 'string', 'limit?': 'number', tags: '("a" | "b")[]' }),
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ word: string; limit?: number; tags: ('a' | 'b')[] }>()
        return shown$(args)
      },
    })
    expect(tool.parameters).toMatchObject({ type: 'object', required: ['tags', 'word'] })
    expect(await resultOf(tool, { word: 'x', tags: ['a'] })).toBe('{"word":"x","tags":["a"]}')
    expect(await resultOf(tool, { word: 'x', tags: ['c'] })).toContain('- /tags/0: ')
  })
})

describe('a Standard Schema', () => {
  it('that is asynchronous is awaited, and its issues are the result', async () => {
    const tool = defineTool({
      ...described,
      parameters: z.object({ word: z.string().refine((word) => Promise.resolve(word !== 'bad'), 'is a bad word') }),
      execute: ({ word }) => Promise.resolve(textResult(word.toUpperCase())),
    })
    expect(await resultOf(tool, { word: 'good' })).toBe('GOOD')
    expect(await resultOf(tool, { word: 'bad' })).toBe('The arguments of find are not valid:\n- /word: is a bad word')
  })

  it('that only has a JSON Schema is checked by it and types the input', async () => {
    const parameters = {
      '~standard': {
        version: 1 as const,
        vendor: 'mine',
        types: undefined as { readonly input: { word: string }; readonly output: { word: Date } } | undefined,
        jsonSchema: {
          input: () => ({ type: 'object', properties: { word: { type: 'string' } }, required: ['word'] }),
        },
      },
    }
    const tool = defineTool({
      ...described,
      parameters,
      execute: (args) => {
        expectTypeOf(args).toEqualTypeOf<{ word: string }>()
        return shown$(args)
      },
    })
    expect(await resultOf(tool, { word: 'x' })).toBe('{"word":"x"}')
    expect(await resultOf(tool, {})).toContain('needs the field "word"')
  })

  it('gives every method its output', () => {
    const tool = defineTool({
      ...described,
      parameters: z.object({ path: z.string().transform((path) => ({ path })) }),
      locks: (args) => ({ read: [args.path.path] }),
      workingContext: (args) => ({ cwd: args.path.path, changed: [] }),
      previewDiff: (args) => of(args.path.path),
      execute: noResult$,
    })
    const args = { path: 'a' } as never // the input; the type of the methods is the output
    const context = { cwd: '/', toolCallId: '1' }
    expect(tool.locks?.(args, context)).toEqual({ read: ['a'] })
    expect(tool.workingContext?.(args, context)).toEqual({ cwd: 'a', changed: [] })
    const previews: unknown[] = []
    tool.previewDiff?.(args, context).subscribe((diff) => previews.push(diff))
    expect(previews).toEqual(['a'])
  })

  it('keeps the methods of a class', async () => {
    class Finder {
      readonly name = 'find'
      readonly description = 'Finds.'
      readonly parameters = z.object({ word: z.string() })
      readonly #prefix = 'found '
      get sideEffectFree() {
        return true
      }
      execute({ word }: { word: string }) {
        return of(textResult(this.#prefix + word))
      }
    }
    const tool = defineTool(new Finder())
    expect(tool.sideEffectFree).toBe(true)
    expect(
      await lastValueFrom(tool.execute({ word: 'x' }, {} as ToolContext) as ReturnType<typeof noResult$>, {
        defaultValue: undefined,
      }),
    ).toEqual(textResult('found x'))
  })
})

describe('a schema that serves no tool is refused with what to do', () => {
  it.each([
    [z.string(), 'must have the type "object" and have "string": wrap them in an object'],
    [z.union([z.object({}), z.object({})]), 'must have the type "object" and have no type: wrap them in an object'],
    [z.object({ at: z.date() }), 'are a schema of zod that JSON Schema cannot express: Date cannot be represented'],
    [
      v.object({ word: v.string() }),
      'are a schema of valibot without JSON Schema: pass toStandardJsonSchema(schema) of @valibot/to-json-schema',
    ],
    [
      { '~standard': { version: 1, vendor: 'zod' } },
      'are a schema of zod without JSON Schema: update zod to 4.2 or later',
    ],
    [{ '~standard': { version: 1, vendor: 'own' } }, 'are a schema of own without JSON Schema: pass its JSON Schema'],
    [Type.String(), 'must have the type "object" and have "string"'],
    [{ properties: {} }, 'must have the type "object" and have no type'],
    [undefined, 'must have the type "object" and have undefined'],
    [null, 'must have the type "object" and have null'],
  ])('%#', (parameters, problem) => {
    expect(() => defineTool({ ...described, parameters: parameters as never, execute: noResult$ })).toThrow(
      expect.objectContaining({
        code: 'bad_request',
        message: expect.stringContaining(`The parameters of the tool "find" ${problem}`) as string,
      }),
    )
  })

  it('and by the compiler', () => {
    const refused = [
      // @ts-expect-error text is no object
      () => defineTool({ ...described, parameters: { type: 'string' }, execute: noResult$ }),
      // @ts-expect-error valibot's own schema has no JSON Schema
      () => defineTool({ ...described, parameters: v.object({ word: v.string() }), execute: noResult$ }),
    ]
    for (const define of refused) expect(define).toThrow('parameters')
  })
})
