// Tests that each request begins with the bytes of the one before, for each API, so that provider caches hit.
import { EMPTY, lastValueFrom, map, of, take } from 'rxjs'
import { afterEach, expect, it, vi } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { toolSchemas } from '../../../lib/providers/index.ts'
import type { Offer, Session } from '../../../lib/session/contract/session.ts'
import { openSession } from '../../../lib/session/create/open-session.ts'
import { sessionPrompt } from '../../../lib/session/create/session-prompt.ts'
import { createToolList } from '../../../lib/session/tools/tool-list.ts'
import { memoryStore } from '../../../lib/store/sessions/memory-store.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { createToolSearch } from '../../../lib/tools/discovery/tool-search-tool.ts'
import { joinSections } from '../../../lib/streams/ports/prompt-sections.ts'
import type { Provider, ProviderModel } from '../../../lib/streams/ports/provider.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { ToolContext } from '../../../lib/streams/ports/tool.ts'
import type { UserShell } from '../../../lib/streams/ports/user-shell.ts'
import { randomIds } from '../../../lib/streams/values/identifiers.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { instructionWorkspace } from '../../context/instructions/instruction-place.ts'
import {
  callBlock as bedrockCall,
  ending as bedrockEnding,
  mediaType,
  messageStart as bedrockStart,
  textBlock as bedrockText,
} from '../../providers/bedrock/bedrock-events.ts'
import { bedrockConverseStream } from '../../../lib/providers/endpoints/apis.ts'
import type { EndpointOptions } from '../../../lib/providers/adapter/sdk-response.ts'
import { callBlock, messageEnd, messageStart } from '../../providers/anthropic/anthropic-events.ts'
import { chunk as googleChunk, lastChunk } from '../../providers/google/google-chunks.ts'
import { callChunk, ending } from '../../providers/openai/openai-chunks.ts'
import { callItem, completed, created } from '../../providers/openai/responses/responses-events.ts'
import { testedApis } from '../../providers/adapter/tested-apis.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'
import type { RawStep } from '../../support/raw-sse-server.ts'

afterEach(() => {
  vi.useRealTimers()
})

const turns = 30

interface Call {
  readonly id: string
  readonly name: string
  readonly args: object
}

/** An answer that calls a tool. */
const callOf: Readonly<Record<string, (call: Call) => readonly RawStep[]>> = {
  'bedrock-converse-stream': ({ id, name, args }) => [
    bedrockStart,
    ...bedrockCall(0, id, name, JSON.stringify(args)),
    bedrockEnding('tool_use'),
  ],
  'openai-completions': ({ id, name, args }) => [
    callChunk(0, JSON.stringify(args), { id, name }),
    ending('tool_calls'),
  ],
  'openai-responses': ({ id, name, args }) => [created, ...callItem(0, id, name, JSON.stringify(args)), completed()],
  'anthropic-messages': ({ id, name, args }) => [
    messageStart(),
    ...callBlock(0, id, name, JSON.stringify(args)),
    ...messageEnd('tool_use'),
  ],
  'mistral-conversations': ({ id, name, args }) => [
    callChunk(0, JSON.stringify(args), { id, name }),
    ending('tool_calls'),
  ],
  'google-generative-ai': ({ name, args }) => [googleChunk([{ functionCall: { name, args } }]), lastChunk()],
}

/** The calls of a script by the number of their request; every other request beyond the fourth has the call of `look`. */
const scriptedCalls: Readonly<Record<number, Omit<Call, 'id'>>> = {
  8: { name: 'dev', args: {} },
  10: { name: 'use_tool', args: { name: 'job_input', arguments: { text: 'q' } } },
  16: { name: 'use_tool', args: { name: 'from_client', arguments: {} } },
  22: { name: 'look', args: { path: 'sub/x.ts' } },
  24: { name: 'search_tools', args: { query: 'paint' } },
  26: { name: 'use_tool', args: { name: 'paint', arguments: {} } },
}

