// Replaces secrets in a text that comes in pieces by placeholders.
// Guarantees: time is linear in the text; text is held back only if it may be the beginning of a secret.
import { redactionPlaceholder } from '../../streams/values/redaction-placeholder.ts'
import type { TextRedactor } from '../../streams/ports/secrets.ts'
import { keyLinesEnd } from './key-lines.ts'
import { secretShapes } from './secret-shapes.ts'
import { isIn, wordCharacters } from './shape-form.ts'
import type { SecretShape, ShapeMatch } from './shape-form.ts'

/** A text that is a secret itself. */
export interface SecretValue {
  /** The text in the placeholder. */
  readonly kind: string
  readonly value: string
}

/** Secrets by their first two characters. Immutable, so that all streams of a session share it. */
export interface SecretIndex {
  /** 1 for two characters with which a secret may begin: the low 7 bits of both. */
  readonly pairs: Uint8Array
  /** 1 for a character with which a secret may begin at the beginning of a word, 2 for one with which it may begin anywhere. */
  readonly firsts: Uint8Array
  readonly byPair: ReadonlyMap<string, Candidates>
}

interface Candidates {
  /** Longest first. */
  readonly values: SecretValue[]
  readonly shapes: { readonly prefix: string; readonly shape: SecretShape }[]
}

/** @param values at least two characters each */
export function indexSecrets(values: readonly SecretValue[]): SecretIndex {
  const pairs = new Uint8Array(1 << 14)
  const firsts = new Uint8Array(1 << 7)
  const byPair = new Map<string, Candidates>()
  const candidatesFor = (text: string, isWord: boolean): Candidates => {
    const first = text.charCodeAt(0)
    pairs[pairOf(first, text.charCodeAt(1))] = 1
    firsts[first & 127] = Math.max(firsts[first & 127] ?? 0, isWord ? 1 : 2)
    const pair = text.slice(0, 2)
    const candidates = byPair.get(pair) ?? { values: [], shapes: [] }
    byPair.set(pair, candidates)
    return candidates
  }
  for (const each of values) candidatesFor(each.value, false).values.push(each)
  for (const shape of secretShapes) {
    for (const prefix of shape.prefixes) candidatesFor(prefix, shape.isWord).shapes.push({ prefix, shape })
  }
  for (const candidates of byPair.values()) {
    candidates.values.sort((left, right) => right.value.length - left.value.length)
  }
  return { pairs, firsts, byPair }
}

function pairOf(first: number, second: number): number {
  return ((first & 127) << 7) | (second & 127)
}

interface Found extends ShapeMatch {
  readonly kind: string
}

