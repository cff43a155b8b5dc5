// Tests which listed tools a session gets, and in what form.
import { EMPTY, lastValueFrom } from 'rxjs'
import { afterAll, describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { endPatternWorker } from '../../../lib/host/patterns/pattern-worker.ts'
import type { ListedTool } from '../../../lib/mcp/contract/mcp-peer.ts'
import { convertListedTools, convertRememberedTools } from '../../../lib/mcp/tools/convert-tools.ts'

afterAll(endPatternWorker)

const source = { server: 'files', peer: { callTool: () => EMPTY } }
const object = (properties: object = {}): ListedTool['inputSchema'] => ({ type: 'object', properties })
const listed = (name: string, more: Partial<ListedTool> = {}): ListedTool => ({ name, inputSchema: object(), ...more })
const convert = (tools: readonly ListedTool[], more: object = {}) =>
  lastValueFrom(convertListedTools(tools, { ...source, ...more }), {
    defaultValue: { tools: [], notices: ['nothing was emitted'] },
  })
const converted = (more: Partial<ListedTool>) => {
  const [tool] = convertRememberedTools([listed('read', more)], source).tools
  if (tool === undefined) throw new Error('the tool was left out')
  return tool
}

describe('a converted tool', () => {
  it('has a name, a label, hints and the strongest capability', () => {
    const annotations = { title: 'Read', readOnlyHint: true, destructiveHint: false, openWorldHint: 'no' }
    expect(converted({ description: 'Reads.', annotations })).toMatchObject({
      name: 'mcp__files__read',
      description: 'Reads.',
      capability: 'exec',
      mcp: {
        server: 'files',
        tool: 'read',
        label: 'Read',
        hints: { title: 'Read', readOnly: true, destructive: false },
      },
    })
    expect(converted({ annotations })).not.toHaveProperty('sideEffectFree')
  })

  it('has each hint that is a boolean, and no other', () => {
    const hints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }
    const names = { readOnly: false, destructive: true, idempotent: true, openWorld: false }
    expect(converted({ annotations: hints }).mcp.hints).toEqual(names)
    const texts = Object.fromEntries(Object.keys(hints).map((name) => [name, 'yes']))
    expect(converted({ annotations: texts }).mcp.hints).toEqual({})
    expect(converted({}).mcp).not.toHaveProperty('label')
  })

  it('describes itself if the server does not', () => {
    expect(converted({}).description).toBe('The tool read of the MCP server files.')
  })

  it('has no escape codes and hidden characters in its descriptions', () => {
    const hostile = 'Reads\u001b[31m a\u200b file\u{e0041}.\u202e'
    const tool = converted({
      description: hostile,
      inputSchema: object({ path: { type: 'string', description: hostile } }),
    })
    expect([tool.description, tool.parameters.properties['path']]).toEqual([
      'Reads a file.',
      { type: 'string', description: 'Reads a file.' },
    ])
  })

  it('has at most 4 KiB of description', () => {
    expect(Buffer.byteLength(converted({ description: 'word '.repeat(10_000) }).description)).toBeLessThan(4_100)
  })

  it('changes its digest with what the server promises, whatever the order of keys', () => {
    const schema = object({ a: { type: 'string', maxLength: 1 } })
    const same = object({ a: { maxLength: 1, type: 'string' } })
    const digest = (more: Partial<ListedTool>) =>
      converted({ description: 'A', inputSchema: schema, ...more }).mcp.digest
    expect(digest({ inputSchema: same })).toBe(digest({}))
    const changed = [{ description: 'B' }, { inputSchema: object() }, { annotations: { readOnlyHint: true } }]
    expect(new Set([digest({}), ...changed.map(digest)]).size).toBe(4)
    expect(digest({ outputSchema: object() })).toBe(digest({}))
  })

  it('checks arguments by the schema', () => {
    const tool = converted({ inputSchema: { ...object({ n: { type: 'integer' } }), required: ['n'] } })
    expect(tool.validate?.({ n: 1 })).toEqual([])
    expect(tool.validate?.({ n: 'x' })).toEqual([{ path: '/n', reason: 'must be a whole number' }])
    expect(tool.validate?.({})).toEqual([{ path: '', reason: 'needs the field "n"' }])
  })

  it('leaves arguments to the server if a recursion would multiply their checks', () => {
    const node = { type: 'object', properties: { next: { anyOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }] } } }
    const tool = converted({
      inputSchema: { ...object({ next: { $ref: '#/$defs/a' } }), $defs: { a: node, b: { ...node } } },
    })
    const nested = (depth: number): unknown => (depth === 0 ? {} : { next: nested(depth - 1) })
    const begin = cpuMs()
    expect(tool.validate?.(nested(60))).toEqual([])
    expect(cpuMs() - begin).toBeLessThan(2_000)
    expect(tool.validate?.({ next: { next: 1 } })).not.toEqual([])
  })
})

