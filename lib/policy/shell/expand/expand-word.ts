// Expands the words of a command without a disk: braces, tildes, parameters, splitting and globs.
import { forEachChild, parse } from 'unbash'
import type { ParsedScript, ProcessSubstitutionPart, SyntaxNode, Word, WordPart } from 'unbash'
import { anyCharacter, anyGlob, anyName, anyText, anyWords, withGlobs, withoutMarks } from '../model/word-marks.ts'
import type { ShellState } from '../model/shell-state.ts'
import { expandBraces } from './expand-braces.ts'
import { lookUp, parameterValue } from './expand-parameter.ts'
import type { ParameterValue } from './expand-parameter.ts'

export interface ExpandScope {
  readonly state: ShellState
  readonly home: string
  /** Evaluates a command substitution and returns its output. */
  substitute(script: ParsedScript): string
  /** Evaluates a process substitution and returns the path that stands for it. */
  openProcess(part: ProcessSubstitutionPart): string
  /** Reports text that could not be expanded, or is expanded twice. */
  onLimit(text: string): void
  /** True while there may be more words. */
  spend(words: number): boolean
}

/** All fields of a word, in order. Unquoted empty expansions give none. */
export function expandWord(word: Word, scope: ExpandScope): readonly string[] {
  if (word.parts?.some(({ type }) => type === 'BraceExpansion') === true) return expandBraced(word, scope)
  const fields = new FieldBuilder(separators(scope))
  appendParts(word, scope, fields)
  return fields.end()
}

/** The text of a word that is not split, as in an assignment. */
export function expandText(word: Word, scope: ExpandScope): string {
  const fields = new FieldBuilder('')
  appendParts(word, scope, fields)
  return fields.end().join(' ')
}

/** The text of a word that bash evaluates as arithmetic: quotes keep no substitution in it from running. */
export function expandEvaluated(word: Word, scope: ExpandScope): string {
  reportQuoted(word, scope)
  return expandText(word, scope)
}

