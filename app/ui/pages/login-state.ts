// Steps of the login page: provider, key, verification, storing.
import type { ResultOf } from '../../../lib/streams/commands/command.ts'

export type LoginState =
  | { readonly step: 'provider'; readonly typed: string; readonly problem?: string }
  | { readonly step: 'key'; readonly provider: string; readonly typed: string; readonly problem?: string }
  /** A request is in progress. */
  | { readonly step: 'busy'; readonly provider: string; readonly doing: string }
  /** The verification has no clear result; Enter stores the key anyway. */
  | { readonly step: 'unsure'; readonly provider: string; readonly key: string; readonly message: string }

/** Suggested providers; the user can type any other. */
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

/** Suggested providers that begin with the typed text. */
export function matchingProviders(typed: string): readonly string[] {
  return usualProviders.filter((name) => name.startsWith(typed.trim().toLowerCase()))
}

/** The step after `auth_verify`; undefined: the key is valid and can be stored. */
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

/** Shows roughly the length of a key, nothing else. */
export function maskKey(key: string): string {
  return '•'.repeat(Math.min(key.length, 32))
}
