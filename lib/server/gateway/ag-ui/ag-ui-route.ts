// Answers `POST /ag-ui`: starts or continues a run of a thread, and streams its events.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { map, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { Server } from '../../create-server.ts'
import { refuseOtherType } from '../../http/admit-head.ts'
import type { Cors } from '../../http/admit-head.ts'
import { refuse } from '../../http/answer-json.ts'
import { readBody } from '../../http/read-body.ts'
import { parseRunInput } from './read-run-input.ts'
import { sendFrames } from './send-frames.ts'
import type { SendFramesOptions } from './send-frames.ts'
import { threadRegistry } from './thread-registry.ts'
import type { ThreadOptions } from './thread-registry.ts'

const agUiPath = '/ag-ui'

export type AgUiOptions = SendFramesOptions & ThreadOptions

export interface AgUiEndpoint {
  answer(incoming: IncomingMessage, response: ServerResponse, cors: Cors): Observable<never>
  close(): void
}

export function agUiEndpoint(server: Server, options: AgUiOptions): AgUiEndpoint {
  const threads = threadRegistry(server, options)
  return {
    close: threads.close,
    answer: (incoming, response, cors) => {
      const refusal = refuseOtherType(incoming.headers, agUiPath, cors)
      if (refusal !== undefined) return refuse(response, refusal.failure, cors, refusal.status)
      return readBody(incoming, parseRunInput).pipe(
        map((input) => ({ input, after: readLastEventId(incoming.headers['last-event-id']) })),
        mergeMap(({ input, after }) => sendFrames(threads.frames$(input, after), response, cors, options)),
      )
    },
  }
}

/** @throws Failure `bad_request` */
function readLastEventId(header: string | readonly string[] | undefined): number | undefined {
  if (header === undefined || header === '') return undefined
  const [, index] = /^\d{1,15}\.(\d{1,15})$/.exec(String(header)) ?? []
  if (index !== undefined) return Number(index)
  throw new Failure('bad_request', 'Last-Event-ID must be the id of an event of this gateway.')
}
