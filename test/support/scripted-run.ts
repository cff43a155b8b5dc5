// The events of one run: a prompt, an answer in pieces with a tool call, its output and result.
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { noUsage } from '../../lib/streams/messages/message.ts'
import type { AssistantMessage } from '../../lib/streams/messages/message.ts'

const base = {
  role: 'assistant',
  api: 'fake',
  provider: 'fake',
  model: 'model',
  usage: noUsage,
  stopReason: 'toolUse',
  timestamp: 1,
} as const

/** `words` are the pieces of thinking, text and arguments; `number` makes the ids of several runs different. */
export function scriptedRun(words: readonly string[], number = 0): AgentEvent[] {
  const id = (letter: string): string => `${letter.repeat(7)}${'abcdefghijklmnopqrstuvwxyz'[number] ?? 'z'}`
  const [user, answer, result] = [id('u'), id('m'), id('r')]
  const call = `call${number}`
  const text = words.join('')
  const message: AssistantMessage = {
    ...base,
    content: [
      { type: 'thinking', thinking: text, thinkingSignature: 'sealed' },
      { type: 'text', text },
      { type: 'toolCall', id: call, name: 'bash', arguments: { text } },
    ],
  }
  const update = (delta: Extract<AgentEvent, { type: 'message_update' }>['delta']): AgentEvent => ({
    type: 'message_update',
    entryId: answer,
    delta,
  })
  const pieces = (
    type: 'text_delta' | 'thinking_delta' | 'toolcall_delta',
    contentIndex: number,
    all: readonly string[],
  ) => {
    let offset = 0
    return all.map((word) => {
      const piece = update({ type, contentIndex, offset, text: word })
      offset += word.length
      return piece
    })
  }
  return [
    { type: 'agent_start', model: 'fake/model', tools: ['bash'], thinkingLevel: 'off' },
    { type: 'turn_start', turnId: id('t'), turnIndex: 0 },
    { type: 'message_start', entryId: user, parentId: null, message: { role: 'user', content: '', timestamp: 1 } },
    { type: 'message_end', entryId: user, parentId: null, message: { role: 'user', content: 'hi', timestamp: 1 } },
    { type: 'message_start', entryId: answer, parentId: user, message: { ...base, content: [] } },
    update({ type: 'thinking_start', contentIndex: 0 }),
    ...pieces('thinking_delta', 0, words),
    update({ type: 'thinking_end', contentIndex: 0, signature: 'sealed' }),
    update({ type: 'text_start', contentIndex: 1 }),
    ...pieces('text_delta', 1, words),
    update({ type: 'text_end', contentIndex: 1 }),
    update({ type: 'toolcall_start', contentIndex: 2, id: call, name: 'bash' }),
    ...pieces('toolcall_delta', 2, ['{"text":', JSON.stringify(text), '}']),
    update({ type: 'toolcall_end', contentIndex: 2, arguments: { text } }),
    { type: 'message_end', entryId: answer, parentId: user, message },
    { type: 'tool_execution_start', toolCallId: call, toolName: 'bash', entryId: answer, args: { text } },
    ...words.map((word, index): AgentEvent => ({
      type: 'tool_execution_update',
      toolCallId: call,
      updateType: index % 2 === 0 ? 'stdout' : 'stderr',
      content: word,
      offset: words.filter((_, each) => each < index && each % 2 === index % 2).join('').length,
    })),
    {
      type: 'tool_execution_end',
      toolCallId: call,
      toolName: 'bash',
      isError: false,
      content: [{ type: 'text', text }],
      durationMs: 1,
    },
    {
      type: 'message_start',
      entryId: result,
      parentId: answer,
      message: { role: 'toolResult', toolCallId: call, toolName: 'bash', content: [], isError: false, timestamp: 1 },
    },
    {
      type: 'message_end',
      entryId: result,
      parentId: answer,
      message: {
        role: 'toolResult',
        toolCallId: call,
        toolName: 'bash',
        content: [{ type: 'text', text }],
        isError: false,
        timestamp: 1,
      },
    },
    {
      type: 'turn_end',
      turnId: id('t'),
      messageEntryId: answer,
      toolResultEntryIds: [result],
      usage: noUsage,
      hasToolCalls: true,
      willContinue: false,
    },
    { type: 'agent_end', totalTurns: 1, usage: noUsage, durationMs: 1, terminationReason: 'completed' },
    { type: 'agent_settled' },
  ]
}
