// Tests the calls of servers' tools: progress, results, failures and the end of a call.
// Over 250 lines: each kind of content and each end of a call is a case.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, Subject, concat, lastValueFrom, of, throwError, toArray } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { McpCallEvent, McpJson, RawToolResult } from '../../../lib/mcp/contract/mcp-peer.ts'
import { callTool } from '../../../lib/mcp/tools/call-tool.ts'
import { outputCheck } from '../../../lib/mcp/tools/output-check.ts'
import type { Redaction } from '../../../lib/streams/ports/secrets.ts'
import type { ToolContext, ToolProgress, ToolResult } from '../../../lib/streams/ports/tool.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const context = (redaction?: Redaction): ToolContext => ({
  cwd: '/',
  env: {},
  sessionId: 'aaaaaaaaaaaa',
  toolCallId: 'call',
  ask: () => EMPTY,
  get signal(): AbortSignal {
    throw new Error('a tool that takes its signal is given time after an abort')
  },
  ...(redaction && { redaction }),
})

interface Scene {
  readonly events$: Observable<McpCallEvent>
  readonly spillFolder?: string
  readonly redaction?: Redaction
  readonly outputSchema?: object
}

function call({ events$, spillFolder, redaction, outputSchema }: Scene): Observable<ToolProgress | ToolResult> {
  const peer = { callTool: () => events$ }
  const called = {
    server: 'files',
    tool: 'read',
    peer,
    ...(spillFolder !== undefined && { spillFolder }),
    checkOutput: outputCheck(outputSchema),
  }
  return callTool(called, {}, context(redaction))
}

const outputOf = (scene: Scene): Promise<readonly (ToolProgress | ToolResult)[]> =>
  lastValueFrom(call(scene).pipe(toArray()), { defaultValue: [] })

async function resultOf(raw: Partial<RawToolResult>, more: Omit<Scene, 'events$'> = {}): Promise<ToolResult> {
  const result = (await outputOf({ events$: of(ended(raw)), ...more })).at(-1)
  if (result?.type !== 'result') throw new Error('the call ended without a result')
  return result
}

const ended = (raw: Partial<RawToolResult>): McpCallEvent => ({ type: 'result', result: { content: [], ...raw } })
const text = (value: string): McpJson => ({ type: 'text', text: value })
const png = Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(8)]).toString('base64')

describe('structured content', () => {
  const outputSchema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }

  it.each<[string, Partial<RawToolResult>, object | undefined, RegExp | undefined]>([
    ['fits', { structuredContent: { sum: 3 } }, outputSchema, undefined],
    [
      'has a wrong type',
      { structuredContent: { sum: 'x' } },
      outputSchema,
      /does not fit .*: sum must be number|\/sum/,
    ],
    ['lacks a field', { structuredContent: {} }, outputSchema, /does not fit/],
    ['is missing', {}, outputSchema, /has no structured content/],
    ['is that of an error', { isError: true }, outputSchema, undefined],
    ['has no schema', { structuredContent: { sum: 'x' } }, undefined, undefined],
    ['has a schema that does not compile', { structuredContent: { sum: 'x' } }, { type: 'object', properties: { sum: { type: 'nothing' } } }, undefined], // prettier-ignore
  ])('that %s gets the right remark, and the result stays', async (_name, raw, schema, remark) => {
    const { content, details, isError } = await resultOf({ content: [text('3')], ...raw }, schema === undefined ? {} : { outputSchema: schema }) // prettier-ignore
    expect(content[0]).toEqual(text('3'))
    expect(isError).toBe(raw.isError)
    const [, last] = content
    if (remark === undefined) expect([last, details]).toEqual([undefined, expect.not.objectContaining({ problem: expect.anything() as unknown })]) // prettier-ignore
    else expect([last, details]).toMatchObject([{ text: expect.stringMatching(remark) as string }, { problem: expect.stringMatching(remark) as string }]) // prettier-ignore
  })
})