/** Starts a job in a terminal, after which the session activates `job_input`; the shell is a fake one. */
function startJob({ jobs, toolCallId }: ToolContext) {
  return (jobs?.start({ command: 'dev', pty: true, toolCallId }) ?? EMPTY).pipe(
    map(({ jobId }) => textResult(`job ${jobId}`)),
  )
}

interface Body {
  readonly system: string
  readonly tools: string
  /** Each block of the conversation with its role, without cache marks: they move on. */
  readonly blocks: readonly string[]
  /** Number of cache marks. */
  readonly marks: { readonly system: number; readonly tools: number; readonly turns: number }
}

type Fields = Readonly<Record<string, unknown>>

const look = fakeTool('look', () => of(textResult('seen')), { capability: 'read' })
const dev = fakeTool('dev', ({ context }) => startJob(context), { capability: 'exec' })
const jobInput = fakeTool('job_input', () => of(textResult('typed')), { capability: 'exec' })
/** Requests leave it out. */
const paint = {
  ...fakeTool('paint', () => of(textResult('painted')), { capability: 'exec' }),
  origin: { server: 'studio' },
}
const fromClient = fakeTool('from_client', () => of(textResult('from the client')), { capability: 'exec' })

/** A command that runs until it is ended. */
const untilEnded$: UserShell = (_, endWhen$) =>
  endWhen$.pipe(
    take(1),
    map(() => ({ type: 'end', output: '', exitCode: null, truncated: false })),
  )

/** A session of the server's kind: its list of tools is frozen. */
function frozenSession(model: ProviderModel, cwd: string): Session {
  const tools = { base: [look, dev, paint], runtime: [jobInput], channel: [] }
  const toolList = createToolList({ ...tools, policy: { names: ['look', 'dev', 'paint'] }, schemas: toolSchemas })
  const prompt = sessionPrompt({ cwd, createdAt: Date.now(), instructions: {} })
  const settings = { ...model, tools: toolList.built.active, thinkingLevel: 'off' } as const
  const system = joinSections(prompt.sectionsFor(settings.tools))
  return openSession({
    log: memoryStore().create({ id: randomIds().session(), createdAt: Date.now(), cwd }),
    settings: () => ({ ...settings, system }),
    toolList,
    createToolSearch,
    ...prompt,
    userShell: untilEnded$,
    tools: { cwd, env: {} },
    options: { freezeTools: true, toolDiscovery: 'always', approve: 'auto' },
  })
}

function readBody(text: string): Body {
  const { system, systemInstruction, instructions, tools, toolConfig, messages, input, contents } = JSON.parse(
    text,
  ) as Fields
  const conversation = (messages ?? input ?? contents) as readonly Fields[]
  const marksIn = (value: unknown): number =>
    JSON.stringify(value ?? null).split(/"cache_control"|"cachePoint"/).length - 1
  return {
    system: JSON.stringify(system ?? systemInstruction ?? instructions ?? conversation[0]),
    tools: JSON.stringify(tools ?? toolConfig),
    blocks: conversation.flatMap(({ content, parts, ...rest }) => {
      const list = Array.isArray(content ?? parts) ? ((content ?? parts) as readonly Fields[]) : [{ content }]
      const blocks = list.filter((block) => !('cachePoint' in block))
      return blocks.map(({ cache_control: _, ...block }) => JSON.stringify([rest, block]))
    }),
    marks: { system: marksIn(system), tools: marksIn(tools ?? toolConfig), turns: marksIn(conversation) },
  }
}

interface Tested {
  readonly api: string
  readonly provider: (options: EndpointOptions) => Provider
  readonly text: readonly RawStep[]
  /** @default server-sent events */
  readonly mediaType?: string
}

const bedrock: Tested = {
  api: 'bedrock-converse-stream',
  provider: (options) => bedrockConverseStream({ ...options, compat: { cachePoints: true } }),
  text: [bedrockStart, ...bedrockText(0, 'a'), bedrockEnding()],
  mediaType,
}
const withSse = testedApis.map(({ api, provider, begun, end }): Tested => ({ api, provider, text: [...begun, ...end] }))

