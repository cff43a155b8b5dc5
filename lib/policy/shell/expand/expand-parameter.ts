// Computes the value of a parameter expansion such as `$X`, `${X:-y}` or `${X%/*}` from the state.
import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash'
import { anyName, anyText, hasMarks, ownJob } from '../model/word-marks.ts'
import type { ShellState } from '../model/shell-state.ts'

/** A single value, or the elements of `$@` and of arrays. */
export type ParameterValue = string | readonly string[]

export interface ParameterScope {
  readonly state: ShellState
  readonly home: string
  /** Expands a word as in an assignment: one text. */
  expand(word: Word): string
  /** As `expand`, of arithmetic. */
  evaluate(word: Word): string
}

/** Names that the shell sets to something short without slashes. */
const short = new Set(
  `? # $ - RANDOM SRANDOM SECONDS EPOCHSECONDS EPOCHREALTIME LINENO UID EUID PPID BASHPID SHLVL USER LOGNAME HOSTNAME HOSTTYPE
  OSTYPE MACHTYPE COLUMNS LINES`.split(/\s+/),
)

/** The value of a variable or special parameter, with marks. */
export function lookUp(name: string, { state, home }: Pick<ParameterScope, 'state' | 'home'>): ParameterValue {
  if (name === '@' || name === '*') return state.positional ?? [anyText]
  if (name === '#') return state.positional === undefined ? anyName : String(state.positional.length)
  if (/^[1-9]\d*$/.test(name)) return state.positional === undefined ? anyText : (state.positional[+name - 1] ?? '')
  if (name === '0') return state.variables.get('0') ?? 'bash'
  if (name === '!') return ownJob
  const value = state.variables.get(name)
  if (value !== undefined) return value
  if (name === 'PWD') return state.cwds?.length === 1 ? (state.cwds[0] ?? anyText) : anyText
  if (name === 'HOME') return home
  if (name === 'TMPDIR') return '/tmp'
  if (name === 'SHELL' || name === 'BASH') return 'bash'
  if (name === 'IFS') return ' \t\n'
  return short.has(name) ? anyName : anyText
}

/** True if the variable was set by the command itself or by the known environment. */
function isSet(name: string, { state }: ParameterScope): boolean | undefined {
  const value = state.variables.get(name)
  if (value !== undefined) return value === anyText ? undefined : true
  return /^[1-9]\d*$/.test(name) && state.positional !== undefined ? state.positional.length >= +name : undefined
}

/** The value of a whole `${…}`. */
export function parameterValue(part: ParameterExpansionPart, scope: ParameterScope): ParameterValue {
  const index = part.index === undefined ? undefined : scope.evaluate(part.index)
  let value = lookUp(part.parameter, scope)
  if (typeof value !== 'string') {
    if (index === undefined && part.parameter !== '@' && part.parameter !== '*') value = value[0] ?? ''
    else if (index !== undefined && index !== '@' && index !== '*') value = elementOf(value, index)
  }
  if (part.prefix === '#') return typeof value === 'string' && !hasMarks(value) ? String(value.length) : anyName
  if (part.prefix === '!') {
    if (typeof value !== 'string' || hasMarks(value) || part.operation !== undefined) return anyText
    return /^\w+$/.test(value) ? lookUp(value, scope) : anyText
  }
  if (part.operation === undefined) return value
  if (part.operation.type === 'Default') return withDefault(part.parameter, value, part.operation, scope)
  const operation = part.operation
  const expand = (word: Word): string => (operation.type === 'Slice' ? scope.evaluate(word) : scope.expand(word))
  const operands = operandsOf(operation).map((word) => (word === undefined ? undefined : expand(word)))
  if (typeof value !== 'string') return value.map((each) => operated(each, operation, operands))
  return operated(value, operation, operands)
}

function elementOf(list: readonly string[], index: string): string {
  return /^-?\d+$/.test(index) ? (list.at(+index) ?? '') : anyText
}

type DefaultOperation = Extract<ParameterOperation, { type: 'Default' }>

function withDefault(name: string, value: ParameterValue, operation: DefaultOperation, scope: ParameterScope) {
  const operand = scope.expand(operation.operand)
  const isEmptyUnset = operation.operator.startsWith(':')
  const set = isSet(name, scope)
  const usesValue = set === undefined ? undefined : set && !(isEmptyUnset && value.length === 0)
  const kind = operation.operator.at(-1)
  if (kind === '+') return usesValue === undefined ? anyText : usesValue ? operand : ''
  if (usesValue === true) return value
  if (usesValue === undefined) return anyText
  if (kind === '=') scope.state.variables.set(name, operand)
  return kind === '?' ? anyText : operand
}

function operandsOf(operation: ParameterOperation): readonly (Word | undefined)[] {
  if (operation.type === 'Remove') return [operation.operand]
  if (operation.type === 'Replace') return [operation.pattern, operation.replacement]
  if (operation.type === 'Slice') return [operation.offset, operation.length]
  return operation.type === 'CaseModification' ? [operation.operand] : []
}

function operated(value: string, operation: ParameterOperation, operands: readonly (string | undefined)[]): string {
  const [first = '', second] = operands
  if (operation.type === 'Remove') return removed(value, operation.operator, first)
  if (hasMarks(value) || hasMarks(first) || (second !== undefined && hasMarks(second))) return anyText
  switch (operation.type) {
    case 'Replace':
      if (/[*?[\\]/.test(first) || first === '') return anyText
      if (operation.operator === '//') return value.replaceAll(first, () => second ?? '')
      return operation.operator === '/' ? value.replace(first, () => second ?? '') : anyText
    case 'Slice':
      return sliced(value, first, second)
    case 'CaseModification':
      if (operands[0] !== undefined) return anyText
      if (operation.operator === '^^') return value.toUpperCase()
      if (operation.operator === ',,') return value.toLowerCase()
      return `${operation.operator === '^' ? value.slice(0, 1).toUpperCase() : value.slice(0, 1).toLowerCase()}${value.slice(1)}`
    default:
      return anyText
  }
}

function sliced(value: string, offset: string, length: string | undefined): string {
  const from = offset.trim()
  const size = length?.trim()
  if (!/^-?\d+$/.test(from) || (size !== undefined && !/^-?\d+$/.test(size))) return anyText
  const rest = value.slice(+from)
  if (size === undefined) return rest
  return rest.slice(0, +size)
}

/** Removes a literal, or one `*` with literal text beside it; the value may have marks. */
function removed(value: string, operator: '#' | '##' | '%' | '%%', source: string): string {
  const pattern = source
  const isFront = operator.startsWith('#')
  if (!hasMarks(pattern) && !/[*?[\\]/.test(pattern)) {
    if (isFront && value.startsWith(pattern)) return value.slice(pattern.length)
    if (!isFront && value.endsWith(pattern)) return value.slice(0, value.length - pattern.length)
    return hasMarks(value) ? anyText : value
  }
  const literal = pattern.replace(isFront ? /^[*\uE003]/ : /[*\uE003]$/, '')
  if (literal === '' || literal.length === pattern.length || hasMarks(literal) || /[*?[\\]/.test(literal))
    return anyText
  const isGreedy = operator.length === 2
  const at = isFront === isGreedy ? value.lastIndexOf(literal) : value.indexOf(literal)
  if (at < 0 || hasMarks(value.slice(isFront ? 0 : at, isFront ? at : undefined).replaceAll('\uE003', ''))) {
    return hasMarks(value) ? anyText : value
  }
  return isFront ? value.slice(at + literal.length) : value.slice(0, at)
}
