// What a provider sent that fits nothing is named by its type and place, never by its content.
import { Failure } from '../values/failure.ts'

/** Failure `provider_error`, kind `network`: a provider that breaks its contract is as good as a broken connection. */
export function unfitDelta(value: unknown, why: string): Failure {
  return new Failure('provider_error', `The provider sent ${nameOf(value)}, ${why}`, { data: { kind: 'network' } })
}

/** The same for a value that is not a delta at all. */
export function noDelta(value: unknown, problem?: string): Failure {
  return unfitDelta(value, `which is no delta${problem === undefined ? '' : `: ${problem}`}`)
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value !== 'object') return `a ${typeof value}`
  if (!('type' in value) || typeof value.type !== 'string') return 'an object of no type'
  const block =
    'contentIndex' in value && typeof value.contentIndex === 'number' ? ` for block ${value.contentIndex}` : ''
  return `${value.type.slice(0, 64)}${block}`
}