it.each([...withSse, bedrock])(
  '$api: 30 turns with other days, branches, instructions and tools keep the prefix [CONTEXT-prompt-stable, CONTEXT-cache-prefix]',
  async ({ api, provider, text, mediaType: type = 'text/event-stream' }) => {
    vi.useFakeTimers({ now: new Date(2026, 0, 9, 12), toFake: ['Date'] })
    using workspace = instructionWorkspace({
      'repo/.git/HEAD': 'ref: refs/heads/main\n',
      'repo/AGENTS.md': 'Be brief.',
      'repo/sub/AGENTS.md': 'Test it.',
    })
    await using server = await rawSseServer((_, number) => {
      const call = scriptedCalls[number] ?? scriptedCalls[22]
      return {
        headers: { 'content-type': type },
        body: number % 2 === 0 && number > 4 && call ? (callOf[api]?.({ ...call, id: `call_${number}` }) ?? []) : text,
      }
    })
    const model: Model = { id: 'm', provider: 'maker', api, inputs: ['text'], reasoning: false, maxOutput: 1_000 }
    const session = frozenSession(
      { model, provider: provider({ provider: 'maker', baseUrl: server.url }) },
      workspace.path('repo'),
    )
    const ended: string[] = []
    session.listen((event) => {
      if (event.type === 'tool_execution_end') ended.push(`${event.toolName}${event.isError ? ' failed' : ''}`)
    })
    let offer: Offer | undefined
    const changes: Readonly<Record<number, () => void>> = {
      2: () => vi.setSystemTime(new Date(2026, 0, 10)),
      4: () => workspace.write('repo/.git/HEAD', 'ref: refs/heads/next\n'),
      8: () => (offer = session.offer([fromClient])),
      9: () => vi.setSystemTime(new Date(2026, 0, 11)),
      12: () => offer?.withdraw(),
      13: () => void session.send({ type: 'set_active_tools', tools: ['dev', 'paint'] }).subscribe(),
      15: () => void session.send({ type: 'set_active_tools', tools: ['look', 'dev', 'paint'] }).subscribe(),
    }
    for (let prompt = 0; server.requests.length < turns; prompt++) {
      changes[prompt]?.()
      const settled = lastValueFrom(session.events$.pipe(untilSettled()), { defaultValue: undefined })
      session.send({ type: 'prompt', text: `Prompt ${prompt}` }).subscribe()
      await settled
    }
    await lastValueFrom(session.close(), { defaultValue: undefined })
    const bodies = server.requests.map(({ body }) => readBody(body))
    expect(bodies.length).toBeGreaterThanOrEqual(turns)
    bodies.slice(1).forEach((body, index) => {
      const before = bodies[index]
      expect([body.system, body.tools]).toEqual([before?.system, before?.tools])
      expect(body.blocks.slice(0, before?.blocks.length)).toEqual(before?.blocks)
      expect(body.blocks.length).toBeGreaterThan(before?.blocks.length ?? 0)
    })
    const all = JSON.stringify(bodies.at(-1)?.blocks)
    const notes = ['now 2026-01-10', 'now 2026-01-11', 'branch is now next', 'Test it.']
    const toolNotes = ['called now: from_client.', 'called now: job_input, look.', 'can be called: look.']
    for (const note of [
      ...notes,
      ...toolNotes,
      'The fake tool job_input',
      'The fake tool from_client',
      'The fake tool paint',
    ])
      expect([note, all.split(note).length]).toEqual([note, 2])
    expect(new Set(ended)).toEqual(
      new Set(['look', 'dev', 'job_input', 'from_client', 'look failed', 'search_tools', 'paint']),
    )
    expect(bodies[0]?.tools).toMatch(/look.*dev.*search_tools.*use_tool/)
    expect(bodies[0]?.tools).not.toMatch(/job_input|paint/)
    const isMarked = api === 'anthropic-messages' || api === bedrock.api
    const marks = isMarked ? { system: 1, tools: 1, turns: 2 } : { system: 0, tools: 0, turns: 0 }
    expect(bodies.at(-1)?.marks).toEqual(marks)
  },
)
