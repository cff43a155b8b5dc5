// Hides secrets in the events of one tool call.
import { defer, mergeMap } from 'rxjs'
import type { MonoTypeOperatorFunction } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { redactionNotice } from '../../streams/ports/secrets.ts'
import type { Redaction, TextRedactor } from '../../streams/ports/secrets.ts'
import { isRecord } from '../../streams/values/json.ts'

type ToolUpdate = EventNamed<'tool_execution_update'>
type ToolEnd = EventNamed<'tool_execution_end'>

/**
 * Replaces secrets by placeholders: in updates (also those that are split across pieces), in the text of the result and
 * in its details. A note at the end of the result's text counts the secrets of the output; `details.redactedSecrets`
 * counts those of the details too. Offsets count the text after redaction, and gaps stay gaps. Images stay as they are.
 *
 * Ends and fails with its source. Buffers the part of each stream that may be the beginning of a secret; it is emitted
 * before the end of the call. Unsubscribing drops it.
 */
export function redactToolEvents(redaction: Redaction): MonoTypeOperatorFunction<AgentEvent> {
  return (source$) =>
    defer(() => {
      const streams = new Map<string, UpdateStream>()
      return source$.pipe(
        mergeMap((event): AgentEvent[] => {
          if (event.type === 'tool_execution_update') return redactUpdate(event, streams, redaction)
          if (event.type !== 'tool_execution_end') return [event]
          const held = [...streams.values()].flatMap((stream) => stream.finish())
          return [...held, redactEnd(event, redaction)]
        }),
      )
    })
}

function redactUpdate(update: ToolUpdate, streams: Map<string, UpdateStream>, redaction: Redaction): ToolUpdate[] {
  const known = streams.get(update.updateType)
  const stream = known ?? updateStream(redaction.preview())
  if (known === undefined) streams.set(update.updateType, stream)
  return stream.add(update)
}

interface UpdateStream {
  add(update: ToolUpdate): ToolUpdate[]
  /** The text that was held back. */
  finish(): ToolUpdate[]
}

function updateStream(redactor: TextRedactor): UpdateStream {
  let last: ToolUpdate | undefined
  /** Where the next piece of the tool is expected, and where its text stands after redaction. */
  let expected = 0
  let shown = 0
  const show = (update: ToolUpdate, content: string): ToolUpdate => {
    const event = { ...update, content, offset: shown }
    shown += content.length
    return event
  }
  const flush = (): ToolUpdate[] => {
    const content = redactor.end()
    return content === '' || last === undefined ? [] : [show(last, content)]
  }
  return {
    add: (update) => {
      const skipped = update.offset - expected
      const before = skipped === 0 ? [] : flush()
      if (skipped > 0) shown += skipped
      expected = update.offset + update.content.length
      last = update
      const content = redactor.push(update.content)
      const isSilent = content === '' && update.content !== '' && update.progressPercent === undefined
      return isSilent ? before : [...before, show(update, content)]
    },
    finish: flush,
  }
}

function redactEnd(end: ToolEnd, redaction: Redaction): ToolEnd {
  const content = end.content.map((part) => {
    if (part.type !== 'text') return part
    const text = redaction.text(part.text)
    return text === part.text ? part : { ...part, text }
  })
  const notice = redactionNotice(redaction.count)
  const details = redaction.json(end.details)
  if (redaction.count === 0) return end
  const counted = isRecord(details) ? { ...details, redactedSecrets: redaction.count } : details
  return {
    ...end,
    content: notice === undefined ? content : withNotice(content, notice),
    ...(counted === undefined ? {} : { details: counted }),
  }
}

/** The notice at the end of the last text. */
function withNotice(content: ToolEnd['content'], notice: string): ToolEnd['content'] {
  const last = content.at(-1)
  if (last?.type !== 'text') return [...content, { type: 'text', text: notice }]
  const gap = last.text === '' || last.text.endsWith('\n') ? '' : '\n'
  return [...content.slice(0, -1), { ...last, text: `${last.text}${gap}${notice}` }]
}
