// Predicts what a command prints, as far as its words and its input decide it.
import { Buffer } from 'node:buffer'
import {
  anyFolders,
  anyGlob,
  anyName,
  anyText,
  environmentText,
  hasFreeText,
  hasMarks,
  hasUnknown,
  networkText,
  ownJob,
  rawText,
  shellText,
  withoutMarks,
} from '../model/word-marks.ts'
import { basename, dirname, resolvePattern } from '../model/path-patterns.ts'
import type { ShellState } from '../model/shell-state.ts'
import { findOutput } from './find-targets.ts'
import { counted, echoed, printed } from './print-output.ts'
import { variablesOutput } from './variables-output.ts'

const downloaders = new Set([
  'curl',
  'wget',
  'http',
  'https',
  'httpie',
  'xh',
  'aria2c',
  'lynx',
  'w3m',
  'links',
  'fetch',
  'irm',
  'iwr',
])
const connections = new Set(['nc', 'ncat', 'netcat', 'socat', 'telnet', 'openssl'])
const receivers = new Set(['ssh', 'ftp', 'dig', 'nslookup', 'host'])
const readingShells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash'])
const listers = new Set(['fd', 'rg', 'grep', 'ls'])
/** Commands that print one short name or number. */
const namers = new Set(
  'nproc lsof pgrep whoami id hostname uname arch seq wc date sha256sum md5sum uuidgen cksum tty expr'.split(' '),
)

/** Output with marks and without added line ends; `stdin` is the text that the command reads. */
export function commandOutput(words: readonly string[], stdin: string | undefined, state: ShellState): string {
  const [name = '', ...args] = words
  const program = basename(name)
  const operands = args.filter((word) => !word.startsWith('-'))
  if (downloaders.has(program) || (receivers.has(program) && operands.length > 0)) return networkText
  if (connections.has(program) && operands.length > 0 && (program !== 'openssl' || args[0] === 's_client'))
    return `${networkText}${rawText}`
  if (readingShells.has(program) && operands.length === 0) return shellText
  switch (program) {
    case 'echo':
      return echoed(args)
    case 'printf':
      return printed(args[0] === '--' ? args.slice(1) : args)
    case 'cat':
      return catenated(operands, stdin, state)
    case 'tee':
    case 'sudo':
      return stdin ?? anyText
    case 'pwd':
      return state.cwds?.length === 1 ? (state.cwds[0] ?? anyText) : anyText
    case 'which':
      return programPath(operands[0])
    case 'command':
    case 'type':
      return /^-[vpP]$/.test(args[0] ?? '') ? programPath(operands[0]) : anyText
    case 'mktemp':
      return temporaryPath(args, state)
    case 'basename':
      return operands.length === 1 && !hasUnknown(operands[0] ?? '') ? basename(operands[0] ?? '') : anyName
    case 'dirname':
      return operands.length === 1 ? dirname(operands[0] ?? '') : anyText
    case 'realpath':
    case 'readlink':
      return operands.length === 1 && state.cwds?.length === 1
        ? resolvePattern(operands[0] ?? '', state.cwds[0] ?? '/')
        : anyText
    case 'find':
      return findOutput(args, state.cwds)
    case 'seq':
      return counted(args)
    case 'jobs':
      return args[0] === '-p' ? ownJob : anyText
    case 'git':
      return gitListing(args)
    default:
      if (listers.has(program)) return listed(program, args, operands)
      if (namers.has(program)) return stdin === undefined || !stdin.includes(networkText) ? anyName : networkText
      return variablesOutput(program, args) ?? filtered(program, args, stdin)
  }
}

/** The folder of a program, as far as it matters: its name decides. */
function programPath(name: string | undefined): string {
  if (name === undefined) return anyText
  return /^[\w.-]+$/.test(name) ? `/usr/bin/${name}` : name
}

/** Names below the searched folder. `ls` gives the names of a folder without the folder. */
function listed(program: string, args: readonly string[], operands: readonly string[]): string {
  if (program === 'ls') return args.some((word) => /^-\w*[lsi]/.test(word)) ? anyText : anyGlob
  const isListing = program === 'fd' || args.some((word) => /^(?:-\w*l\w*|--files(?:-with-matches)?)$/.test(word))
  const folder = program === 'fd' || !args.includes('--files') ? operands[1] : operands[0]
  return isListing ? `${folder ?? '.'}/${anyFolders}/${anyGlob}` : anyText
}

