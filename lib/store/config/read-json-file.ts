// Reads and checks a JSON configuration file.
// Guarantees: it is accepted whole or not at all, and an error quotes no value.
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { OpenWarning } from '../../streams/ports/session-log.ts'
import type { Checked } from '../../streams/schema/compiled-validator.ts'

export interface JsonFile<Value> {
  readonly value: Value
  readonly warnings: readonly OpenWarning[]
}

/**
 * Reads a file of this user and checks it against its schema. Warns if others may write it.
 * @param missing the value of a missing file
 * @throws Failure `bad_config` naming file, key and reason
 */
export function readJsonFile<Value>(
  file: string,
  check: (value: unknown) => Checked<Value>,
  missing: Value,
): JsonFile<Value> {
  const read = readWhole(file)
  if (read === undefined) return { value: missing, warnings: [] }
  const checked = check(parseJson(file, read.text))
  if (!checked.ok) throw badConfig(file, checked.problem)
  return { value: checked.value, warnings: read.warnings }
}

function readWhole(file: string): { readonly text: string; readonly warnings: OpenWarning[] } | undefined {
  try {
    // without O_NONBLOCK, opening a pipe would wait for a writer
    const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY)
    try {
      const status = fstatSync(descriptor)
      if (!status.isFile()) throw new Error('it is not a regular file')
      const { mode, uid } = status
      const text = readFileSync(descriptor, 'utf8').replace(/^\ufeff/, '')
      return { text, warnings: checkWritableByOthers(file, mode, uid) }
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    if (errnoOf(cause) === 'ENOENT' || errnoOf(cause) === 'ENOTDIR') return undefined
    throw new Failure('bad_config', `${file} could not be read: ${describeThrown(cause)}`, { cause })
  }
}

/**
 * Every user that can write these files chooses where keys are sent and which commands print them
 * (docs/design/security.md#S1).
 */
function checkWritableByOthers(file: string, mode: number, uid: number): OpenWarning[] {
  const owner = uid === 0 || uid === process.geteuid?.()
  if (owner && (mode & 0o022) === 0) return []
  const who = owner ? 'Other users may write' : 'Another user owns'
  const message = `${who} ${file}, which defines what rxpi may do and where keys are sent; make it private: chmod 600 ${file}`
  return [{ code: 'config_writable_by_others', message, context: { file } }]
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const fault = jsonFault(text) // the engine's message is left out: it quotes the text, which may hold keys
    const position = fault === undefined ? '' : ` (line ${fault.line}, column ${fault.column}: ${fault.problem})`
    throw badConfig(file, `it is not JSON${position}`)
  }
}

function badConfig(file: string, problem: string): Failure {
  return new Failure('bad_config', `${file} is not valid: ${problem}`, { data: { file, problem } })
}

// Finds the position of a JSON syntax error without quoting the text: a configuration file may hold keys, and the
// engine's message quotes them.

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
