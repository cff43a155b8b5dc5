// Logging in, step by step: a provider is named, its key is typed unseen, tried, and only then stored.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'

export type LoginState =
  | { readonly step: 'provider'; readonly typed: string; readonly problem?: string }
  | { readonly step: 'key'; readonly provider: string; readonly typed: string; readonly problem?: string }
  /** The provider is being asked, or the key is being stored. */
  | { readonly step: 'busy'; readonly provider: string; readonly doing: string }
  /** Whether it is right is not known; Enter stores it all the same. */
  | { readonly step: 'unsure'; readonly provider: string; readonly key: string; readonly message: string }

/** The usual ones; any other that the server knows can be typed. */
export const usualProviders = [
  'anthropic',
  'openai',
  'google',
  'openrouter',
  'groq',
  'cerebras',
  'together',
  'fireworks',
  'perplexity',
  'cohere',
] as const

export function loginStart(provider = ''): LoginState {
  return provider === '' ? { step: 'provider', typed: '' } : { step: 'key', provider, typed: '' }
}

/** The usual providers that begin with what was typed. */
export function matchingProviders(typed: string): readonly string[] {
  return usualProviders.filter((name) => name.startsWith(typed.trim().toLowerCase()))
}

/** What the answer to `auth_verify` leads to; undefined: the key is right and can be stored. */
export function afterVerify(
  { outcome, message }: ResultOf<'auth_verify'>,
  { provider, key }: { readonly provider: string; readonly key: string },
): LoginState | undefined {
  switch (outcome) {
    case 'valid':
      return undefined
    case 'refused':
      return { step: 'key', provider, typed: '', problem: message }
    case 'unreachable':
    case 'unknown':
      return { step: 'unsure', provider, key, message }
  }
}

/** Of a key nothing but its length is shown, and that only roughly. */
export function masked(key: string): string {
  return '•'.repeat(Math.min(key.length, 32))
}
