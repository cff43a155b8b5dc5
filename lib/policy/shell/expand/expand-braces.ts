// Expands the braces of a word's source text: `a{b,c}` and `{1..3}`, first of all as in bash.
// Guarantees: at most `maxBraceWords` words; beyond them the result is undefined.

/** Maximum of words that one word may become. */
export const maxBraceWords = 512

/** The texts of the resulting words, in order; undefined if there are too many. */
export function expandBraces(text: string, depth = 0): readonly string[] | undefined {
  if (depth > 16) return undefined
  for (let at = 0; at < text.length; at = next(text, at)) {
    if (text[at] !== '{' || (at > 0 && text[at - 1] === '$')) continue
    const group = braceGroup(text, at)
    const inner = group === undefined ? undefined : alternatives(group)
    if (group === undefined || inner === undefined) continue
    const tails = expandBraces(text.slice(group.end), depth + 1)
    const heads = inner.length > maxBraceWords ? undefined : inner.map((each) => expandBraces(each, depth + 1))
    if (tails === undefined || heads === undefined) return undefined
    const middle: string[] = []
    for (const head of heads) {
      if (head === undefined) return undefined
      middle.push(...head)
    }
    if (middle.length * tails.length > maxBraceWords) return undefined
    return middle.flatMap((part) => tails.map((tail) => `${text.slice(0, at)}${part}${tail}`))
  }
  return [text]
}

interface BraceGroup {
  /** Texts between the commas of this level. */
  readonly parts: readonly string[]
  /** Behind the closing brace. */
  readonly end: number
}

/** The group that opens at `start`; undefined if it does not close. */
function braceGroup(text: string, start: number): BraceGroup | undefined {
  const parts: string[] = []
  let from = start + 1
  let level = 0
  for (let at = start + 1; at < text.length; at = next(text, at)) {
    const character = text[at]
    if (character === '{') level++
    else if (character === '}' && level > 0) level--
    else if (character === ',' && level === 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    } else if (character === '}') return { parts: [...parts, text.slice(from, at)], end: at + 1 }
  }
  return undefined
}

/** The group's alternatives; undefined if it is not an expansion, such as `{}` or `{a}`. */
function alternatives({ parts }: BraceGroup): readonly string[] | undefined {
  if (parts.length > 1) return parts
  const range = /^(-?\d{1,6}|[a-zA-Z])\.\.(-?\d{1,6}|[a-zA-Z])(?:\.\.(-?\d{1,6}))?$/.exec(parts[0] ?? '')
  if (range === null) return undefined
  const [, from = '', to = '', step = '1'] = range
  const isNumeric = /\d$/.test(from) && /\d$/.test(to)
  if (!isNumeric && (/\d$/.test(from) || /\d$/.test(to))) return undefined
  const first = isNumeric ? Number(from) : from.charCodeAt(0)
  const last = isNumeric ? Number(to) : to.charCodeAt(0)
  const stride = Math.max(1, Math.abs(Number(step)))
  const count = Math.min(Math.floor(Math.abs(last - first) / stride) + 1, maxBraceWords + 1)
  return Array.from({ length: count }, (_, index) => {
    const value = first + index * stride * Math.sign(last - first)
    return isNumeric ? String(value) : String.fromCharCode(value)
  })
}

/** The position after the character at `at`, or after the quotes or the substitution that begin there. */
function next(text: string, at: number): number {
  const character = text[at]
  if (character === '\\') return at + 2
  if (character === "'" || character === '"' || character === '`') return closing(text, at + 1, character) + 1
  if (character === '$' && (text[at + 1] === '(' || text[at + 1] === '{')) {
    return closingBracket(text, at + 1) + 1
  }
  return at + 1
}

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\' && quote !== "'") at++
    else if (text[at] === quote) return at
  }
  return text.length
}

function closingBracket(text: string, start: number): number {
  const open = text[start]
  const close = open === '(' ? ')' : '}'
  let level = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '\\') at++
    else if (character === "'" || character === '"') at = closing(text, at + 1, character)
    else if (character === open) level++
    else if (character === close && --level === 0) return at
  }
  return text.length
}
