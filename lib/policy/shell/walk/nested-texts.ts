// Finds texts that a program passes to a shell: `su -c`, `git -c alias.x=!…`, `tar` actions.
import { anyText, networkText, wordSource } from '../model/word-marks.ts'
import { literals, optionValue } from '../model/option-value.ts'
import type { ShellState } from '../model/shell-state.ts'
import { consoleTexts } from './console-texts.ts'
import { gitTexts } from './git-texts.ts'
import { guessedTexts } from './guessed-texts.ts'
import { makeVariables, projectTexts } from './project-texts.ts'

export interface NestedText {
  readonly text: string
  readonly isRemote: boolean
  /** The text may be no command at all. */
  readonly isGuess?: boolean
}

/** Options whose value a shell reads, or whose value is a program with words. */
const textOptions: Readonly<Record<string, readonly string[]>> = {
  su: ['-c', '--command'],
  runuser: ['-c', '--command'],
  script: ['-c', '--command'],
  flock: ['-c', '--command'],
  sg: ['-c'],
  newgrp: ['-c'],
  npx: ['-c', '--call'],
  npm: ['-c', '--call'],
  nodemon: ['--exec', '-x'],
  rg: ['--pre'],
  man: ['-P', '--pager'],
  tar: ['--to-command', '-I', '--use-compress-program', '--rsh-command', '--info-script', '-F'],
  sort: ['--compress-program'],
  rsync: ['-e', '--rsh', '--rsync-path'],
  scp: ['-S'],
  sftp: ['-S'],
  entr: ['-s'],
  'nix-shell': ['--run', '--command'],
  nix: ['-c', '--command'],
  capsh: ['-c'],
  just: ['--command', '-c'],
  xterm: ['-e'],
  konsole: ['-e'],
  alacritty: ['-e', '--command'],
  'xfce4-terminal': ['-e', '-x', '--command'],
  mapfile: ['-C'],
  readarray: ['-C'],
  zip: ['-TT', '--unzip-command'],
  wget: ['--use-askpass'],
  go: ['-exec', '-toolexec'],
  fzf: ['--preview'],
  watchman: ['--'],
  git: ['--upload-pack', '--receive-pack', '--exec', '-x', '--extcmd'],
  osascript: [],
}

/**
 * All texts of a call that a shell reads; words may have marks.
 * @param wraps the program runs the command in its words (wrapper-table.ts): they are not searched for a command again
 */
export function nestedTexts(
  program: string,
  args: readonly string[],
  stdin: string | undefined,
  state: ShellState,
  wraps: boolean,
): readonly NestedText[] {
  const texts = [
    ...textsByProgram(program, args, stdin),
    ...consoleTexts(program, args, stdin),
    ...projectTexts(program, args, stdin, state),
  ]
  const far = remoteTexts(program, args)
  for (const option of Object.hasOwn(textOptions, program) ? (textOptions[program] ?? []) : []) {
    const value = optionValue(args, [option])
    if (value !== undefined) texts.push(value)
  }
  return [
    ...texts.map((text) => ({ text: wordSource(text), isRemote: false })),
    ...far.map((text) => ({ text: wordSource(text), isRemote: true })),
    ...[...makeVariables(program, args), ...guessedTexts(program, args, wraps)].map((text) => ({
      text: wordSource(text),
      isRemote: false,
      isGuess: true,
    })),
  ]
}

/** Texts that a shell on another machine reads. */
function remoteTexts(program: string, args: readonly string[]): readonly string[] {
  const [first = '', second = ''] = args
  const names: Readonly<Record<string, readonly [condition: boolean, ...options: string[]]>> = {
    vagrant: [first === 'ssh', '-c', '--command'],
    gcloud: [args.includes('ssh'), '--command'],
    fly: [first === 'ssh' && second === 'console', '-C', '--command'],
    flyctl: [first === 'ssh' && second === 'console', '-C', '--command'],
    eb: [first === 'ssh', '-c', '--command'],
    az: [args.includes('run-command'), '--scripts'],
    ansible: [
      args.some((word) => /^(?:(?:-m|--module-name=)?(?:ansible\.builtin\.)?(?:shell|command|raw|script))$/.test(word)),
      '-a',
      '--args',
    ],
  }
  const [isCall = false, ...options] = (Object.hasOwn(names, program) ? names[program] : undefined) ?? []
  const value = isCall ? optionValue(args, options) : undefined
  return value === undefined ? [] : [value]
}

