// Finds the position of a JSON syntax error.
// Guarantees: the text is not quoted, unlike in the engine's message: a configuration file may hold keys.

interface JsonFault {
  /** Counted from 1. */
  readonly line: number
  /** Counted from 1, in UTF-16 units. */
  readonly column: number
  /** As in `a value is expected`. */
  readonly problem: string
}

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | 'colon' | 'next'

const space = /[ \t\n\r]*/y
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** The first syntax error of a text (RFC 8259); `undefined` if it is valid JSON. */
export function jsonFault(source: string): JsonFault | undefined {
  const problem = scanJson(source)
  if (problem === undefined) return undefined
  const before = source.slice(0, problem.position).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, problem: problem.text }
}

/** `it is not JSON (line 1, column 1: a value is expected)`, for a text that `JSON.parse` refused. */
export function describeJsonFault(source: string): string {
  const fault = jsonFault(source)
  return fault === undefined
    ? 'it is not JSON'
    : `it is not JSON (line ${fault.line}, column ${fault.column}: ${fault.problem})`
}

function scanJson(source: string): { readonly position: number; readonly text: string } | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let position = 0

  function take(pattern: RegExp): boolean {
    pattern.lastIndex = position
    const matched = pattern.test(source)
    if (matched) position = pattern.lastIndex
    return matched
  }

  /** The expectation after the next token; `undefined` if the token does not fit. */
  function step(): Expected | undefined {
    const character = source[position]
    const closes = closingBracket(open.at(-1))
    if (character === closes && (expected === 'next' || expected.endsWith(closes ?? ''))) {
      open.pop()
      position += 1
      return 'next'
    }
    if (expected === 'next') {
      if (character !== ',' || closes === undefined) return undefined
      position += 1
      return closes === '}' ? 'name' : 'value'
    }
    if (expected.startsWith('name')) return take(string) ? 'colon' : undefined
    if (expected === 'colon') return take(/:/y) ? 'value' : undefined
    if (character !== '{' && character !== '[') return take(string) || take(scalar) ? 'next' : undefined
    open.push(character)
    position += 1
    return character === '{' ? 'name or }' : 'value or ]'
  }

  for (take(space); position < source.length; take(space)) {
    const next = step()
    if (next === undefined) return { position, text: problemAt(source[position], expected, open.at(-1)) }
    expected = next
  }
  return expected === 'next' && open.length === 0 ? undefined : { position, text: 'the text ends too early' }
}

function closingBracket(bracket: '{' | '[' | undefined): '}' | ']' | undefined {
  return bracket === undefined ? undefined : bracket === '{' ? '}' : ']'
}

function problemAt(character: string | undefined, expected: Expected, open: '{' | '[' | undefined): string {
  if (expected === 'next') {
    const closes = closingBracket(open)
    return closes === undefined ? 'nothing may follow the end' : `a comma or ${closes} is expected`
  }
  if (expected === 'colon') return 'a colon is expected'
  if (character === '"') return 'the string does not end in its line, or has an invalid escape'
  return expected.startsWith('name') ? 'a name in double quotes is expected' : 'a value is expected'
}
