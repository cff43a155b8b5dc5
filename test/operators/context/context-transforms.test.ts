// Tests the context transforms together: in a pipe, within a run, and that each is pure.
import { readFileSync } from 'node:fs'
import { of, pipe } from 'rxjs'
import type { Observable, OperatorFunction } from 'rxjs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  dedupeReads,
  dropThinking,
  injectContext,
  keepRecent,
  limitImages,
  pruneToolResults,
  redactSecrets,
  summariseOlder,
  tapContext,
  when,
} from '../../../lib/operators/index.ts'
import type { AgentContext, ContextTransform } from '../../../lib/streams/ports/agent-context.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { virtualRun } from '../../../lib/testing/virtual-run.ts'
import { assistant, toolResult, user } from '../../streams/events/samples.ts'
import { call, contextOf, applyTransform } from './context-samples.ts'

const contexts: AgentContext[] = []
const options = {
  transformContext: pipe(
    dedupeReads(),
    pruneToolResults({ keep: 1 }),
    dropThinking(),
    limitImages({ keep: 1 }),
    redactSecrets(),
    keepRecent({ tokens: 20_000, messages: 6 }),
    tapContext((context) => contexts.push(context)),
    injectContext(of('It is noon.')),
  ),
}

describe('context transforms in a pipe', () => {
  it('compose to one transform', () => {
    expectTypeOf(options.transformContext).toEqualTypeOf<
      (source$: Observable<AgentContext>) => Observable<AgentContext>
    >()
    expectTypeOf(options.transformContext).toExtend<ContextTransform>()
    const shortening = { transform: pipe(pruneToolResults({ keep: 5 }), dropThinking(), keepRecent({ tokens: 1_000 })) }
    expectTypeOf(shortening.transform).toEqualTypeOf<OperatorFunction<AgentContext, AgentContext>>()
    // @ts-expect-error a transform takes contexts
    expect(() => of('text').pipe(options.transformContext)).not.toThrow()
  })

  it('receive the output of the transform before them', () => {
    const turns = ['1', '2', '3'].flatMap((id): Message[] => [
      assistant([{ type: 'thinking', thinking: 'hm' }, call(id)]),
      toolResult({ toolCallId: id, content: [{ type: 'text', text: 'x'.repeat(600) }] }),
    ])
    const context = contextOf([user('old'), assistant(), user('new'), ...turns])
    const { messages } = applyTransform(options.transformContext, context)
    expect(messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'toolResult',
      'assistant',
      'toolResult',
      'user',
    ])
    expect([messages[0], messages[3], messages[4]]).toEqual([
      context.messages[2],
      context.messages[7],
      context.messages[8],
    ])
    expect(messages[1]?.content).toEqual([call('2')])
    expect(contexts.at(-1)?.messages).toEqual(messages.slice(0, -1))
  })

  it('change each request of a run and leave its transcript unchanged', () => {
    const script = Array.from({ length: 8 }, () => ({ toolCalls: [{ name: 'look', arguments: {} }] }))
    const tools = [fakeTool('look', of(textResult('x'.repeat(600))))]
    const { requests, messages, end } = virtualRun({
      script: [...script, 'done'],
      tools,
      ports: options,
    })
    expect(end).toBe('complete')
    expect(messages).toHaveLength(18)
    expect(requests.map((request) => request.messages.length)).toEqual([2, 4, 6, 6, 6, 6, 6, 6, 6])
    for (const request of requests) expect(request.messages[0]).toBe(messages[0])
  })
})

const transforms: Readonly<Record<string, () => ContextTransform>> = {
  keepRecent: () => keepRecent({ messages: 2 }),
  pruneToolResults: () => pruneToolResults({ keep: 0 }),
  dropThinking: () => dropThinking(),
  dedupeReads: () => dedupeReads(),
  limitImages: () => limitImages({ keep: 0 }),
  redactSecrets: () => redactSecrets({ values: () => ['and then?'] }),
  injectContext: () => injectContext(of('It is noon.')),
  tapContext: () => tapContext((context) => contexts.push(context)),
  when: () => when(({ messages }) => messages.length > 1, keepRecent({ messages: 2 })),
  summariseOlder: () => summariseOlder({ summariser: () => of('They looked.'), tokens: 10 }),
}

/** A context that each transform changes, deeply frozen: a write throws. */
const everything = contextOf([
  user([{ type: 'image', mimeType: 'image/png', data: 'AAAA' }]),
  ...['1', '2'].flatMap((id): Message[] => [
    assistant([{ type: 'thinking', thinking: 'hm' }, call(id, 'read', { path: 'a' })]),
    toolResult({
      toolCallId: id,
      content: [{ type: 'text', text: 'x'.repeat(600) }],
      details: { path: '/a', firstLine: 1, lines: 1, isWhole: true },
    }),
  ]),
  assistant([{ type: 'text', text: 'so' }]),
  user('and then?'),
])

describe('every context transform', () => {
  it('is listed in this table', () => {
    const [, section = ''] = readFileSync('docs/operators.md', 'utf8').split('**Context transforms**')
    const [rows = ''] = section.split('| **')
    const names = Array.from(rows.matchAll(/^\| `(\w+)\(/gm), ([, name]) => name)
    expect(names.toSorted()).toEqual(Object.keys(transforms).toSorted())
  })

  it.each(Object.entries(transforms))('is pure: %s does not modify its input', (name, make) => {
    const before = structuredClone(everything)
    const after = applyTransform(make(), everything)
    expect(everything).toEqual(before)
    expect([name, after === everything]).toEqual([name, name === 'tapContext'])
    expect(applyTransform(make(), everything)).toEqual(after)
  })
})
