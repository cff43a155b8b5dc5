// Prints a session for an observer: prompts, answers as they come, tools; each text once.
import type { ClientEvent } from '../../lib/server/protocol/server-frame.ts'
import type { AgentEvent, EventNamed } from '../../lib/streams/events/event.ts'
import { previewStart } from '../../lib/streams/values/display-text.ts'
import { innerCalls } from '../../lib/streams/messages/inner-call.ts'
import type { Message } from '../../lib/streams/messages/message.ts'
import { displayText } from '../../lib/streams/messages/message-text.ts'
import type { Output } from '../process/output.ts'
import { compactionText, contextEditText, contextPinText } from './compaction-text.ts'
import { describeRunEnd } from './run-end-reason.ts'
import { TextCursor } from '../../lib/streams/values/text-cursor.ts'

/** UTF-16 units of a tool's arguments or result. */
const previewLength = 200

/**
 * Returns a function that takes every event in order. Buffers the printed length of the open message, and arguments of
 * calls that have not started.
 */
export function createAttachPrinter(stdout: Output): (event: ClientEvent) => void {
  const page = createPage(stdout)
  const shown = new Map<string, TextCursor>()
  const calls = new Map<string, string>()
  const events: { readonly [Name in AgentEvent['type']]?: (event: EventNamed<Name>) => void } = {
    message_start: ({ message }) => {
      if (message.role === 'assistant') page.note(`── ${message.provider}/${message.model}`)
    },
    message_update: ({ entryId, delta }) => {
      if (delta.type !== 'text_delta') return
      page.say(takeUnprinted(shown, `${entryId} ${delta.contentIndex}`, delta))
    },
    message_end: ({ entryId, message }) => {
      if (message.role === 'user') page.note('── you')
      page.say(message.role === 'user' ? displayText(message) : takeRest(message, entryId, shown))
      page.endLine()
      shown.clear()
      for (const { id, args } of callsIn(message)) calls.set(id, args)
    },
    tool_execution_start: ({ toolCallId, toolName }) => {
      page.note(`· ${toolName} ${previewStart(calls.get(toolCallId) ?? '', previewLength)}`)
      calls.delete(toolCallId)
    },
  }
  return (received) => {
    if (received.type === 'attached') page.note(`── session ${received.header.id} in ${received.header.cwd}`)
    if (received.type !== 'event') return
    const { event } = received
    const show = events[event.type] as ((event: AgentEvent) => void) | undefined // the key is the event's own type
    const line = lineOf(event)
    if (show !== undefined) show(event)
    else if (line !== undefined) page.note(line)
  }
}

/** Prints text as it comes; a note begins a new line. */
function createPage(stdout: Output) {
  let isMidLine = false
  const write = (text: string): void => {
    if (text === '') return
    stdout.text(text)
    isMidLine = !text.endsWith('\n')
  }
  const endLine = (): void => {
    if (isMidLine) write('\n')
  }
  const note = (text: string): void => {
    endLine()
    stdout.dimmed(`${text}\n`)
  }
  return { say: write, endLine, note }
}

/** Returns the part of a piece that was not printed yet; '' if text before it is missing. */
function takeUnprinted(
  shown: Map<string, TextCursor>,
  block: string,
  { offset, text }: { readonly offset: number; readonly text: string },
): string {
  const cursor = shown.get(block) ?? new TextCursor()
  if (cursor.isBefore(offset)) return ''
  shown.set(block, cursor)
  return cursor.advance({ offset, text })
}

function takeRest(message: Message, entryId: string, shown: Map<string, TextCursor>): string {
  if (message.role !== 'assistant') return ''
  const texts = message.content.map((block, index) =>
    block.type === 'text' ? takeUnprinted(shown, `${entryId} ${index}`, { offset: 0, text: block.text }) : '',
  )
  return texts.join('')
}

function callsIn(message: Message): { readonly id: string; readonly args: string }[] {
  if (message.role !== 'assistant') return []
  return innerCalls(message.content).map(({ id, arguments: args }) => ({ id, args: JSON.stringify(args) }))
}

function lineOf(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'tool_execution_end': {
      const texts = event.content.map((block) => (block.type === 'text' ? block.text : `[${block.mimeType}]`))
      return `  ${event.isError ? 'failed: ' : ''}${previewStart(texts.join(' '), previewLength)}`
    }
    case 'agent_end':
      return `── ${describeRunEnd(event) ?? 'done'}`
    case 'queue_update':
      return event.op === 'add' ? '· an input was queued' : undefined
    case 'model_change':
      return `· the model is now ${event.to}${event.reason === undefined ? '' : `: ${event.reason}`}`
    case 'compaction_progress':
      return event.characters === 0 ? '· the model summarises earlier messages' : undefined
    case 'compaction':
      return `· ${compactionText(event)}`
    case 'context_edit':
      return `· ${contextEditText(event)}`
    case 'context_pin':
      return `· ${contextPinText(event)}`
    case 'head_moved':
      return '· the conversation continues from another entry'
    case 'ui_request':
    case 'question':
      return `· question: ${previewStart(event.text, previewLength)}`
    case 'ui_resolved':
    case 'question_resolved':
      return event.by === 'recovery' ? '· the server ended before the question was answered' : undefined
    case 'status':
      if (event.code.startsWith('extension_')) return undefined // it belongs to a screen
      return `· ${event.code}: ${event.message}`
    case 'warning':
    case 'error':
      return `· ${event.code}: ${event.message}`
    default:
      return undefined
  }
}
