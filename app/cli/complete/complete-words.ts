// Finds what can stand at the end of a command line: options, actions, values.
import { commandOptions, optionNames } from '../command-options.ts'
import type { OptionName } from '../command-options.ts'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import { sandboxModes } from '../../../lib/streams/ports/sandbox.ts'
import { thinkingLevels } from '../../../lib/streams/models/model.ts'
import { rootSyntax, toolNames } from './command-table.ts'
import type { CommandSyntax, ValueKind } from './command-table.ts'
import { descriptionsOf } from './help-descriptions.ts'

export interface Candidate {
  readonly value: string
  readonly text?: string
}

export interface Completion {
  /** The last word's text before the part to complete, for example `--model=`, `@`, or the tools before the last comma. */
  readonly before: string
  /** The part to complete; each candidate begins with it. */
  readonly typed: string
  readonly candidates: readonly Candidate[]
  /** Of the values that are to be looked up; fixed words are among the candidates. */
  readonly kinds: readonly ValueKind[]
}

const optionValues: Readonly<Partial<Record<OptionName, ValueKind>>> = {
  mode: ['text', 'json'],
  model: 'model',
  thinking: thinkingLevels,
  tools: toolNames,
  'may-replace': toolNames,
  session: 'session',
  system: 'file',
  'append-system': 'file',
  cwd: 'folder',
  from: 'folder',
  format: ['html', 'md', 'pi'],
  output: 'file',
  'output-schema': 'file',
  sandbox: sandboxModes,
  approve: approvalModes,
  socket: 'file',
  extension: 'file',
  keys: 'provider',
  transport: ['stdio', 'http', 'sse'],
}

const lists: readonly OptionName[] = ['tools', 'may-replace', 'keys']

/** The end of a line: a command or an action, and what stands before it. */
interface Cursor {
  readonly syntax: CommandSyntax
  /** Words after the command or action. */
  readonly words: number
  /** The option whose value the last word is. */
  readonly option?: OptionName
  /** After `--`, words are no options and no actions. */
  readonly isLiteral: boolean
}

/** @param line the words after `rxpi`; the last one is completed and can be '' */
export function completeWords(line: readonly string[]): Completion {
  const last = line.at(-1) ?? ''
  const cursor = cursorAfter(line.slice(0, -1))
  if (cursor.option !== undefined) return completeValue(cursor.option, '', last)
  const [, name = '', value] = cursor.isLiteral ? [] : (/^--([\w-]+)=(.*)$/s.exec(last) ?? [])
  const option = optionNames.find((each) => each === name)
  if (option !== undefined && value !== undefined) return completeValue(option, `--${option}=`, value)
  if (last.startsWith('-') && !cursor.isLiteral) return completeOption(cursor.syntax, last)
  return completeWord(cursor, last, line.length === 1)
}

function cursorAfter(words: readonly string[]): Cursor {
  let cursor: Cursor = { syntax: rootSyntax(), words: 0, isLiteral: false }
  for (const word of words) cursor = advance(cursor, word)
  return cursor
}

function advance({ syntax, words, option, isLiteral }: Cursor, word: string): Cursor {
  if (option !== undefined) return { syntax, words, isLiteral }
  if (word === '--' && !isLiteral) return { syntax, words, isLiteral: true }
  if (word.startsWith('-') && !isLiteral) {
    const named = optionNamed(word)
    const takesValue = named !== undefined && commandOptions[named].type === 'string' && !word.includes('=')
    return { syntax, words, isLiteral, ...(takesValue ? { option: named } : {}) }
  }
  const action = words === 0 && !isLiteral ? actionNamed(syntax, word) : undefined
  return action === undefined ? { syntax, words: words + 1, isLiteral } : { syntax: action, words: 0, isLiteral }
}

function actionNamed({ actions = {} }: CommandSyntax, word: string): CommandSyntax | undefined {
  return Object.hasOwn(actions, word) ? actions[word] : undefined
}

function optionNamed(word: string): OptionName | undefined {
  const [name = ''] = word.replace(/^--?/, '').split('=')
  return optionNames.find((each) => (word.startsWith('--') ? each === name : shortOf(each) === name))
}

function shortOf(name: OptionName): string | undefined {
  const option = commandOptions[name]
  return 'short' in option ? option.short : undefined
}

function completeOption({ topic, options }: CommandSyntax, typed: string): Completion {
  const described = descriptionsOf(topic).options
  const general = descriptionsOf('rxpi').options
  const named = [...options, 'help' as const].map((name) => {
    const text = described.get(name) ?? general.get(name)
    return { value: `--${name}`, ...(text === undefined ? {} : { text }) }
  })
  return { before: '', typed, candidates: named.filter(({ value }) => value.startsWith(typed)), kinds: [] }
}

function completeValue(option: OptionName, prefix: string, value: string): Completion {
  const kind = optionValues[option]
  const start = lists.includes(option) ? value.lastIndexOf(',') + 1 : 0
  return valuesOf(kind === undefined ? [] : [kind], prefix + value.slice(0, start), value.slice(start))
}

function completeWord({ syntax, words, isLiteral }: Cursor, typed: string, isFirst: boolean): Completion {
  const { topic, actions = {} } = syntax
  if (topic === 'rxpi' && typed.startsWith('@') && !isLiteral) return valuesOf(['file'], '@', typed.slice(1))
  const hasActions = words === 0 && !isLiteral && (topic !== 'rxpi' || isFirst)
  const named = hasActions ? Object.keys(actions).filter((name) => name.startsWith(typed)) : []
  const { candidates, ...rest } = valuesOf(syntax.words?.[words] ?? [], '', typed)
  const described = descriptionsOf(topic).actions
  const actionCandidates = named.map((name) => {
    const text = actionsText(actions[name]) ?? described.get(name)
    return text === undefined ? { value: name } : { value: name, text }
  })
  return { ...rest, candidates: [...actionCandidates, ...candidates] }
}

/** The actions of a command that has nothing else. */
function actionsText(syntax: CommandSyntax | undefined): string | undefined {
  if (syntax?.actions === undefined || syntax.options.length > 0) return undefined
  return Object.keys(syntax.actions).join(', ')
}

function valuesOf(kinds: readonly ValueKind[], before: string, typed: string): Completion {
  const fixed = kinds.flatMap((kind) => (typeof kind === 'string' ? [] : kind))
  const candidates = fixed.filter((value) => value.startsWith(typed)).map((value) => ({ value }))
  return { before, typed, candidates, kinds: kinds.filter((kind) => typeof kind === 'string') }
}
