// Tests the layer that gives each tool its schema for a model.
import { Type } from '@sinclair/typebox'
import { map } from 'rxjs'
import { describe, expect, it, vi } from 'vitest'
import { normaliseSchemas, toolDefinitions } from '../../../lib/operators/tool-pipeline/normalise-schemas.ts'
import type { SchemasFor, ToolDraft } from '../../../lib/operators/tool-pipeline/tool-draft.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import type { AnyTool } from '../../../lib/streams/ports/tool.ts'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { a, b, draft } from './pipeline-samples.ts'

const model = (api: string): Model => ({ ...scriptedModel, api })
const titled: SchemasFor =
  ({ api }) =>
  (schema) =>
    api === 'plain' ? schema : { ...schema, title: `${schema.title ?? ''}${api}` }

function normalised(tools: readonly AnyTool[], schemas?: SchemasFor): readonly AnyTool[] {
  let made = tools
  marbles(({ cold }) => {
    cold<ToolDraft>('(x|)', { x: draft(tools, { schemas }) })
      .pipe(normaliseSchemas())
      .subscribe((built) => (made = built.tools))
  })
  return made
}

describe('normaliseSchemas', () => {
  it('makes the schema of a model once, and leaves the one that calls are checked by [LOOP-37b]', () => {
    const schemas = vi.fn(titled)
    const tool = fakeTool('a', '', { parameters: Type.Object({ x: Type.String() }) })
    const [made = a] = normalised([tool], schemas)
    const [one, two] = [model('one'), model('two')]
    expect([made.parametersFor?.(one), made.parametersFor?.(two), made.parametersFor?.(one)]).toMatchObject([
      { title: 'one' },
      { title: 'two' },
      { title: 'one' },
    ])
    expect(schemas).toHaveBeenCalledTimes(2)
    expect(made.parameters).toBe(tool.parameters)
  })

  it('begins with the schema that the tool has for the model', () => {
    const tool = { ...a, parametersFor: () => Type.Object({}, { title: 'own ' }) }
    const [made = a] = normalised([tool], titled)
    expect(made.parametersFor?.(model('one'))).toMatchObject({ title: 'own one' })
  })

  it('returns the tools themselves without a port', () => {
    expect(normalised([a])[0]).toBe(a)
  })

  it('keeps a tool while the port stays, and ends with its source', () => {
    marbles(({ hot, expectObservable }) => {
      const received: AnyTool[] = []
      const indexOf = ({ tools: [first = b] }: ToolDraft): number => {
        if (!received.includes(first)) received.push(first)
        return received.indexOf(first)
      }
      const other: SchemasFor = () => (schema) => schema
      const draft$ = hot('-x-y-z-|', {
        x: draft([a], { schemas: titled }),
        y: draft([a, b], { schemas: titled }),
        z: draft([a], { schemas: other }),
      })
      expectObservable(draft$.pipe(normaliseSchemas(), map(indexOf))).toBe('-x-y-z-|', { x: 0, y: 0, z: 1 })
    })
  })
})

describe('toolDefinitions', () => {
  it('are the tools themselves if each is sent as it is', () => {
    const tools = normalised([a, b], titled)
    expect(toolDefinitions(tools, model('plain'))).toBe(tools)
    expect(toolDefinitions([a], model('one'))).toEqual([a])
  })

  it('have the schema of the model, made once for each list and model', () => {
    const tools = normalised([a], titled)
    const [one, two] = [model('one'), model('two')]
    const made = toolDefinitions(tools, one)
    expect(made).toEqual([{ name: 'a', description: a.description, parameters: { ...a.parameters, title: 'one' } }])
    expect(toolDefinitions(tools, one)).toBe(made)
    expect(toolDefinitions(tools, two)[0]?.parameters.title).toBe('two')
  })
})
