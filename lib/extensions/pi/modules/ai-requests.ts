// Gives extensions the functions of pi-ai that ask a model: the session asks, with its own keys.
import type { PiComplete, SessionLink } from '../contract/session-link.ts'
import type { PiRecord } from '../contract/pi-shapes.ts'
import { unsupported } from '../contract/unsupported.ts'
import { createAssistantMessageEventStream } from './ai-names.ts'
import type { EventStream } from './ai-names.ts'

/** `complete`, `stream`, and their simple forms, which are the same here. */
export function aiRequests(link: SessionLink): Record<string, unknown> {
  const complete = async (model: PiRecord, context: PiRecord, options?: PiRecord): Promise<PiRecord> => {
    if (link.complete === undefined) throw unsupported('complete of pi-ai', 'there is no session yet')
    return link.complete(model, context, options)
  }
  const stream = streamOf(complete)
  return { complete, completeSimple: complete, stream, streamSimple: stream, clampThinkingLevel }
}

/** A function that streams what `complete` answers. */
export function streamOf(complete: PiComplete): (...request: Parameters<PiComplete>) => EventStream<PiRecord, unknown> {
  return (...request) => {
    const events = createAssistantMessageEventStream()
    complete(...request).then(
      (message) => pushWhole(events, message),
      (error: unknown) => pushWhole(events, failed(request[0], error)),
    )
    return events
  }
}

/** The answer comes as a whole: one piece for each of its blocks. */
function pushWhole(events: EventStream<PiRecord, unknown>, message: PiRecord): void {
  const { stopReason } = message
  events.push({ type: 'start', partial: message })
  const content = message['content'] as readonly { type: string; text?: string; thinking?: string }[]
  content.forEach(({ type, text, thinking }, contentIndex) => {
    if (type !== 'text' && type !== 'thinking') return
    const whole = text ?? thinking ?? ''
    events.push({ type: `${type}_start`, contentIndex, partial: message })
    events.push({ type: `${type}_delta`, contentIndex, delta: whole, partial: message })
    events.push({ type: `${type}_end`, contentIndex, content: whole, partial: message })
  })
  const isError = stopReason === 'error' || stopReason === 'aborted'
  events.push(
    isError ? { type: 'error', reason: stopReason, error: message } : { type: 'done', reason: stopReason, message },
  )
}

function failed({ provider, id }: PiRecord, error: unknown): PiRecord {
  const errorMessage = error instanceof Error ? error.message : String(error)
  return {
    role: 'assistant',
    content: [],
    provider,
    model: id,
    stopReason: 'error',
    errorMessage,
    timestamp: Date.now(),
  }
}

/** A model that does not reason has the level `off` alone. */
function clampThinkingLevel({ reasoning }: PiRecord, level: string): string {
  return reasoning === true ? level : 'off'
}
