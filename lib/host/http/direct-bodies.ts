// Which Node streams are behind a Response's body: who reads answers as they come takes those, without a promise a chunk.
import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'

export interface DirectBody {
  readonly message: IncomingMessage
  /** The message, or what decodes it. */
  readonly body: Readable
}

/** Of the responses of `httpFetch`. One reads either these or the Response's own body, not both. */
export const directBodies = new WeakMap<Response, DirectBody>()
