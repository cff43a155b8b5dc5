// Reads the frames of one response with an API's decoder, and counts those that are not the API's.
//
// Guarantees: after the terminal event only usage counts (docs/design/security.md#S28).
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isObject } from '../http/json-field.ts'
import { providerFailure, readProviderError, withoutSecrets } from '../http/provider-failure.ts'
import type { ResponseContext } from '../http/provider-failure.ts'
import type { SseEvent } from '../http/sse.ts'

/** The event data with which some APIs end a response. It goes to the decoder as it is. */
export const endMark = '[DONE]'

/** The decoder of one response of one API. */
export interface EventDecoder {
  /**
   * Undefined while the response is incomplete: a body that ends then ended early. Otherwise the milliseconds that the
   * body may go on. A proper end follows at once, and leaves the connection usable for the next request.
   */
  readonly lingerMs: number | undefined
  /** True from the terminal event on. */
  readonly isComplete: boolean
  /** True if the API has events of this name. */
  hasEvent(name: string): boolean
  /**
   * Decodes one parsed event; `name` is its `event:` field. Returns false for an event that is not the API's.
   * @throws Failure for an error of the provider, and kind `network` for a broken event of the API
   */
  read(event: unknown, name?: string): boolean
  /** Takes the usage of an event after the terminal one. */
  readUsage(event: unknown): void
  /** Closes the blocks and emits `done`. @throws Failure if the response ended early or was refused */
  end(): void
  /** Emits the usage so far, so that a failed response is billed too. */
  emitUsage(): void
}

export interface FrameReader {
  /** @throws Failure */
  read(event: SseEvent): void
  /** Reports the foreign frames and ends the decoder. @throws Failure */
  end(emit: Emit): void
  /** Emits one warning if there were foreign frames; a second call emits nothing. */
  reportForeign(emit: Emit): void
}

type Emit = (delta: AssistantDelta) => void

/** The `code` of the warning about foreign frames. */
export const foreignFramesCode = 'foreign_frames'

export function createFrameReader(decoder: EventDecoder, context: ResponseContext): FrameReader {
  let count = 0
  let first = ''
  let hasOwn = false
  /** The first foreign frame with content and without a name: alone it shows another API, not a keep-alive. */
  let strange: string | undefined

  const addForeign = ({ data, event }: SseEvent): void => {
    count += 1
    if (first === '') first = excerpt(isName(event) ? `event: ${event}` : data, context)
    if (!isName(event) && data !== '{}') strange ??= excerpt(data, context)
  }
  const reportForeign = (emit: Emit): void => {
    if (count > 0) emit(foreignFrames(context.provider, count, first))
    count = 0
  }
  return {
    read: (event) => {
      if (event.data === '') return
      if (decoder.isComplete) readBehindEnd(event, decoder)
      else if (readFrame(event, context, decoder)) hasOwn = true
      else addForeign(event)
    },
    reportForeign,
    end: (emit) => {
      if (!hasOwn && strange !== undefined) throw otherApi(context.provider, strange)
      reportForeign(emit)
      decoder.end()
    },
  }
}

/** A frame after the end cannot fail the answer, whatever it is. */
function readBehindEnd({ data }: SseEvent, decoder: EventDecoder): void {
  const parsed = data === endMark ? undefined : parseFrame(data)
  if (parsed !== undefined) decoder.readUsage(parsed.value)
}

/** Returns false for a frame that is not the API's. @throws Failure */
function readFrame({ data, event, unclosed }: SseEvent, context: ResponseContext, decoder: EventDecoder): boolean {
  if (data === endMark) return decoder.read(endMark, event)
  const parsed = parseFrame(data)
  if (parsed !== undefined) return decoder.read(parsed.value, event)
  if (unclosed === true) return true // the body was cut within the event: `end` reports the early end
  if (event === 'error') throw providerFailure({ message: data }, context)
  if (isName(event) && !decoder.hasEvent(event)) return false
  throw brokenFrame(context, `that is not JSON, beginning with ${excerpt(data, context)}`)
}

/** Undefined if the text is no JSON. */
function parseFrame(data: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(data) }
  } catch {
    return undefined
  }
}

/** `message` is the name of an event without one. */
function isName(name: string | undefined): name is string {
  return name !== undefined && name !== '' && name !== 'message'
}

/**
 * Judges a value that is not an event of the API: false, because it is foreign. Under a name of its own only an `error`
 * field makes it an error: other APIs' notices have a `message` too.
 * @throws Failure for an error of the provider, and for a value under a name of the API
 */
export function judgeForeign(
  value: unknown,
  name: string | undefined,
  { context, hasEvent }: { readonly context: ResponseContext; readonly hasEvent: EventDecoder['hasEvent'] },
): false {
  const isNamed = isName(name) && name !== 'error'
  const error = isNamed && !hasError(value) ? undefined : readProviderError(value)
  if (error !== undefined || name === 'error') throw providerFailure(error ?? {}, context)
  if (isNamed && hasEvent(name)) throw brokenFrame(context, `named ${name} whose content does not fit`)
  return false
}

function hasError(value: unknown): boolean {
  return isObject(value) && (isObject(value['error']) || (typeof value['error'] === 'string' && value['error'] !== ''))
}

/** The failure of a frame of the API that cannot be read: the same request may succeed. */
export function brokenFrame({ provider }: ResponseContext, fault: string): Failure {
  const message = `${provider} sent a frame ${fault}; the stream was damaged on the way.`
  return new Failure('provider_error', message, { data: { kind: 'network' } })
}

function otherApi(provider: string, frame: string): Failure {
  const message = `${provider} sent no event of the API that this model uses, but ${frame}: check the base URL, and the model's api.`
  return new Failure('provider_error', message, { data: { kind: 'bad_request' } })
}

function foreignFrames(provider: string, count: number, first: string): AssistantDelta {
  const frames = count === 1 ? '1 frame that is' : `${count} frames that are`
  const message = `${provider} sent ${frames} not of its API (${first}); rxpi skipped ${count === 1 ? 'it' : 'them'}. Later ones are not reported.`
  return {
    type: 'warning',
    code: foreignFramesCode,
    message,
    context: { provider, frames: count },
    recoverable: true,
  }
}

function excerpt(text: string, { secrets }: ResponseContext): string {
  return JSON.stringify(withoutSecrets(text, secrets).slice(0, 80))
}
