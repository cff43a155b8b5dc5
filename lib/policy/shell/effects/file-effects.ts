// Reports the files that a call visibly reads and writes, by its redirections and its words.
import { planFind } from '../expand/find-targets.ts'
import type { Evaluator, Invocation } from '../model/evaluator.ts'
import { basename } from '../model/path-patterns.ts'
import { mountWords } from '../model/mount-words.ts'
import { optionValue } from '../model/option-value.ts'
import type { ShellState } from '../model/shell-state.ts'
import { fileWords } from './file-words.ts'

/** Programs whose operands are all written, changed or removed. */
const writers = new Set(
  `rm rmdir unlink shred truncate touch mkdir tee sponge mkfifo mknod grm srm rimraf trash gzip gunzip bzip2 xz zstd vi vim nvim
  nano emacs ed ex code patch setfacl chattr xattr`.split(/\s+/),
)
/** Programs whose first operand is a mode or an owner and whose others change. */
const changers = new Set(['chmod', 'chown', 'chgrp'])
const copiers = new Set(['cp', 'mv', 'ln', 'install', 'rsync', 'scp', 'ditto'])
/** Their words are texts, names or programs, not files. */
const silent = new Set(
  `echo printf cd pushd popd test [ true false : exit return export unset declare local readonly typeset set shift alias unalias
  eval sudo doas env nice nohup time timeout xargs parallel command builtin exec watch type which command kill pkill sleep wait
  jobs fg bg trap read let getopts umask ulimit docker podman kubectl npm npx pnpm yarn bun pip cargo go make gh apt apt-get brew
  systemctl curl wget ssh seq date expr hash help history man apropos basename dirname su runuser crontab`.split(/\s+/),
)

export function reportEffects(run: Evaluator, invocation: Invocation, state: ShellState): void {
  if (state.isRemote) return
  for (const { mode, target } of invocation.redirections) {
    if (target === undefined || /^\/dev\/(?:tcp|udp|null|stdout|stderr|tty|fd)(?:\/|$)/.test(target)) continue
    if (mode === 'write' || mode === 'both') run.write(target, state)
    if (mode === 'read' || mode === 'both') run.read(target, state)
  }
  const [name, ...args] = invocation.words
  if (name === undefined) return
  if (name.includes('/') && !/^\/(?:usr\/(?:local\/)?)?s?bin\//.test(name)) run.read(name, state)
  const program = basename(name)
  const words = fileWords(program, args)
  for (const word of writtenWords(program, args, words)) if (word !== '' && word !== '-') run.write(word, state)
  for (const word of readWords(program, args, words)) if (isPath(word)) run.read(word, state)
}

function writtenWords(program: string, args: readonly string[], words: readonly string[]): readonly string[] {
  const operands = args.filter((word) => !word.startsWith('-'))
  if (writers.has(program)) return operands
  if (changers.has(program)) return operands.slice(args.some((word) => word.startsWith('--reference=')) ? 0 : 1)
  if (copiers.has(program)) return copied(program, args, operands)
  switch (program) {
    case 'dd':
      return args.filter((word) => word.startsWith('of=')).map((word) => word.slice(3))
    case 'sed':
    case 'gsed':
      return args.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/.test(word)) ? words : []
    case 'perl':
    case 'ruby':
      return args.some((word) => /^-\w*i/.test(word)) ? operands.slice(1) : []
    case 'find':
      return [...planFind(args).files, ...(planFind(args).deletes ? planFind(args).selected : [])]
    case 'sort':
    case 'gcc':
    case 'cc':
    case 'clang':
      return value(args, ['-o', '--output'])
    case 'curl':
      return value(args, ['-o', '--output', '-D', '-c', '--output-dir'])
    case 'wget':
      return value(args, ['-O', '--output-document', '-P', '-o'])
    case 'tar':
      return tarWrites(args, operands)
    case 'unzip':
      return value(args, ['-d'])
    case 'zip':
    case 'split':
      return operands.slice(0, 1)
    case 'ssh-keygen':
      return value(args, ['-f'])
    case 'git':
      return gitWrites(args)
    default:
      return []
  }
}

function value(args: readonly string[], names: readonly string[]): readonly string[] {
  const text = optionValue(args, names)
  return text === undefined ? [] : [text]
}

/** The destination; `mv` takes its sources away too. */
function copied(program: string, args: readonly string[], operands: readonly string[]): readonly string[] {
  const folder = optionValue(args, ['-t', '--target-directory'])
  const target = folder === undefined ? operands.slice(-1) : [folder]
  const local = target.filter((word) => !/^[\w.@-]+:/.test(word))
  if (program === 'ln' && operands.length === 1) return [basename(operands[0] ?? '')]
  const inFolder = operands.slice(0, -1).map((word) => `${target[0] ?? '.'}/${basename(word)}`)
  return program === 'mv'
    ? [...local, ...inFolder, ...operands.slice(0, -1)]
    : [...local, ...(local.length > 0 ? inFolder : [])]
}

function tarWrites(args: readonly string[], operands: readonly string[]): readonly string[] {
  const flags = args[0] ?? ''
  if (/x/.test(flags) || args.includes('--extract'))
    return optionValue(args, ['-C', '--directory']) === undefined ? ['.'] : value(args, ['-C', '--directory'])
  return /c/.test(flags)
    ? [...value(args, ['-f', '--file']), ...(flags.startsWith('-') ? [] : operands.slice(1, 2))]
    : []
}

function gitWrites(args: readonly string[]): readonly string[] {
  const at = args.indexOf('config')
  if (at < 0 || at > 4) return []
  const rest = args.slice(at + 1)
  const file = optionValue(rest, ['-f', '--file'])
  const isReading =
    rest.some((word) => /^(?:--get.*|--list|-l|get|list)$/.test(word)) ||
    rest.filter((word) => !word.startsWith('-')).length < 2
  const isUnset = rest.some((word) => /^(?:--unset|--remove-section|unset|edit|--edit|-e)/.test(word))
  if (isReading && !isUnset) return []
  if (file !== undefined) return [file]
  return [rest.includes('--global') ? '~/.gitconfig' : rest.includes('--system') ? '/etc/gitconfig' : '.git/config']
}

function readWords(program: string, args: readonly string[], words: readonly string[]): readonly string[] {
  if (program === 'curl') return args.flatMap((word) => /^(?:[\w-]+=)?@(.+)$/.exec(word)?.[1] ?? [])
  if (program === 'find') return planFind(args).starts
  if (/^(?:docker|podman|nerdctl)$/.test(program)) return mountWords(args).map(({ source }) => source)
  if (program === 'dd') return args.filter((word) => word.startsWith('if=')).map((word) => word.slice(3))
  if (copiers.has(program)) return args.filter((word) => !word.startsWith('-')).slice(0, -1)
  return silent.has(program) || writers.has(program) || changers.has(program) ? [] : words
}

/** Addresses and remote paths are not files. */
function isPath(word: string): boolean {
  return word !== '' && word !== '-' && !word.includes('://') && !/^[\w.-]+@[\w.-]+:/.test(word) && word.length < 4_096
}
