// Parses the bytes of a `text/event-stream` body to server-sent events.
import { createParser } from 'eventsource-parser'
import type { EventSourceMessage } from 'eventsource-parser'
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'

/** One event: `data` lines joined by `\n`; `event` if the server named it. */
export interface SseEvent extends Pick<EventSourceMessage, 'data' | 'event'> {
  /** The body ended before the blank line that closes an event; the event may be incomplete. */
  readonly unclosed?: true
}

export interface SseOptions {
  /** The longest accepted event, in UTF-16 units. @default 16,777,216 */
  readonly maxEventLength?: number
}

/**
 * Decodes UTF-8 across chunks, accepts LF, CR and CRLF, and drops comments and one leading byte order mark. Emits each
 * event synchronously with the chunk that completes it; buffers an unfinished event only. Completes with its source. It
 * emits an unfinished last event as `unclosed`, because some servers omit the last blank line. An event that is too
 * long fails with kind `bad_request`.
 */
export function sse({ maxEventLength = 16 * 1024 * 1024 }: SseOptions = {}): OperatorFunction<Uint8Array, SseEvent> {
  return (byte$) =>
    new Observable((subscriber) => {
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true }) // the parser drops the one that may lead
      let ended = false
      const parser = createParser({
        maxBufferSize: maxEventLength,
        onEvent: (event) => {
          subscriber.next(ended ? { ...event, unclosed: true } : event)
        },
        onError: (error) => {
          if (error.type === 'max-buffer-size-exceeded') subscriber.error(tooLong(maxEventLength))
        },
      })
      const feed = (text: string): void => {
        if (!subscriber.closed) parser.feed(text)
      }
      return byte$.subscribe({
        next: (bytes) => {
          feed(decoder.decode(bytes, { stream: true }))
        },
        error: (error: unknown) => {
          subscriber.error(error)
        },
        complete: () => {
          feed(decoder.decode())
          ended = true
          feed('\n\n')
          subscriber.complete()
        },
      })
    })
}

function tooLong(limit: number): Failure {
  const message = `The provider sent a single event of more than ${limit} characters, the longest that rxpi accepts.`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}
