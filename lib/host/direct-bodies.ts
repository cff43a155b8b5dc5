// Which Node stream is behind a Response's body: who reads answers as they come takes that, without a promise a chunk.
import type { Readable } from 'node:stream'

/** Of the responses of `httpFetch`. One reads either the stream or the body, not both. */
export const directBodies = new WeakMap<Response, Readable>()
