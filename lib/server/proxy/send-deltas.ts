// Streams the deltas of a response.
// It joins them while the client takes nothing, and disconnects the client after a time.
import type { ServerResponse } from 'node:http'
import { Observable, Subject, interval, takeUntil } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure, failureShape } from '../../streams/values/failure.ts'
import { writeTimeout } from '../protocol/write-timeout.ts'
import { createProxyLines } from '../../streams/events/proxy-line.ts'
import type { ProxyLine } from '../../streams/events/proxy-line.ts'

export interface SendOptions {
  /** Milliseconds between blank lines while nothing else is sent, which detect a dead connection. */
  readonly keepAliveMs: number
  /** Milliseconds after which a client that takes nothing is disconnected. */
  readonly takingMs: number
}

/** UTF-16 units of text that may wait for one client. */
const waitingLimit = 16 * 1024 * 1024

/**
 * Writes each delta as a line, an error as a last line of type `failure`, and ends the response. Completes when all is
 * written, or the client was disconnected. Unsubscribing unsubscribes the deltas, which ends the provider's request.
 * Buffers what the client does not take, with the pieces of a block joined, up to 16 Mi characters.
 */
export function sendDeltas(
  delta$: Observable<AssistantDelta>,
  response: ServerResponse,
  { keepAliveMs, takingMs }: SendOptions,
): Observable<never> {
  return new Observable((subscriber) => {
    const over$ = new Subject<void>()
    const end = (): void => {
      over$.next() // also if the deltas come synchronously, before the subscription exists
      subscriber.complete()
    }
    const writer = responseWriter(response, takingMs, end)
    subscriber.add(writer.stop)
    subscriber.add(interval(keepAliveMs).subscribe(writer.keepAlive))
    subscriber.add(
      delta$.pipe(takeUntil(over$)).subscribe({
        next: writer.add,
        error: (error: unknown) => {
          writer.end(`${JSON.stringify({ type: 'failure', ...failureShape(Failure.from(error)) })}\n`)
        },
        complete: () => {
          writer.end('')
        },
      }),
    )
  })
}

/** Writes while the response takes data. @param onEnd called once, when it has ended or was disconnected */
function responseWriter(response: ServerResponse, takingMs: number, onEnd: () => void) {
  const lines = deltaLines()
  let last: string | undefined
  let isQuiet = true
  let isOver = false

  const finish = (): void => {
    isOver = true
    onEnd()
  }
  const disconnect = (): void => {
    response.destroy()
    finish()
  }
  const limit = writeTimeout(takingMs, disconnect)
  const flush = (): void => {
    if (response.writableNeedDrain) return
    const text = lines.take() + (last ?? '')
    isQuiet &&= text === ''
    if (text !== '') limit.setWaiting(!response.write(text))
    if (last === undefined) return
    response.end()
    finish()
  }
  const onDrain = (): void => {
    limit.restart()
    limit.setWaiting(false)
    flush()
  }
  response.on('drain', onDrain)
  return {
    add: (delta: AssistantDelta): void => {
      lines.add(delta)
      if (lines.length > waitingLimit) disconnect()
      else flush()
    },
    /** @param line the last line of the response */
    end: (line: string): void => {
      if (isOver) return
      last = line
      flush()
    },
    keepAlive: (): void => {
      if (isQuiet && !response.writableNeedDrain) response.write('\n')
      isQuiet = true
    },
    stop: (): void => {
      limit.stop()
      response.off('drain', onDrain)
    },
  }
}

/**
 * Lines that wait for the client. Pieces of one block are joined, so that they are never longer than the response's
 * text.
 */
interface DeltaLines {
  /** UTF-16 units of text that wait. */
  readonly length: number
  add(delta: AssistantDelta): void
  /** Removes and returns the waiting lines. */
  take(): string
}

type Piece = Extract<ProxyLine, { type: 'text_delta' | 'thinking_delta' | 'toolcall_delta' }>

/** For one response. */
function deltaLines(): DeltaLines {
  const lines = createProxyLines()
  let waiting: ProxyLine[] = []
  let length = 0
  return {
    get length() {
      return length
    },
    add: (delta) => {
      const line = lines.thin(delta)
      const last = waiting.at(-1)
      length += isPiece(line) ? line.text.length : 0
      if (last !== undefined && isPiece(last) && isPiece(line) && continues(last, line)) {
        waiting[waiting.length - 1] = { ...last, text: last.text + line.text }
      } else waiting.push(line)
    },
    take: () => {
      const text = waiting.map((line) => `${JSON.stringify(line)}\n`).join('')
      waiting = []
      length = 0
      return text
    },
  }
}

function isPiece(line: ProxyLine): line is Piece {
  return line.type === 'text_delta' || line.type === 'thinking_delta' || line.type === 'toolcall_delta'
}

function continues(last: Piece, line: Piece): boolean {
  return last.type === line.type && last.contentIndex === line.contentIndex
}
