// Sends the frames of a run as an event stream; a client that takes nothing is disconnected.
import type { ServerResponse } from 'node:http'
import { Observable, catchError, interval, of } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import { commonHeaders } from '../../http/answer-json.ts'
import type { Cors } from '../../http/admit-head.ts'
import { writeTimeout } from '../../protocol/write-timeout.ts'
import { sseFrame } from './stored-run.ts'

export interface SendFramesOptions {
  /** Milliseconds between comments while nothing else is sent. Default 15,000. */
  readonly keepAliveMs?: number
  /** Milliseconds after which a client that takes nothing is disconnected. Default 60,000. */
  readonly takesWithinMs?: number
  /** Bytes that may wait for the client. Default 16 MiB. */
  readonly unsentLimit?: number
}

const headers = { ...commonHeaders, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }

/**
 * Writes the frames, a failure as `RUN_ERROR`, and ends the response. Completes when all is written, or the client was
 * disconnected; unsubscribing unsubscribes the frames, which ends no run.
 */
export function sendFrames(
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
    response.writeHead(200, { ...headers, ...cors })
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
