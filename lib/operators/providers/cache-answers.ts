// Replays the answer to a request that was made before.
import { defer, from, tap } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { noUsage } from '../../streams/messages/message.ts'
import type { Message } from '../../streams/messages/message.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ProviderOperator, ProviderRequest } from '../../streams/ports/provider.ts'
import { Failure } from '../../streams/values/failure.ts'

export interface CacheAnswersOptions {
  /** Answers that are kept; the one that was used least recently goes first. Default 100. */
  readonly answers?: number
  /** UTF-16 units of keys and answers together. Default 8,388,608. */
  readonly characters?: number
  /**
   * Two requests with the same key have the same answer. Default: all that a model reads as JSON, with the model's name
   * and the settings of the request, without times, usages and the session.
   */
  readonly keyOf?: (request: ProviderRequest) => string
}

/**
 * A request whose key had a whole answer before gets the same deltas, all at once, with no usage: nothing was sent and
 * nothing is billed. An answer is kept when it has ended with `done` and the reason `stop` or `toolUse`; one that
 * failed, was cut off or was unsubscribed is not. Two equal requests at the same time are both sent.
 *
 * Buffers answers up to both limits. Ends and fails as the provider does, or if `keyOf` throws; on unsubscribe the
 * request is unsubscribed.
 * @throws Failure `bad_request` for a limit that is not a count
 */
export function cacheAnswers({
  answers = 100,
  characters = 8_388_608,
  keyOf = requestKey,
}: CacheAnswersOptions = {}): ProviderOperator {
  for (const [name, value] of Object.entries({ answers, characters })) {
    if (Number.isInteger(value) && value >= 0) continue
    throw new Failure('bad_request', `cacheAnswers: ${name} is ${value}; give a whole number, 0 or more`)
  }
  return (provider) => {
    const cache = createCache({ answers, characters })
    return (request) =>
      defer(() => {
        const key = keyOf(request)
        const known = cache.get(key)
        if (known !== undefined) return from(known)
        const deltas: AssistantDelta[] = []
        return provider(request).pipe(
          tap((delta) => {
            deltas.push(delta)
            if (delta.type === 'done' && isWhole(delta.stopReason)) cache.set(key, deltas.flatMap(withoutUsage))
          }),
        )
      })
  }
}

function isWhole(reason: Extract<AssistantDelta, { type: 'done' }>['stopReason']): boolean {
  return reason === 'stop' || reason === 'toolUse'
}

function withoutUsage(delta: AssistantDelta): AssistantDelta[] {
  if (delta.type === 'usage') return []
  return [delta.type === 'done' ? { ...delta, usage: noUsage } : delta]
}

interface Cache {
  get(key: string): readonly AssistantDelta[] | undefined
  set(key: string, deltas: readonly AssistantDelta[]): void
}

interface CachedAnswer {
  readonly deltas: readonly AssistantDelta[]
  readonly size: number
}

/** A map in order of the last use. */
function createCache({ answers, characters }: { readonly answers: number; readonly characters: number }): Cache {
  const byKey = new Map<string, CachedAnswer>()
  let size = 0
  const remove = (key: string): CachedAnswer | undefined => {
    const found = byKey.get(key)
    byKey.delete(key)
    size -= found?.size ?? 0
    return found
  }
  const add = (key: string, answer: CachedAnswer): void => {
    byKey.set(key, answer)
    size += answer.size
  }
  return {
    get: (key) => {
      const found = remove(key)
      if (found !== undefined) add(key, found)
      return found?.deltas
    },
    set: (key, deltas) => {
      remove(key)
      add(key, { deltas, size: key.length + JSON.stringify(deltas).length })
      for (const oldest of byKey.keys()) {
        if (byKey.size <= answers && size <= characters) return
        remove(oldest)
      }
    },
  }
}

/** All that the answer depends on, as JSON. */
function requestKey({ model, messages, sessionId, ...rest }: ProviderRequest): string {
  return JSON.stringify({ model: modelName(model), ...rest, messages: messages.map(asRead) })
}

/** A message as a model reads it. */
function asRead(message: Message): unknown {
  const { role, content } = message
  if (message.role !== 'toolResult') return { role, content }
  const { toolCallId, toolName, isError } = message
  return { role, content, toolCallId, toolName, isError }
}
