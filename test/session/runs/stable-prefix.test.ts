// Tests that each request begins with the bytes of the one before, for the four APIs, so that provider caches hit.
import { lastValueFrom, of } from 'rxjs'
import { afterEach, expect, it, vi } from 'vitest'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { Model } from '../../../lib/streams/models/model.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { instructionPlace } from '../../context/instructions/instruction-place.ts'
import { callBlock, messageEnd, messageStart } from '../../providers/anthropic/anthropic-events.ts'
import { chunk as googleChunk, lastChunk } from '../../providers/google/google-chunks.ts'
import { callChunk, ending } from '../../providers/openai/openai-chunks.ts'
import { callItem, completed, created } from '../../providers/openai/responses/responses-events.ts'
import { fourApis } from '../../providers/adapter/four-apis.ts'
import { rawSseServer } from '../../support/raw-sse-server.ts'

afterEach(() => {
  vi.useRealTimers()
})

const turns = 30
const args = '{"path":"sub/x.ts"}'

/** An answer that calls the tool `look`. */
const callOf: Readonly<Record<string, (id: string) => readonly string[]>> = {
  'openai-completions': (id) => [callChunk(0, args, { id, name: 'look' }), ending('tool_calls')],
  'openai-responses': (id) => [created, ...callItem(0, id, 'look', args), completed()],
  'anthropic-messages': (id) => [messageStart(), ...callBlock(0, id, 'look', args), ...messageEnd('tool_use')],
  'google-generative-ai': () => [
    googleChunk([{ functionCall: { name: 'look', args: { path: 'sub/x.ts' } } }]),
    lastChunk(),
  ],
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

function readBody(text: string): Body {
  const { system, systemInstruction, instructions, tools, messages, input, contents } = JSON.parse(text) as Fields
  const conversation = (messages ?? input ?? contents) as readonly Fields[]
  const marksIn = (value: unknown): number => JSON.stringify(value ?? null).split('"cache_control"').length - 1
  return {
    system: JSON.stringify(system ?? systemInstruction ?? instructions ?? conversation[0]),
    tools: JSON.stringify(tools),
    blocks: conversation.flatMap(({ content, parts, ...rest }) => {
      const list = Array.isArray(content ?? parts) ? ((content ?? parts) as readonly Fields[]) : [{ content }]
      return list.map(({ cache_control: _, ...block }) => JSON.stringify([rest, block]))
    }),
    marks: { system: marksIn(system), tools: marksIn(tools), turns: marksIn(conversation) },
  }
}

it.each(fourApis.map(({ api, provider, begun, end }) => ({ api, provider, text: [...begun, ...end] })))(
  '$api: 30 turns with another day, another branch and nested instructions keep the prefix [CONTEXT-prompt-stable, CONTEXT-cache-prefix]',
  async ({ api, provider, text }) => {
    vi.useFakeTimers({ now: new Date(2026, 0, 9, 12), toFake: ['Date'] })
    using place = instructionPlace({
      'repo/.git/HEAD': 'ref: refs/heads/main\n',
      'repo/AGENTS.md': 'Be brief.',
      'repo/sub/AGENTS.md': 'Test it.',
    })
    await using server = await rawSseServer((_, number) => ({
      body: number % 2 === 0 && number > 4 ? (callOf[api]?.(`call_${number}`) ?? []) : text,
    }))
    const model: Model = { id: 'm', provider: 'maker', api, inputs: ['text'], reasoning: false, maxOutput: 1_000 }
    const session = createSession({
      model: { model, provider: provider({ provider: 'maker', baseUrl: server.url }) },
      ...{ cwd: place.path('repo'), env: {}, instructions: true, approve: 'auto' },
      tools: [fakeTool('look', () => of(textResult('seen')), { capability: 'read' })],
    })
    const changes: Readonly<Record<number, () => void>> = {
      2: () => vi.setSystemTime(new Date(2026, 0, 10)),
      4: () => place.write('repo/.git/HEAD', 'ref: refs/heads/next\n'),
      9: () => vi.setSystemTime(new Date(2026, 0, 11)),
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
    for (const note of ['now 2026-01-10', 'now 2026-01-11', 'branch is now next', 'Test it.'])
      expect(all.split(note)).toHaveLength(2)
    const marks = api === 'anthropic-messages' ? { system: 1, tools: 1, turns: 2 } : { system: 0, tools: 0, turns: 0 }
    expect(bodies.at(-1)?.marks).toEqual(marks)
  },
)