describe('a result', () => {
  it.each<[string, Partial<RawToolResult>, ToolResult['content']]>([
    ['text', { content: [text('one'), text('\u001b[31mtwo\u001b[0m')] }, [text('one'), text('two')] as never],
    ['nothing', {}, [{ type: 'text', text: '(no output)' }]],
    [
      'an image',
      { content: [{ type: 'image', data: png, mimeType: 'image/bmp' }] },
      [{ type: 'image', mimeType: 'image/png', data: png }],
    ],
    [
      'an image that models do not take',
      { content: [{ type: 'image', data: 'AAAA', mimeType: 'image/bmp' }] },
      [{ type: 'text', text: '[An image (image/bmp, 3 bytes) is left out: models read PNG, JPEG, GIF and WebP.]' }],
    ],
    [
      'a large image',
      { content: [{ type: 'image', data: 'A'.repeat(6_000_000), mimeType: 'image/png' }] },
      [{ type: 'text', text: '[An image (image/png, 4.3 MB) is left out: 3.6 MB are allowed.]' }],
    ],
    [
      'audio',
      { content: [{ type: 'audio', data: 'AAAA', mimeType: 'audio/wav' }] },
      [{ type: 'text', text: '[Audio (audio/wav, 3 bytes) is left out: models take none here.]' }],
    ],
    [
      'a link',
      {
        content: [{ type: 'resource_link', uri: 'file:///a', name: 'a', mimeType: 'text/plain', description: 'x\ny' }],
      },
      [{ type: 'text', text: '[Resource a <file:///a> (text/plain): x y]' }],
    ],
    [
      'an embedded text',
      { content: [{ type: 'resource', resource: { uri: 'file:///a', text: 'content' } }] },
      [{ type: 'text', text: '[Resource file:///a]\ncontent' }],
    ],
    [
      'an embedded image',
      { content: [{ type: 'resource', resource: { uri: 'x:a', mimeType: 'image/png', blob: png } }] },
      [{ type: 'image', mimeType: 'image/png', data: png }],
    ],
    [
      'embedded data',
      { content: [{ type: 'resource', resource: { uri: 'x:a', mimeType: 'application/pdf', blob: 'AAAA' } }] },
      [
        {
          type: 'text',
          text: '[The resource x:a (application/pdf, 3 bytes) is left out: it is not text and not an image.]',
        },
      ],
    ],
    [
      'an unknown block',
      { content: [{ type: 'hologram' }, { type: 'resource' }] },
      [
        { type: 'text', text: '[Content of the unknown type hologram is left out.]' },
        { type: 'text', text: '[A resource without content is left out.]' },
      ],
    ],
    ['structured content alone', { structuredContent: { a: [1] } }, [{ type: 'text', text: '{"a":[1]}' }]],
    ['structured content beside text', { content: [text('a')], structuredContent: 1 }, [{ type: 'text', text: 'a' }]],
  ])('of %s', async (_, raw, content) => {
    expect((await resultOf(raw)).content).toEqual(content)
  })

  it('is an error if the server says so', async () => {
    expect(await resultOf({ content: [text('no')], isError: true })).toMatchObject({ isError: true })
    expect(await resultOf({ content: [text('yes')] })).not.toHaveProperty('isError')
  })

  it('has the structured content for programs, unless it is large', async () => {
    expect((await resultOf({ structuredContent: { a: 1 } })).details).toEqual({
      server: 'files',
      tool: 'read',
      structured: { a: 1 },
    })
    expect((await resultOf({ structuredContent: 'x'.repeat(70_000) })).details).not.toHaveProperty('structured')
  })

  it('has 16 images and 1,000 blocks at most', async () => {
    const image = { type: 'image', data: png, mimeType: 'image/png' }
    const { content } = await resultOf({ content: Array.from({ length: 1_005 }, () => image) })
    expect(content.filter(({ type }) => type === 'image')).toHaveLength(16)
    expect(content.at(-1)).toEqual({ type: 'text', text: '[5 more blocks of content are left out.]' })
  })
})

