// Rejects options that a command does not take; the message names the commands that do.
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'
import { badRequest, optionNames } from './command-options.ts'
import type { OptionName, OptionValues } from './command-options.ts'

/** Options of `rxpi sessions` actions only; those that other commands take too have rows of their own. */
const sessionsOptions: readonly OptionName[] = [
  'all',
  'entry',
  'new-file',
  'summarise',
  'restore-files',
  'format',
  'output',
  'speed',
  'max-pause',
]

/** Options of server commands only. */
const serverOptions: readonly OptionName[] = [
  'idle-exit',
  'rest-after',
  'proxy',
  'proxy-host',
  'proxy-model',
  'proxy-origin',
  'http-host',
  'http-origin',
  'http-unsafe',
  'web',
  'tail',
  'after',
]

/** Options by the commands that take them. */
const foreignOptions: readonly (readonly [commands: string, options: readonly OptionName[]])[] = [
  ['rxpi sessions only; see rxpi sessions --help', sessionsOptions],
  ['server commands only; see rxpi --help', serverOptions],
  ['rxpi protocol only', ['json-schema']],
  ['rxpi serve and rxpi mcp serve only', ['http']],
  ['rxpi auth set only', ['add']],
  ['rxpi auth login only', ['domain']],
  ['rxpi models update only', ['check', 'reset']],
  ['rxpi policy import and rxpi mcp import only', ['write']],
  ['rxpi sessions and rxpi mcp add only', ['force']],
  ['rxpi sessions and rxpi import pi only', ['dry-run']],
  ['rxpi import pi only', ['from', 'keys', 'with-sessions']],
  ['rxpi mcp add only; see rxpi mcp --help', ['env', 'header', 'transport']],
  ['rxpi extensions only; see rxpi extensions --help', ['dev', 'isolate', 'reason', 'may-replace', 'limit']],
]

/** The options of a run and of the terminal UI. */
export function runOptions(): OptionName[] {
  const foreign = new Set<OptionName>(['json', ...foreignOptions.flatMap(([, options]) => options)])
  return optionNames.filter((name) => !foreign.has(name))
}

/** @throws Failure `bad_request` for an option that no run takes */
export function rejectForeignOptions(values: OptionValues): void {
  for (const [commands, options] of foreignOptions) {
    const foreign = options.find((name) => values[name] !== undefined)
    if (foreign !== undefined) throw badRequest(`--${foreign} works with ${commands}`)
  }
}

/** Rejects options that the command does not support. */
export function rejectOtherOptions(
  command: string,
  values: OptionValues,
  allowed: readonly OptionName[],
  action?: string,
): void {
  const foreign = Object.keys(values).find((name) => !allowed.some((each) => each === name))
  const named = action === undefined ? command : `${command} ${action}`
  if (foreign === undefined) return
  const near = didYouMean(foreign, allowed, (name) => `--${name}`)
  throw badRequest(
    `"rxpi ${named}" has no option --${foreign}${near === '' ? '; see' : `${near} See`} rxpi ${command} --help`,
  )
}
