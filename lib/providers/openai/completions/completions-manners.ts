// Short for the manners of an endpoint that speaks one wire only.
import type { ApiCompat } from '../../adapter/api-compat.ts'

/** Manners on `openai-completions`. */
export function completions(compat: NonNullable<ApiCompat['openai-completions']>): ApiCompat {
  return { 'openai-completions': compat }
}