/** Reports quoted substitutions that run all the same. Those inside of `$(…)` are a script's own. */
function reportQuoted(node: SyntaxNode, scope: ExpandScope): void {
  if (node.type === 'SingleQuoted' || node.type === 'AnsiCQuoted') {
    if (/`|\$[({[]/.test(node.value)) scope.onLimit(node.text)
  } else if (!/^(?:CommandExpansion|ArithmeticCommandExpansion|ProcessSubstitution)$/.test(node.type)) {
    forEachChild(node, (child) => reportQuoted(child, scope))
  }
}

/** The text of a here-document's body. */
export function expandParts(parts: readonly WordPart[], scope: ExpandScope): string {
  const fields = new FieldBuilder('')
  for (const part of parts) appendPart(part, scope, fields, true)
  return fields.end().join(' ')
}

/** Evaluates all substitutions below a node whose value does not matter, such as arithmetic. */
export function runSubstitutions(node: SyntaxNode, scope: ExpandScope): void {
  if (node.type === 'CommandExpansion' || node.type === 'ArithmeticCommandExpansion') {
    if (node.script !== undefined) scope.substitute(node.script)
  } else if (node.type === 'ProcessSubstitution') scope.openProcess(node)
  else if (node.type === 'Word') expandWord(node, scope)
  else if (node.type === 'ArithmeticWord') {
    reportQuoted(node, scope)
    forEachChild(node, (child) => runSubstitutions(child, scope))
  } else forEachChild(node, (child) => runSubstitutions(child, scope))
}

function expandBraced(word: Word, scope: ExpandScope): readonly string[] {
  const texts = expandBraces(word.text)
  if (texts === undefined || !scope.spend(texts.length)) {
    scope.onLimit(word.text)
    return [anyWords]
  }
  return texts.flatMap((text) => {
    const statement = parse(`: ${text}`).commands[0]?.command
    const parsed = statement?.type === 'Command' ? statement.args : []
    return parsed.flatMap((each) => {
      if (each.type !== 'Word') return [withoutMarks(each.text)]
      const fields = new FieldBuilder(separators(scope))
      appendParts(each, scope, fields)
      return fields.end()
    })
  })
}

function separators({ state, home }: ExpandScope): string {
  const value = lookUp('IFS', { state, home })
  return typeof value === 'string' ? value : anyText
}

function appendParts(word: Word, scope: ExpandScope, fields: FieldBuilder): void {
  const parts: readonly WordPart[] = word.parts ?? [
    { type: 'Literal', pos: word.pos, end: word.end, value: word.value, text: word.text },
  ]
  parts.forEach((part, index) => {
    if (index === 0 && part.type === 'Literal' && part.text.startsWith('~')) {
      const isWhole = parts.length === 1 || part.text.includes('/')
      fields.append(isWhole ? expandTilde(part.value, scope) : `${anyText}${part.value}`)
    } else appendPart(part, scope, fields, false)
  })
}

function expandTilde(value: string, { state, home }: ExpandScope): string {
  const end = value.includes('/') ? value.indexOf('/') : value.length
  const user = value.slice(1, end)
  const rest = value.slice(end)
  if (user === '') {
    const folder = lookUp('HOME', { state, home })
    return `${typeof folder === 'string' ? folder : home}${rest}`
  }
  if (user === '+') return `${state.cwds?.length === 1 ? state.cwds[0] : anyText}${rest}`
  if (user === '-') return `${anyText}${rest}`
  return `${user === 'root' ? '/root' : `/home/${user}`}${rest}`
}

function appendPart(part: WordPart, scope: ExpandScope, fields: FieldBuilder, isQuoted: boolean): void {
  switch (part.type) {
    case 'Literal': {
      fields.append(part.value)
      return
    }
    case 'SingleQuoted':
    case 'AnsiCQuoted': {
      fields.append(withoutMarks(part.value))
      return
    }
    case 'DoubleQuoted':
    case 'LocaleString':
      fields.append('')
      for (const child of part.parts) appendPart(child, scope, fields, true)
      return
    case 'Glob': {
      fields.append(part.kind === 'star' ? anyGlob : anyCharacter)
      return
    }
    case 'ExtendedGlob':
      runSubstitutionsOf(part.parts, scope)
      {
        fields.append(part.operator === '!' || /[()]/.test(part.pattern) ? anyText : anyGlob)
        return
      }
    case 'ArithmeticExpansion':
      runSubstitutions(part, scope)
      {
        fields.append(anyName)
        return
      }
    case 'ProcessSubstitution': {
      fields.append(scope.openProcess(part))
      return
    }
    case 'BraceExpansion': {
      fields.append(withoutMarks(part.text))
      return
    }
    default: {
      appendValue(expansionValue(part, scope, isQuoted), fields, isQuoted)
      return
    }
  }
}

function runSubstitutionsOf(parts: readonly WordPart[] | undefined, scope: ExpandScope): void {
  for (const part of parts ?? []) runSubstitutions(part, scope)
}

type Expansion = Extract<WordPart, { type: 'SimpleExpansion' | 'ParameterExpansion' | 'CommandExpansion' }>

function expansionValue(part: Expansion, scope: ExpandScope, isQuoted: boolean): ParameterValue {
  if (part.type === 'SimpleExpansion') {
    const value = lookUp(part.text.slice(1), scope)
    return typeof value === 'string' || /[@*]$/.test(part.text) ? value : (value[0] ?? '')
  }
  if (part.type === 'CommandExpansion') return part.script === undefined ? anyText : scope.substitute(part.script)
  if (part.operation?.type === 'Transform' && /P/.test(part.text.slice(-3))) scope.onLimit(part.text)
  // within quotes and here-documents, other quotes of a default are characters
  if (isQuoted && part.operation?.type === 'Default') reportQuoted(part.operation.operand, scope)
  return parameterValue(part, {
    ...scope,
    expand: (word) => expandText(word, scope),
    evaluate: (word) => expandEvaluated(word, scope),
  })
}

function appendValue(value: ParameterValue, fields: FieldBuilder, isQuoted: boolean): void {
  const values = typeof value === 'string' ? [value] : value
  values.forEach((each, index) => {
    if (index > 0) fields.cut()
    if (isQuoted) fields.append(each)
    else fields.appendSplit(each)
  })
}

/** Collects the fields of one word. */
class FieldBuilder {
  private readonly fields: string[] = []
  private current: string | undefined
  private readonly separators: string

  constructor(separators: string) {
    this.separators = separators
  }

  append(text: string): void {
    this.current = (this.current ?? '') + text
  }

  /** Text of an unquoted expansion: split at the separators, globs expanded, unknown text may be several words. */
  appendSplit(text: string): void {
    const source = withGlobs(text)
    if (this.separators === '' && source === '') return
    if (this.separators === '' || this.separators.includes(anyText)) {
      this.append(this.separators === '' ? source : anyWords)
      return
    }
    let piece = ''
    for (const character of source) {
      if (this.separators.includes(character)) {
        if (piece !== '') this.append(piece)
        piece = ''
        this.cut()
      } else piece += character === anyText ? anyWords : character
    }
    if (piece !== '') this.append(piece)
  }

  cut(): void {
    if (this.current !== undefined) this.fields.push(this.current)
    this.current = undefined
  }

  end(): readonly string[] {
    this.cut()
    return this.fields
  }
}
