// Defines the form of a credential: a fixed beginning, a class of characters and a length.
// Guarantees: matching a shape looks at a bounded number of characters, each once.

/** The part of a text that is a secret, and how it goes on after `end`. */
export interface ShapeMatch {
  readonly start: number
  readonly end: number
  /** Characters of the same secret after `end`: a class of them, or the lines of a private key. */
  readonly rest?: CharacterClass | 'key lines'
}

/** `more`: the next piece decides. Undefined: no secret. */
export type ShapeVerdict = ShapeMatch | 'more' | undefined

export interface SecretShape {
  /** The text in the placeholder. */
  readonly kind: string
  /** Texts with which the shape begins. */
  readonly prefixes: readonly string[]
  /** True: no letter, digit, `_` or `-` may precede it. */
  readonly isWord: boolean
  /** An example, for the documentation and the tests; built so that it is not a real key. */
  readonly example: string
  /** @param from the index after the prefix; @param isLast true: no text follows */
  match(text: string, start: number, from: number, isLast: boolean): ShapeVerdict
}

export type CharacterClass = Uint8Array

/** Characters below 128; any other one ends a secret. */
export function characterClass(pattern: RegExp): CharacterClass {
  return Uint8Array.from({ length: 128 }, (_, code) => (pattern.test(String.fromCodePoint(code)) ? 1 : 0))
}

export function isIn(characters: CharacterClass, code: number): boolean {
  return code < 128 && characters[code] === 1
}

/** The characters that may not precede or follow a word. */
export const wordCharacters = characterClass(/[\w-]/)

interface TokenForm {
  readonly characters: CharacterClass
  /** Characters after the prefix. */
  readonly min: number
  /** Default: no limit. With one, a longer run is not a secret. */
  readonly max?: number
  /** True: one of the first `min` + 20 characters is a digit, so that words with dashes do not match. */
  readonly hasDigit?: boolean
}

export function token(kind: string, prefixes: readonly string[], form: TokenForm, isWord = true): SecretShape {
  const { characters, min, max, hasDigit = false } = form
  return {
    kind,
    prefixes,
    isWord,
    example: `${prefixes[0] ?? ''}${exampleBody(characters, max ?? min)}`,
    match: (text, start, from, isLast) => {
      const limit = Math.min(text.length, from + (max === undefined ? min + 20 : max + 1))
      let digit = !hasDigit
      let end = from
      for (; end < limit; end += 1) {
        const code = text.charCodeAt(end)
        if (!isIn(characters, code)) break
        digit ||= isDigit(code)
        if (max === undefined && digit && end - from + 1 >= min) return { start, end: end + 1, rest: characters }
      }
      if (end === text.length && !isLast) return end - from > (max ?? Infinity) ? undefined : 'more'
      const length = end - from
      if (length < min || length > (max ?? Infinity) || !digit) return undefined
      return isIn(wordCharacters, text.charCodeAt(end)) ? undefined : { start, end }
    },
  }
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57
}

export function isLetter(code: number): boolean {
  return (code | 32) >= 97 && (code | 32) <= 122
}

/** Characters of the class in a fixed order that no real key has. */
function exampleBody(characters: CharacterClass, length: number): string {
  const all = 'E1x2A3m4P5l6E7abcdef890'
  const usable = all.replaceAll(/./g, (each) => (isIn(characters, each.charCodeAt(0)) ? each : ''))
  return usable.repeat(Math.ceil(length / usable.length)).slice(0, length)
}
