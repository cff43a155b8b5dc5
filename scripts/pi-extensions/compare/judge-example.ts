// Judges an example: the same as in pi, with a named difference, or not.
import type { ExtensionRecord } from '../contract/extension-record.ts'
import { comparableFacts, differingFacts } from './comparable-facts.ts'
import { listedDifferences, terminalOnly } from './listed-differences.ts'

export type Outcome = ExtensionRecord | { readonly crashed: string }

export interface Played {
  readonly pi: { readonly tui: Outcome; readonly rpc: Outcome; readonly without: Outcome }
  readonly rxpi: { readonly with: Outcome; readonly without: Outcome }
}

export interface Judgement {
  readonly kind: 'same' | 'differs' | 'fails'
  readonly why: string
  /** Facts that differ and are not listed. */
  readonly unlisted: readonly string[]
}

/**
 * `same`: every fact is that of pi in its terminal. `differs`: what differs is listed, or is what pi does without its terminal.
 * `fails`: what the example is there for does not work, or it differs in what nobody has listed.
 */
export function judgeExample(name: string, { pi, rxpi }: Played): Judgement {
  const { tui, rpc, without } = pi
  const outcomes = [tui, rpc, without, rxpi.with, rxpi.without]
  const crashed = outcomes.find((outcome) => 'crashed' in outcome)
  if (crashed !== undefined) return { kind: 'fails', why: crashed.crashed.split('\n')[0] ?? '', unlisted: ['crashed'] }
  const [inTerminal, outside, base, own, ownBase] = outcomes as ExtensionRecord[] // none has crashed
  if (inTerminal === undefined || outside === undefined || base === undefined || own === undefined || ownBase === undefined) throw new Error('five outcomes') // prettier-ignore
  if (own.loadError !== undefined) return { kind: 'fails', why: own.loadError.split('\n')[0] ?? '', unlisted: [] }
  const ours = comparableFacts(own, ownBase)
  const terminal = differingFacts(comparableFacts(inTerminal, base), ours)
  const differing = differingFacts(comparableFacts(outside, base), ours)
  const { facts = [], why, fails = false } = listedDifferences[name] ?? {}
  // a fact that is neither that of pi in its terminal nor that of pi without it
  const unlisted = differing.filter((fact) => terminal.includes(fact) && !facts.includes(fact))
  if (unlisted.length > 0) return { kind: 'fails', why: `not listed: ${unlisted.join(', ')}`, unlisted }
  const notices = [...new Set((own.differences ?? []).map((text) => text.replace(' of pi differs in rxpi', '')))]
  const reason = [why, terminalOnly[name], ...(why === undefined ? notices : [])].filter((text) => text !== undefined)
  if (fails || name in terminalOnly) return { kind: 'fails', why: reason.join('; '), unlisted: [] }
  const kind = terminal.length === 0 && notices.length === 0 ? 'same' : 'differs'
  return { kind, why: reason.join('; '), unlisted: [] }
}
