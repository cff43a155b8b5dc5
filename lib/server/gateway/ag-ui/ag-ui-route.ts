// Answers `POST /ag-ui`, which runs a thread and streams its events, and `POST /ag-ui/cancel`.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { Server } from '../../create-server.ts'
import { refuseOtherType } from '../../http/admit-head.ts'
import type { Cors } from '../../http/admit-head.ts'
import { answerJson, refuse } from '../../http/answer-json.ts'
import { readBody } from '../../http/read-body.ts'
import { parseCancellation, parseRunInput } from './read-run-input.ts'
import { sendFrames } from './send-frames.ts'
import type { SendFramesOptions } from './send-frames.ts'
import { threadRegistry } from './thread-registry.ts'
import type { ThreadOptions } from './thread-registry.ts'

const agUiPath = '/ag-ui'
const agUiCancelPath = '/ag-ui/cancel'

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
