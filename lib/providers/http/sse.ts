// Bytes go in as the network cuts them, whole server-sent events come out; the cut is never seen.
import { createParser } from 'eventsource-parser'
import type { EventSourceMessage } from 'eventsource-parser'
import { Observable } from 'rxjs'
import type { OperatorFunction } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'

/** One event: `data` lines joined by `\n`; `event` where the server named it. */
export interface SseEvent extends Pick<EventSourceMessage, 'data' | 'event'> {
  /** The body ended before the blank line that closes an event: it may be cut, or only lack that line. */
  readonly unclosed?: true
}

export interface SseOptions {
  /** The longest event that is taken, in UTF-16 units. @default 16,777,216 */
  readonly maxEventLength?: number
}

/**
 * Parses a `text/event-stream` body: UTF-8 decoded as it comes (a character may lie across chunks), LF, CR and CRLF, comments
 * dropped. Events are emitted synchronously with the chunk that completes them; only an unfinished event is buffered.
 *
 * Ends with its source; what the source left unfinished is emitted last, marked `unclosed` (the format would drop it, but
 * servers exist that forget the last blank line). An event that is too long fails with kind `bad_request`.
 */
export function sse({ maxEventLength = 16 * 1024 * 1024 }: SseOptions = {}): OperatorFunction<Uint8Array, SseEvent> {
  return (byte$) =>
    new Observable((subscriber) => {
      const decoder = new TextDecoder()
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
  const message = `The provider sent a single event of more than ${limit} characters; nothing longer is taken.`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}
