// Converts rxpi's failures into the errors of ACP, with rxpi's own code in their data.
import { RequestError } from '@agentclientprotocol/sdk'
import type { FailureShape } from '../../../lib/streams/events/event.ts'
import { Failure, failureShape } from '../../../lib/streams/values/failure.ts'

/** JSON-RPC's and ACP's codes; every other failure is an internal error of ACP. */
const codes: Readonly<Record<string, number>> = {
  bad_request: -32_602,
  message_too_large: -32_602,
  busy: -32_600,
  unknown_session: -32_002,
  no_model: -32_000,
  cancelled: -32_800,
}

/** A RequestError stays itself. @param thrown of any kind */
export function requestErrorOf(thrown: unknown): RequestError {
  return thrown instanceof RequestError ? thrown : requestErrorOfShape(failureShape(Failure.from(thrown)))
}

/** `data.code` is rxpi's code; an editor offers to sign in for the code -32000. */
export function requestErrorOfShape({ code, message, data }: FailureShape): RequestError {
  const isSignedOut = code === 'provider_error' && data?.['kind'] === 'auth'
  return new RequestError(isSignedOut ? -32_000 : (codes[code] ?? -32_603), message, { ...data, code })
}

/** True if the editor has taken the request back; false at the end of the connection. */
export function isCancelled({ reason }: Pick<AbortSignal, 'reason'>): boolean {
  return reason instanceof RequestError && reason.code === codes['cancelled']
}
