// How many tokens an answer may have: what was asked for, within what the model can say and what its window still holds.
import type { ProviderRequest } from '../../streams/ports/provider.ts'
import { contextCharacters } from '../../streams/ports/token-estimate.ts'

/** The least that is left to an answer where the context seems to fill the window: the provider's own count decides. */
const least = 1024

/** Tokens, or undefined where nobody said a number: neither the request nor `wanted` for a model that is not told to have a limit. */
export function outputLimit(request: ProviderRequest, wanted?: number): number | undefined {
  const { contextWindow, maxOutput } = request.model
  const asked = request.maxTokens ?? wanted
  if (asked === undefined) return undefined
  const allowed = Math.min(asked, maxOutput ?? asked)
  if (contextWindow === undefined) return allowed
  return Math.min(allowed, Math.max(least, contextWindow - Math.ceil(contextCharacters(request) / 4)))
}
