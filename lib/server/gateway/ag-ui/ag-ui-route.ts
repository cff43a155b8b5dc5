// Answers `POST /ag-ui`, which runs a thread and streams its events, and `POST /ag-ui/cancel`.
// Guarantees: a client that takes nothing is disconnected.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Observable, catchError, interval, map, mergeMap, of } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { Server } from '../../create-server.ts'
import { refuseOtherType } from '../../http/admit-head.ts'
import type { Cors } from '../../http/admit-head.ts'
import { answerJson, commonHeaders, refuse } from '../../http/answer-json.ts'
import { readBody } from '../../http/read-body.ts'
import { writeTimeout } from '../../protocol/write-timeout.ts'
import { parseCancellation, parseRunInput } from './read-run-input.ts'
import { sseFrame } from './stored-run.ts'
import { threadRegistry } from './thread-registry.ts'
import type { ThreadOptions } from './thread-registry.ts'

const agUiPath = '/ag-ui'
const agUiCancelPath = '/ag-ui/cancel'

interface SendFramesOptions {
  /** Milliseconds between comments while nothing else is sent. Default 15,000. */
  readonly keepAliveMs?: number
  /** Milliseconds after which a client that takes nothing is disconnected. Default 60,000. */
  readonly takesWithinMs?: number
  /** Bytes that may wait for the client. Default 16 MiB. */
  readonly unsentLimit?: number
}

export type AgUiOptions = SendFramesOptions & ThreadOptions

type Answer = (incoming: IncomingMessage, response: ServerResponse, cors: Cors) => Observable<never>

export interface AgUiEndpoint {
  readonly answer: Answer
  /** Answers `{"cancelled": true}`, or false if the run is over. */
  readonly cancel: Answer
  close(): void
}

export function agUiEndpoint(server: Server, options: AgUiOptions): AgUiEndpoint {
  const threads = threadRegistry(server, options)
  return {
    close: threads.close,
    answer: readingJson(agUiPath, (incoming, response, cors) =>
      readBody(incoming, parseRunInput).pipe(
        map((input) => ({ input, after: readLastEventId(incoming.headers['last-event-id']) })),
        mergeMap(({ input, after }) => sendFrames(threads.frames$(input, after), response, cors, options)),
      ),
    ),
    cancel: readingJson(agUiCancelPath, (incoming, response, cors) =>
      readBody(incoming, parseCancellation).pipe(
        mergeMap((cancellation) => threads.cancel(cancellation)),
        mergeMap((cancelled) => answerJson(response, cors, { cancelled })),
      ),
    ),
  }
}

function readingJson(path: string, answer: Answer): Answer {
  return (incoming, response, cors) => {
    const refusal = refuseOtherType(incoming.headers, path, cors)
    return refusal === undefined
      ? answer(incoming, response, cors)
      : refuse(response, refusal.failure, cors, refusal.status)
  }
}

/** @throws Failure `bad_request` */
function readLastEventId(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const [, index] = /^\d{1,15}\.(\d{1,15})$/.exec(String(header)) ?? []
  if (index !== undefined) return Number(index)
  throw new Failure('bad_request', 'Last-Event-ID must be the id of an event of this gateway.')
}

const streamHeaders = {
  ...commonHeaders,
  'content-type': 'text/event-stream; charset=utf-8',
  'x-accel-buffering': 'no',
}

/**
 * Writes the frames, a failure as `RUN_ERROR`, and ends the response. Completes when all is written, or the client was
 * disconnected; unsubscribing unsubscribes the frames, which ends no run.
 */
function sendFrames(
  frame$: Observable<string>,
  response: ServerResponse,
  cors: Cors,
  { keepAliveMs = 15_000, takesWithinMs = 60_000, unsentLimit = 16_777_216 }: SendFramesOptions = {},
): Observable<never> {
  return new Observable((subscriber) => {
    const disconnect = (): void => {
      response.destroy()
      subscriber.complete()
    }
    const limit = writeTimeout(takesWithinMs, disconnect)
    const onDrain = (): void => {
      limit.restart()
      limit.setWaiting(false)
    }
    let isQuiet = true
    const write = (text: string): void => {
      isQuiet = false
      limit.setWaiting(!response.write(text))
      if (response.writableLength > unsentLimit) disconnect()
    }
    response.writeHead(200, { ...streamHeaders, ...cors })
    response.flushHeaders()
    response.on('drain', onDrain)
    subscriber.add(() => {
      limit.stop()
      response.off('drain', onDrain)
    })
    subscriber.add(
      interval(keepAliveMs).subscribe(() => {
        if (isQuiet && !response.writableNeedDrain) response.write(':\n\n')
        isQuiet = true
      }),
    )
    subscriber.add(
      frame$.pipe(catchError((error: unknown) => of(errorFrame(error)))).subscribe({
        next: write,
        complete: () => {
          response.end()
          subscriber.complete()
        },
      }),
    )
  })
}

function errorFrame(error: unknown): string {
  const { code, message } = Failure.from(error)
  return sseFrame(JSON.stringify({ type: 'RUN_ERROR', code, message }))
}