/** Texts that need more than the value of an option to find. */
function textsByProgram(program: string, args: readonly string[], stdin: string | undefined): string[] {
  switch (program) {
    case 'git':
      return gitTexts(args)
    case 'tar':
      return args.flatMap((word) => /^(?:--checkpoint-action=)?exec=(.*)$/s.exec(word)?.[1] ?? [])
    case 'ssh':
    case 'scp':
    case 'sftp':
      return args.flatMap((word) => /(?:ProxyCommand|LocalCommand|KnownHostsCommand)[= ](.*)$/is.exec(word)?.[1] ?? [])
    case 'at':
    case 'batch':
      return stdin === undefined ? [] : [stdin]
    case 'crontab':
      return stdin === undefined ? [] : stdin.includes(networkText) ? [stdin] : cronTexts(stdin)
    case 'tmux':
      return tmuxTexts(args)
    case 'screen':
      return args[args.indexOf('-X') + 1] === 'stuff' ? args.slice(-1) : []
    case 'awk':
    case 'gawk':
    case 'mawk':
    case 'nawk':
      return awkTexts(args)
    case 'sed':
    case 'gsed':
      return sedTexts(args)
    default:
      return []
  }
}

/** Commands of the lines of a crontab: what follows the five fields or `@daily`. */
function cronTexts(stdin: string): string[] {
  return stdin.split('\n').flatMap((line) => {
    const words = line.trim().split(/\s+/)
    const skipped = words[0]?.startsWith('@') === true ? 1 : 5
    return words.length > skipped && !line.trim().startsWith('#') ? [words.slice(skipped).join(' ')] : []
  })
}

function tmuxTexts(args: readonly string[]): string[] {
  const [verb, ...rest] = args
  const last = rest.filter((word) => !/^(?:Enter|C-m)$/.test(word)).at(-1)
  if (
    !/^(?:new|new-session|neww|new-window|split-window|splitw|send|send-keys|run|run-shell|respawn-pane)$/.test(
      verb ?? '',
    )
  )
    return []
  return last === undefined || last.startsWith('-') || !last.includes(' ') ? [] : [last]
}

/** String literals of an awk program that runs commands. */
function awkTexts(args: readonly string[]): string[] {
  const program = args.find((word) => /system|\||getline/.test(word))
  if (program === undefined || !/\bsystem\s*\(|\|\s*(?:"|getline|&)|"\s*\|/.test(program)) return []
  const values = args.flatMap((word, index) => (args[index - 1] === '-v' ? [word.slice(word.indexOf('=') + 1)] : []))
  const texts = literals(program, '"')
  // Adjacent texts make one text.
  return [...texts, ...values, ...(texts.length > 1 ? [texts.join('')] : [])]
}

/** Commands of sed's `e`: `1e rm` and `s/x/rm y/e`. */
function sedTexts(args: readonly string[]): string[] {
  return args.flatMap((word) => {
    const direct = /^(?:[\d$,]*)e\s+(.+)$/s.exec(word)?.[1]
    if (direct !== undefined) return [direct]
    const substitution = /^[\d$,]*s([^\w\s])/.exec(word)
    const delimiter = substitution?.[1]
    if (delimiter === undefined) return []
    const parts = splitAt(word.slice(word.indexOf(delimiter)), delimiter)
    return /e/.test(parts[3]?.split(/[;\s]/, 1)[0] ?? '') ? [parts[2] ?? anyText] : []
  })
}

/** Parts between delimiters; an escaped delimiter belongs to its part. */
function splitAt(text: string, delimiter: string): readonly string[] {
  const parts = ['']
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\' && text[at + 1] === delimiter) at++
    else if (text[at] === delimiter) {
      parts.push('')
      continue
    }
    parts.push(`${parts.pop() ?? ''}${text[at] ?? ''}`)
  }
  return parts
}
