// Finds the command behind the options of a wrapper such as `sudo -u root env A=1 rm`.
import type { WrapperSpec } from './wrapper-table.ts'

export interface Unwrapped {
  readonly words: readonly string[]
  readonly assignments: readonly { readonly name: string; readonly value: string }[]
}

/** The wrapped command; undefined if the wrapper runs none. */
export function unwrap(spec: WrapperSpec, args: readonly string[]): Unwrapped | undefined {
  let at = 0
  if (spec.verbs !== undefined) {
    if (!spec.verbs.includes(args[0] ?? '')) return undefined
    at = 1
  }
  if (spec.afterDashes === true) {
    const dashes = args.indexOf('--')
    return dashes < 0 ? undefined : unwrapped(args.slice(dashes + 1), [])
  }
  const assignments: { name: string; value: string }[] = []
  let left = spec.operands ?? 0
  for (; at < args.length; at++) {
    const word = args[at] ?? ''
    if (word === '--' && left === 0) return unwrapped(args.slice(at + 1), assignments)
    if (word === '--') continue
    if (word.startsWith('-') && word !== '-')
      at += spec.pairs?.includes(word) === true ? 2 : takesNext(spec, word) ? 1 : 0
    else if (spec.assigns === true && /^[A-Za-z_]\w*=/.test(word)) {
      const equals = word.indexOf('=')
      assignments.push({ name: word.slice(0, equals), value: word.slice(equals + 1) })
    } else if (left > 0) left--
    else if (word !== '-') return unwrapped(args.slice(at), assignments)
  }
  return assignments.length > 0 ? { words: [], assignments } : undefined
}

function unwrapped(words: readonly string[], assignments: Unwrapped['assignments']): Unwrapped | undefined {
  return words.length === 0 && assignments.length === 0 ? undefined : { words, assignments }
}

function takesNext({ short = '', long = [] }: WrapperSpec, word: string): boolean {
  if (word.startsWith('--')) return long.includes(word)
  const at = Array.from(word).findIndex((letter, index) => index > 0 && short.includes(letter))
  return at === word.length - 1 && at > 0
}
