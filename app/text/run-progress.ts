// Reports a run's progress on stderr: warnings and waits always, tools on a terminal only.
import type { AgentEvent, EventNamed } from '../../lib/streams/events/event.ts'
import { innerCall } from '../../lib/streams/messages/inner-call.ts'
import type { AssistantContent, AssistantMessage } from '../../lib/streams/messages/message.ts'
import { compactionText } from './compaction-text.ts'
import { formatCount } from './format-count.ts'
import type { Output } from '../process/output.ts'
import { report } from '../process/progress.ts'

/** Maximum of characters of a tool call's arguments. */
const maxArguments = 100

/**
 * Returns a function that takes every event of a run in order. Buffers the arguments of calls that have not started.
 */
export function reportProgress(stderr: Output): (event: AgentEvent) => void {
  const calls = new Map<string, string>()
  const storeCall = (block: AssistantContent): void => {
    if (block.type === 'toolCall') calls.set(block.id, JSON.stringify(innerCall(block).arguments))
  }
  const writeOnTerminal = (line: string): void => {
    if (stderr.isTerminal) stderr.dimmed(`${line.replace(/\s*\n\s*/g, ' ')}\n`)
  }
  return (event) => {
    switch (event.type) {
      case 'message_end':
        if (event.message.role !== 'assistant') return
        event.message.content.forEach(storeCall)
        for (const remark of replayRemarks(event.message)) report(stderr, remark)
        return
      case 'tool_execution_start': {
        writeOnTerminal(`· ${event.toolName} ${shorten(calls.get(event.toolCallId) ?? '')}`)
        calls.delete(event.toolCallId)
        return
      }
      case 'auto_retry':
        report(stderr, `attempt ${event.attempt} follows in ${waitOf(event)}`)
        return
      case 'model_fallback':
        report(
          stderr,
          `${event.from ?? 'the model'} failed (${event.kind}); continuing with ${event.to ?? 'another model'}`,
        )
        return
      case 'compaction_progress':
        if (event.characters === 0)
          report(stderr, `the model summarises earlier messages (${formatCount(event.tokensBefore)} tokens)`)
        return
      case 'compaction':
        report(stderr, compactionText(event))
        return
      case 'warning':
      case 'error':
        report(stderr, event.message)
        return
      default:
    }
  }
}

function waitOf({ delayMs, message, kind }: EventNamed<'auto_retry'>): string {
  return `${seconds(delayMs)} (${message ?? kind})`
}

/** Differences that the model `replay/<file>` found between request and record; it reports them as thinking. */
function replayRemarks({ provider, content }: AssistantMessage): string[] {
  if (provider !== 'replay') return []
  return content.flatMap((block) =>
    block.type === 'thinking' && block.thinking.startsWith('[replay] ') ? block.thinking.slice(9).split('\n') : [],
  )
}

function shorten(text: string): string {
  return text.length <= maxArguments ? text : `${text.slice(0, maxArguments)}…`
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 100) / 10} s`
}
