// Tests the token estimate of a request.
import { Type } from '@sinclair/typebox'
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { AgentContext } from '../../../lib/streams/ports/agent-context.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import type { Message, Usage } from '../../../lib/streams/messages/message.ts'
import { contextCharacters, tokenEstimate } from '../../../lib/streams/ports/token-estimate.ts'
import { assistant, toolResult, user } from '../events/samples.ts'

function contextOf(messages: readonly Message[], fields: Partial<AgentContext> = {}): AgentContext {
  return { system: '', messages, tools: [], model: scriptedModel, ...fields }
}

/** A prompt of that many tokens. */
function prompt(input: number, fields: Partial<Usage> = {}): Usage {
  return { ...noUsage, input, ...fields }
}

/** 400 characters and the 16 that every message has. */
const question = user('x'.repeat(400))
const unanswered = contextOf([question])

describe('tokenEstimate', () => {
  it('uses the request whose newest message comes before the counted answer', () => {
    const newest: Message[] = []
    const failed = assistant([], { usage: noUsage })
    const counted = assistant([], { usage: prompt(208) })
    const context = contextOf([question, counted, user('more'), failed], { usage: noUsage })
    const get = (message: Message): number => newest.push(message) * 416
    expect(tokenEstimate(context, { get })(question)).toBe(208)
    expect(newest).toEqual([question])
  })

  it('counts four characters as a token if no usage is known', () => {
    expect(tokenEstimate(unanswered)(question)).toBe(104)
  })

  it.each<[string, AgentContext, number | undefined, number]>([
    ['the request of the last answer', contextOf([question, assistant()], { usage: prompt(208) }), 416, 208],
    ['less than four characters', contextOf([question, assistant()], { usage: prompt(208) }), undefined, 208],
    [
      'more than four characters, if the sent text is known',
      contextOf([question, assistant()], { usage: prompt(52) }),
      416,
      52,
    ],
    [
      'four characters if less may have been sent',
      contextOf([question, assistant()], { usage: prompt(52) }),
      undefined,
      104,
    ],
    [
      'the part that came from the cache too',
      contextOf([question, assistant()], { usage: prompt(8, { cacheRead: 100, cacheWrite: 100 }) }),
      416,
      208,
    ],
    ['no more than two tokens a character', contextOf([question, assistant()], { usage: prompt(1e6) }), 416, 832],
    ['no fewer than a token for eight', contextOf([question, assistant()], { usage: prompt(1) }), 416, 52],
    [
      'four characters if the usage is empty',
      contextOf([question, assistant([], { usage: noUsage })], { usage: noUsage }),
      416,
      104,
    ],
    [
      'the usage of the last answer in a new run',
      contextOf([question, assistant([], { usage: prompt(208) }), user('more')]),
      416,
      208,
    ],
    [
      'four characters if the answer is no longer in the context',
      contextOf([question], { usage: prompt(832) }),
      undefined,
      104,
    ],
  ])('counts by %s', (_, context, request, tokens) => {
    expect(tokenEstimate(context, { get: () => request })(question)).toBe(tokens)
  })
})

describe('contextCharacters', () => {
  const tools = [{ name: 'read', description: 'Reads', parameters: Type.Object({ path: Type.String() }) }]
  it.each<[string, Partial<AgentContext>, number]>([
    ['nothing', {}, 0],
    ['the system prompt', { system: 'Be brief.' }, 9],
    ['a message and its overhead', { messages: [user('Hello')] }, 21],
    ['text parts', { messages: [user([{ type: 'text', text: 'Hello' }])] }, 21],
    [
      'an image by a fixed number',
      { messages: [user([{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(1e6) }])] },
      4_816,
    ],
    ['thinking', { messages: [assistant([{ type: 'thinking', thinking: 'hm' }])] }, 18],
    ['a result without its details', { messages: [toolResult({ details: { secret: 'x'.repeat(99) } })] }, 20],
  ])('counts %s', (_, fields, characters) => {
    expect(contextCharacters(contextOf([], fields))).toBe(characters)
  })

  it.each([{}, { path: 'a.ts' }, { edits: [{ old: 'a', new: 'b' }, { old: 'c' }], n: 12, yes: true, none: null }])(
    'counts arguments by about the length of their JSON: %j',
    (args) => {
      const message = assistant([{ type: 'toolCall', id: 'c', name: 'tool', arguments: args }])
      const exact = 16 + 'tool'.length + JSON.stringify(args).length
      expect(Math.abs(contextCharacters(contextOf([message])) - exact)).toBeLessThanOrEqual(4)
    },
  )

  it('counts tools by about the length of their JSON', () => {
    const exact = JSON.stringify(tools).length
    const counted = contextCharacters(contextOf([], { tools }))
    expect(counted).toBeGreaterThan(exact * 0.6)
    expect(counted).toBeLessThan(exact * 1.2)
  })

  it('counts arguments nested 100,000 deep', () => {
    let nested: unknown = 'x'
    for (let depth = 0; depth < 100_000; depth++) nested = [nested]
    const message = assistant([{ type: 'toolCall', id: 'c', name: 'tool', arguments: { nested } }])
    expect(contextCharacters(contextOf([message]))).toBeGreaterThan(200_000)
  })
})