describe('a long result', () => {
  const lines = Array.from({ length: 200_000 }, (_, index) => `line ${index} ${'x'.repeat(40)}`).join('\n')

  it('shows its beginning, and the whole is in a private file [MCP-tools-long]', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-'))
    try {
      const image: McpJson = { type: 'image', data: png, mimeType: 'image/png' }
      const result = await resultOf(
        { content: [text(lines), image, text('the end')] },
        { spillFolder: path.join(folder, 'spill') },
      )
      const { fullOutput = '' } = result.details as { readonly fullOutput?: string }
      const [first, second] = result.content
      const shown = first?.type === 'text' ? first.text : ''
      expect(readFileSync(fullOutput, 'utf8')).toBe(`${lines}\nthe end`)
      expect(shown).toMatch(/^line 0 x+\n/)
      expect(shown.endsWith(`(10 MB in all). All of it: ${fullOutput}]`)).toBe(true)
      expect([Buffer.byteLength(shown) < 52_000, second]).toEqual([true, image])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('says that the rest is gone without a folder', async () => {
    const [block] = (await resultOf({ content: [text('x'.repeat(60_000))] })).content
    expect(block).toMatchObject({
      text: expect.stringMatching(
        /\n\[The first 50 KB of line 1 \(59 KB in all\). The rest was not stored: ask for less, or for a part.\]$/,
      ) as string,
    })
  })

  it('says why the rest could not be stored', async () => {
    const [block] = (await resultOf({ content: [text(lines)] }, { spillFolder: '/dev/null/spill' })).content
    expect(block).toMatchObject({ text: expect.stringContaining('The rest could not be stored: ') as string })
  })

  it('has no secret in its file, also one at the cut', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-'))
    const hide = (value: string): string => value.replaceAll('hunter2hunter2', '***')
    const redaction: Redaction = {
      count: 0,
      stream: () => never(),
      preview: () => never(),
      text: hide,
      json: (value) => value,
    }
    try {
      const secret = `${'x'.repeat(51_195)}hunter2hunter2${'y'.repeat(100)}`
      const result = await resultOf({ content: [text(secret)] }, { spillFolder: path.join(folder, 'spill'), redaction })
      const { fullOutput = '' } = result.details as { readonly fullOutput?: string }
      expect(existsSync(fullOutput) && readFileSync(fullOutput, 'utf8')).toBe(hide(secret))
      expect(JSON.stringify(result.content)).not.toContain('hunter')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

function never(): never {
  throw new Error('a text is complete')
}

describe('a call', () => {
  it('emits progress at most every 100 ms, and none after its result [MCP-tools-progress]', async () => {
    const progressed = (done: number, more: object = {}): McpCallEvent => ({
      type: 'progress',
      progress: done,
      ...more,
    })
    const events$ = new Subject<McpCallEvent>()
    const output = outputOf({ events$ })
    events$.next(progressed(1, { total: 4, message: 'half\u001b[2J way' }))
    for (let index = 2; index < 100; index += 1) events$.next(progressed(index))
    events$.next(ended({ content: [text('done')] }))
    events$.complete()
    const [first, result, ...rest] = await output
    expect(first).toEqual({ type: 'progress', updateType: 'progress', content: 'half way\n', progressPercent: 25 })
    expect([result, rest]).toEqual([expect.objectContaining({ type: 'result', content: [text('done')] }), []])
  })

  it.each([
    [{ progress: 3 }, { content: '3\n' }],
    [
      { progress: 3, total: 2 },
      { content: '3 of 2\n', progressPercent: 100 },
    ],
    [
      { progress: -1, total: 2 },
      { content: '-1 of 2\n', progressPercent: 0 },
    ],
    [{ progress: 1, total: 0 }, { content: '1 of 0\n' }],
  ])('describes the progress %j', async (progress, expected) => {
    const [first] = await outputOf({ events$: of<McpCallEvent[]>({ type: 'progress', ...progress }, ended({})) })
    expect(first).toEqual({ type: 'progress', updateType: 'progress', ...expected })
  })

  it('turns a failure into an error result', async () => {
    const failure = new Failure('mcp_error', 'The MCP server "files" ended.')
    const events$ = concat(
      of<McpCallEvent>({ type: 'progress', progress: 1 }),
      throwError(() => failure),
    )
    expect((await outputOf({ events$ })).at(-1)).toMatchObject({
      isError: true,
      content: [{ text: failure.message }],
    })
  })

  it('cancels the request at its unsubscription [MCP-tools-cancel]', () => {
    const events$ = new Subject<McpCallEvent>()
    const subscription = call({ events$ }).subscribe()
    expect(events$.observed).toBe(true)
    subscription.unsubscribe()
    expect(events$.observed).toBe(false)
  })
})
