// An answer goes out as its deltas come; a client that takes nothing makes them wait, joined, and is left after a time.
import type { ServerResponse } from 'node:http'
import { Observable, Subject, interval, takeUntil } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { failureShape } from '../../streams/values/failure.ts'
import { takingLimit } from '../protocol/write-timeout.ts'
import { proxyLines } from '../../streams/events/proxy-line.ts'
import type { ProxyLine } from '../../streams/events/proxy-line.ts'

export interface SendOptions {
  /** Milliseconds between blank lines while nothing else is sent, so that a dead connection is noticed. */
  readonly keepAliveMs: number
  /** Milliseconds that a client may take nothing while something waits. */
  readonly takingMs: number
}

/** UTF-16 units of text that may wait for one client. */
const mostWaiting = 16 * 1024 * 1024

/**
 * Writes each delta as a line, an error as a last line of type `failure`, and ends the response. Completes when all is
 * handed over, or when the client had to be left; unsubscribing unsubscribes the deltas, which gives the provider's request
 * up. Buffers what the client does not take, pieces of one block joined, up to 16 Mi characters.
 */
export function sendDeltas(
  delta$: Observable<AssistantDelta>,
  response: ServerResponse,
  { keepAliveMs, takingMs }: SendOptions,
): Observable<never> {
  return new Observable((subscriber) => {
    const over$ = new Subject<void>()
    const over = (): void => {
      over$.next() // also where the deltas come all at once, before there is a subscription to end
      subscriber.complete()
    }
    const writer = answerWriter(response, takingMs, over)
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

/** Writes while the response takes it. @param over called once, when it has ended, or was cut because nobody takes it */
function answerWriter(response: ServerResponse, takingMs: number, over: () => void) {
  const lines = deltaLines()
  let last: string | undefined
  let isQuiet = true
  let isOver = false

  const finish = (): void => {
    isOver = true
    over()
  }
  const leave = (): void => {
    response.destroy()
    finish()
  }
  const limit = takingLimit(takingMs, leave)
  const flush = (): void => {
    if (response.writableNeedDrain) return
    const text = lines.take() + (last ?? '')
    isQuiet &&= text === ''
    if (text !== '') limit.waits(!response.write(text))
    if (last === undefined) return
    response.end()
    finish()
  }
  const drained = (): void => {
    limit.taken()
    limit.waits(false)
    flush()
  }
  response.on('drain', drained)
  return {
    add: (delta: AssistantDelta): void => {
      lines.add(delta)
      if (lines.length > mostWaiting) leave()
      else flush()
    },
    /** @param line what the answer ends with */
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
      response.off('drain', drained)
    },
  }
}

// Lines wait while the client takes none: pieces of one block are joined there, so that what waits is never more than the answer's own text.

interface DeltaLines {
  /** UTF-16 units of text that wait. */
  readonly length: number
  add(delta: AssistantDelta): void
  /** All that waits, as lines; nothing waits after it. */
  take(): string
}

type Piece = Extract<ProxyLine, { type: 'text_delta' | 'thinking_delta' | 'toolcall_delta' }>

/** Of one answer. */
function deltaLines(): DeltaLines {
  const lines = proxyLines()
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
