// Words the errors of `parseArgs`, and reads a negative number after an option as its value.
import { commandOptions } from './command-options.ts'
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'
import { getOwn } from '../../lib/streams/values/json.ts'

const optionTypes: Readonly<Record<string, { readonly type: string } | undefined>> = commandOptions

/** Joins `--timeout -1` to `--timeout=-1`, so that the option's own check refuses the number. */
export function joinNegativeNumbers(commandLine: readonly string[]): string[] {
  const end = commandLine.indexOf('--')
  const options = end === -1 ? commandLine : commandLine.slice(0, end)
  const joined: string[] = []
  for (const each of options) {
    const before = joined.at(-1) ?? ''
    const takesValue = before.startsWith('--') && getOwn(optionTypes, before.slice(2))?.type === 'string'
    if (takesValue && /^-\d/.test(each)) joined.splice(-1, 1, `${before}=${each}`)
    else joined.push(each)
  }
  return [...joined, ...commandLine.slice(options.length)]
}

/**
 * One sentence that names the option and what to do.
 * @param command the one whose help is named; default: rxpi itself
 */
export function describeParseError(error: unknown, command?: string): string {
  const help = command === undefined ? 'rxpi --help' : `rxpi ${command} --help`
  const message = error instanceof Error ? error.message : ''
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const option = /--[^\s',=]+/.exec(message)?.[0] ?? /'(-[^']*)'/.exec(message)?.[1]
  if (option === undefined) return `the options cannot be read; see ${help}`
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return describeUnknown(option, help)
  if (message.includes('does not take an argument')) return `${option} takes no value; see ${help}`
  return message.includes('ambiguous')
    ? `${option} needs a value, and another option follows; a value that begins with a dash is written ${option}=-…`
    : `${option} needs a value; see ${help}`
}

function describeUnknown(option: string, help: string): string {
  const near = didYouMean(option.replace(/^-+/, ''), Object.keys(commandOptions), (name) => `--${name}`)
  const advice = `A prompt that begins with a dash goes after --; see ${help}`
  return `there is no option ${option}${near === '' ? '.' : near} ${advice}`
}
