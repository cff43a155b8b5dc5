// What a wire's first request needs, loaded before it: its code, its vendor's SDK, and what of the platform the SDK takes with it.
import { EMPTY, catchError, defer, from, ignoreElements } from 'rxjs'
import type { Observable } from 'rxjs'
import type { Api } from '../adapter/api-compat.ts'

// named one by one, for the bundler takes all of a package whose names nobody takes
const openAi = () => import('openai').then(({ OpenAI }) => OpenAI)
const anthropic = () => import('@anthropic-ai/sdk').then(({ Anthropic }) => Anthropic)
const genAi = () => import('@google/genai').then(({ GoogleGenAI }) => GoogleGenAI)
const google = () => Promise.all([import('../google/google-answer.ts'), genAi()])

const parts: ReadonlyMap<string, () => Promise<unknown>> = new Map<Api, () => Promise<unknown>>([
  ['openai-completions', () => Promise.all([import('../openai/completions/openai-completions-answer.ts'), openAi()])],
  ['openai-responses', () => Promise.all([import('../openai/responses/openai-responses-answer.ts'), openAi()])],
  ['anthropic-messages', () => Promise.all([import('../anthropic/anthropic-messages-answer.ts'), anthropic()])],
  ['google-generative-ai', google],
  ['google-vertex', google],
])

/**
 * Emits nothing and completes when it is there, at once for what is no wire. What cannot be loaded is asked for again by the
 * request, which tells it.
 * @param api of a model
 */
export function loadWire(api: string): Observable<never> {
  return defer(() => from(parts.get(api)?.() ?? EMPTY)).pipe(
    ignoreElements(),
    catchError(() => EMPTY),
  )
}