it('a schema that refers to itself without an end makes a problem of each call', () => {
  const tool = converted({ inputSchema: object({ a: { anyOf: [{ $ref: '#/properties/a' }] } }) })
  expect(tool.validate?.({ a: 1 })).toEqual([
    { path: '', reason: 'cannot be checked: the schema refers to itself without an end' },
  ])
})

const doubling = (levels: number) =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, level) => [
      `d${level}`,
      { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
    ]),
  )
const deep = (levels: number): object => (levels === 0 ? {} : { properties: { a: deep(levels - 1) } })

describe('convertListedTools leaves out', () => {
  it.each<[string, ListedTool['inputSchema'], RegExp]>([
    ['a schema of another type', { type: 'string' }, /its type is not "object"/],
    ['a schema that does not compile', object({ a: { type: 'text' } }), /properties\/a\/type must be/],
    ['a reference to nothing', object({ a: { $ref: '#/$defs/b' } }), /refers to .*which it does not define/],
    ['an invalid pattern', object({ a: { pattern: '(' } }), /invalid regular expression/],
    ['a large schema', object({ a: { description: 'x'.repeat(70_000) } }), /it has 68 KB; 64 KB are allowed/],
    ['a deep schema', { type: 'object', ...deep(40) }, /nested more than 32 levels/],
    [
      'references that double',
      { ...object({ a: { $ref: '#/$defs/d0' } }), $defs: doubling(30) },
      /more than 10000 parts/,
    ],
    ['parts with names of their own', object({ a: { $id: 'https://example.com/a' } }), /a part of it has "\$id"/],
  ])('%s', async (_, inputSchema, reason) => {
    const { tools, notices } = await convert([listed('bad', { inputSchema }), listed('good')])
    expect(tools.map(({ mcp: { tool } }) => tool)).toEqual(['good'])
    expect(notices).toEqual([expect.stringMatching(reason)])
    expect(notices[0]).toMatch(/^The tool "bad" is left out: its input schema cannot be used: /)
  })

  it('a tool without a usable name', async () => {
    const { tools, notices } = await convert([listed(''), listed('x'.repeat(1_025)), listed('x'.repeat(1_024))])
    expect(tools.map(({ mcp }) => mcp.tool.length)).toEqual([1_024])
    expect(notices).toEqual(Array(2).fill(expect.stringMatching(/its name is empty or too long/)))
  })

  it('a tool with annotations that are nested too deep', async () => {
    const nested = (depth: number): Record<string, unknown> => (depth === 0 ? {} : { a: nested(depth - 1) })
    const { tools, notices } = await convert([
      listed('deep', { annotations: nested(40) }),
      listed('flat', { annotations: nested(20) }),
    ])
    expect(tools.map(({ mcp }) => mcp.tool)).toEqual(['flat'])
    expect(notices).toEqual([
      expect.stringMatching(/^The tool "deep" is left out: its annotations are nested too deep/),
    ])
  })

  it.each([
    [{ include: ['read*'] }, ['read', 'read_all']],
    [{ exclude: ['*_all'] }, ['read', 'write']],
    [{ include: ['*'], exclude: ['r*a*l', 'write'] }, ['read']],
    [{ include: [] }, []],
    [{ include: ['*a*a*'] }, ['read_all']],
  ])('what the configuration %j does not want', async (tools, names) => {
    const usable = await convert([listed('read'), listed('read_all'), listed('write')], { tools })
    expect([usable.tools.map(({ mcp }) => mcp.tool), usable.notices]).toEqual([names, []])
  })

  it('what is over 1,000 tools, and lists 20 reasons at most', async () => {
    const many = Array.from({ length: 1_010 }, (_, index) =>
      listed(`t${index}`, index < 30 ? { inputSchema: { type: 'null' } } : {}),
    )
    const { tools, notices } = await convert(many)
    expect([tools.length, notices.length]).toEqual([970, 22])
    expect(notices.slice(20)).toEqual(['Left out as well: 10 tools.', '10 tools are left out: a server can have 1000.'])
  })
})

it('does not compile remembered tools before their first call', () => {
  const remembered = [listed('bad', { inputSchema: object({ a: { type: 'text' } }) })]
  const { tools, notices } = convertRememberedTools(remembered, source)
  expect([tools.length, notices]).toEqual([1, []])
  expect(tools[0]?.validate?.({})).toEqual([
    { path: '', reason: expect.stringMatching(/^cannot be checked: the schema/) as string },
  ])
})