function gitListing(args: readonly string[]): string {
  const [verb, ...rest] = args
  const isListing = verb === 'ls-files' || (verb === 'diff' && rest.includes('--name-only'))
  if (isListing || (verb === 'grep' && rest.some((word) => /^-\w*l/.test(word)))) return `${anyFolders}/${anyGlob}`
  return verb === 'rev-parse' && !rest.some((word) => /^--(?:show|git)/.test(word)) ? anyName : anyText
}

/** Output of a filter. What it makes of downloaded text counts as downloaded. */
function filtered(program: string, args: readonly string[], stdin: string | undefined): string {
  if (stdin === undefined) return anyText
  if (stdin.includes(environmentText)) return environmentText
  if (stdin.includes(networkText)) return stdin.includes(rawText) ? `${networkText}${rawText}` : networkText
  if (/^(?:sort|uniq|head|tail|grep|egrep|sed|awk)$/.test(program) && !hasFreeText(stdin) && hasMarks(stdin)) {
    return program === 'sed' || program === 'awk' ? anyText : stdin
  }
  if (hasMarks(stdin)) return anyText
  const flags = args.filter((word) => word.startsWith('-')).join(' ')
  if (program === 'rev')
    return stdin
      .split('\n')
      .map((line) => Array.from(line).reverse().join(''))
      .join('\n')
  if ((program === 'base64' || program === 'base32') && /(?:^|\s)(?:-d|-D|--d)/.test(flags)) {
    return program === 'base64' ? decoded(Buffer.from(stdin, 'base64')) : anyText
  }
  if (program === 'xxd' && /r/.test(flags)) return decoded(Buffer.from(stdin.replaceAll(/\s/g, ''), 'hex'))
  if (program === 'tr') return translated(args, stdin)
  return anyText
}

function decoded(bytes: Buffer): string {
  return withoutMarks(bytes.toString('utf8')).trimEnd()
}

/** `tr` with two literal sets of equal length, or `-d` with one. */
function translated(args: readonly string[], stdin: string): string {
  const [from = '', to = ''] = args
  if (from === '-d' && !/[\\[-]/.test(to))
    return Array.from(stdin)
      .filter((each) => !to.includes(each))
      .join('')
  const source = letters(from)
  const target = letters(to)
  if (source === undefined || target === undefined || source.length !== target.length) return anyText
  return Array.from(stdin)
    .map((each) => (source.includes(each) ? target[source.lastIndexOf(each)] : each))
    .join('')
}

/** The characters of a set such as `a-zA-Z`; undefined if it has escapes or classes. */
function letters(set: string): string | undefined {
  if (/[[\]\\]/.test(set) || hasMarks(set)) return undefined
  return set.replaceAll(/(.)-(.)/g, (_, from: string, to: string) => {
    const first = from.charCodeAt(0)
    const size = Math.min(to.charCodeAt(0) - first + 1, 256)
    return size > 0 ? String.fromCharCode(...Array.from({ length: size }, (_each, index) => first + index)) : ''
  })
}

function catenated(operands: readonly string[], stdin: string | undefined, state: ShellState): string {
  if (operands.length === 0 || (operands.length === 1 && operands[0] === '-')) return stdin ?? anyText
  const texts = operands.map((word) => fileContent(word, state))
  return texts.some((text) => text === undefined) ? anyText : texts.join('\n')
}

/** Text of a file that the command wrote itself. */
export function fileContent(word: string, state: ShellState): string | undefined {
  if (state.cwds === undefined && !word.startsWith('/')) return undefined
  for (const cwd of state.cwds ?? ['/']) {
    const text = state.files.get(resolvePattern(word, cwd))
    if (text !== undefined) return text
  }
  return undefined
}

function temporaryPath(args: readonly string[], state: ShellState): string {
  const template = args.findLast((word) => word.includes('XXX'))
  const folder = args.some((word) => word.startsWith('-p') || word.startsWith('--tmpdir='))
  if (folder) return anyText
  if (template === undefined) return `/tmp/tmp.${anyName}`
  const name = template.replace(/X{3,}/, anyName)
  if (args.includes('-t')) return `/tmp/${basename(name)}`
  return resolvePattern(name, state.cwds?.[0] ?? anyText)
}