/** Colours and cursor moves inside a secret do not hide it: they are taken out first and put back. */
const controls = /\x1B\[[0-?]{0,32}[ -/]{0,4}[@-~]/g
const unfinishedControl = /\x1B(?:\[[0-?]{0,32}[ -/]{0,4})?$/

interface Control {
  /** Its place in the text without control sequences. */
  readonly at: number
  readonly text: string
}

/** @param onSecret called once for each secret */
export function createTextRedactor(index: SecretIndex, onSecret: (kind: string) => void): TextRedactor {
  let held = ''
  let before = 0
  let rest: ShapeMatch['rest']

  const redact = (whole: string, isLast: boolean): string => {
    const { plain, controlled, tail } = withoutControls(whole, isLast)
    const output = outputBuilder(plain, controlled)
    let at = 0
    for (;;) {
      if (rest !== undefined) {
        const end = endOfRest(plain, at, rest, isLast)
        output.drop(at, end.index, '')
        at = end.index
        if (end.isOpen) break
        rest = undefined
      }
      const found = findSecret(index, plain, { at, before, isLast })
      const { next } = found
      output.show(at, next)
      if (next > 0) before = plain.charCodeAt(next - 1)
      at = next
      if (found.secret === undefined) break
      const { start, end, kind } = found.secret
      output.show(at, start)
      if (kind === '') output.show(start, end)
      else {
        onSecret(kind)
        output.drop(start, end, redactionPlaceholder(kind))
      }
      if (end > 0) before = plain.charCodeAt(end - 1)
      at = end
      ;({ rest } = found.secret)
    }
    if (at === plain.length) output.showControls()
    held = output.from(at) + tail
    return output.text()
  }
  return {
    push: (piece) => (piece === '' ? '' : redact(held + piece, false)),
    end: () => {
      const last = redact(held, true)
      held = ''
      before = 0
      rest = undefined
      return last
    },
  }
}

/** The first secret from `at` on, or the place from which on the text is undecided. */
function findSecret(
  { pairs, firsts, byPair }: SecretIndex,
  text: string,
  { at, before, isLast }: { readonly at: number; readonly before: number; readonly isLast: boolean },
): { readonly next: number; readonly secret?: Found } {
  const { length } = text
  const previousTo = (index: number): number => (index > at ? text.charCodeAt(index - 1) : before)
  for (let index = at; index < length; index += 1) {
    const code = text.charCodeAt(index)
    if (index + 1 === length) {
      // one character alone: the next piece decides
      const least = isIn(wordCharacters, previousTo(index)) ? 2 : 1
      return { next: !isLast && (firsts[code & 127] ?? 0) >= least ? index : length }
    }
    if (pairs[((code & 127) << 7) | (text.charCodeAt(index + 1) & 127)] !== 1) continue
    const candidates = byPair.get(text.slice(index, index + 2))
    if (candidates === undefined) continue
    const secret = matchAt(candidates, text, index, { isWordBefore: isIn(wordCharacters, previousTo(index)), isLast })
    if (secret === 'more') return { next: index }
    if (secret === undefined) continue
    // a value that is a secret by itself has the better name
    const own = secret.kind === 'variable' ? matchValue(byPair, text, secret.start, isLast) : undefined
    if (own === 'more') return { next: index }
    if (own === undefined) return { next: index, secret }
  }
  return { next: length }
}

function matchValue(byPair: SecretIndex['byPair'], text: string, start: number, isLast: boolean) {
  const candidates = byPair.get(text.slice(start, start + 2))
  return candidates === undefined ? undefined : matchAt(candidates, text, start, { isWordBefore: false, isLast })
}

function matchAt(
  { values, shapes }: Candidates,
  text: string,
  index: number,
  { isWordBefore, isLast }: { readonly isWordBefore: boolean; readonly isLast: boolean },
): Found | 'more' | undefined {
  const left = text.length - index
  for (const { value, kind } of values) {
    if (text.startsWith(value, index)) return { kind, start: index, end: index + value.length }
    if (!isLast && left < value.length && value.startsWith(text.slice(index))) return 'more'
  }
  for (const { prefix, shape } of shapes) {
    if (shape.isWord && isWordBefore) continue
    if (text.startsWith(prefix, index)) {
      const match = shape.match(text, index, index + prefix.length, isLast)
      if (match === 'more') return 'more'
      if (match !== undefined) return { ...match, kind: shape.kind }
    } else if (!isLast && left < prefix.length && prefix.startsWith(text.slice(index))) return 'more'
  }
  return undefined
}

interface RestEnd {
  readonly index: number
  /** True: the next piece may go on with it. */
  readonly isOpen: boolean
}

function endOfRest(text: string, at: number, rest: NonNullable<ShapeMatch['rest']>, isLast: boolean): RestEnd {
  if (rest === 'key lines') return keyLinesEnd(text, at, isLast)
  let index = at
  while (index < text.length && isIn(rest, text.charCodeAt(index))) index += 1
  return { index, isOpen: index === text.length && !isLast }
}

function withoutControls(text: string, isLast: boolean) {
  if (!text.includes('\u001B')) return { plain: text, controlled: [], tail: '' }
  const tail = isLast ? '' : (unfinishedControl.exec(text)?.[0] ?? '')
  const whole = tail === '' ? text : text.slice(0, -tail.length)
  const controlled: Control[] = []
  let removed = 0
  const plain = whole.replaceAll(controls, (control: string, offset: number) => {
    controlled.push({ at: offset - removed, text: control })
    removed += control.length
    return ''
  })
  return { plain, controlled, tail }
}

/** Builds the output in order. The control sequences of a dropped part follow its placeholder. */
function outputBuilder(plain: string, controlled: readonly Control[]) {
  let output = ''
  let next = 0
  const upTo = (start: number, end: number, isShown: boolean): string => {
    let text = ''
    let at = start
    for (let control = controlled[next]; control !== undefined && control.at < end; control = controlled[next]) {
      text += (isShown ? plain.slice(at, control.at) : '') + control.text
      at = control.at
      next += 1
    }
    return text + (isShown ? plain.slice(at, end) : '')
  }
  return {
    show: (start: number, end: number): void => {
      if (end > start) output += upTo(start, end, true)
    },
    drop: (start: number, end: number, placeholder: string): void => {
      output += upTo(start, start + 1, false) + placeholder
      if (end > start) output += upTo(start, end, false)
    },
    /** The control sequences after the text. */
    showControls: (): void => {
      output += upTo(plain.length, Infinity, false)
    },
    /** The text from here on, with its control sequences; those at the very end too. */
    from: (start: number): string => upTo(start, Infinity, true),
    text: () => output,
  }
}
