// Parses the arguments of `rxpi sessions`: the action, its target and its options.
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'
import { searchLimit } from '../../lib/streams/values/identifiers.ts'
import { getOwn } from '../../lib/streams/values/json.ts'
import { badRequest, notSessionId, parseEntryId, parseFolder, parseSession, rejectMore } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'
import type { OptionName, OptionValues } from './command-options.ts'
import { contextActions } from './session-context-arguments.ts'
import type { ExportInvocation, SessionsInvocation } from './invocation.ts'

interface Action {
  /** Besides --json, which every action has. */
  readonly options: readonly OptionName[]
  /**
   * @param words arguments after the action
   * @throws Failure `bad_request`
   */
  invocation(words: readonly string[], values: OptionValues): ActionFields<SessionsInvocation>
}

/** An invocation without the fields that every action has. */
type ActionFields<Each> = Each extends unknown ? Omit<Each, 'mode' | 'json'> : never

export const sessionsActions: Readonly<Record<SessionsInvocation['action'], Action>> = {
  list: {
    options: ['all', 'cwd'],
    invocation: (words, { all = false, cwd }) => {
      rejectMore('list', words, 0)
      return { action: 'list', ...parseScope(all, cwd) }
    },
  },
  search: {
    options: ['all', 'cwd'],
    invocation: (words, { all = false, cwd }) => {
      const text = words.join(' ').trim()
      if (text === '' || text.length > searchLimit)
        throw badRequest(
          `sessions search needs a text of 1 to ${searchLimit} characters: rxpi sessions search --all flaky test`,
        )
      return { action: 'search', text, ...parseScope(all, cwd) }
    },
  },
  tree: { options: [], invocation: (words) => ({ action: 'tree', target: parseTargetOrLatest('tree', words) }) },
  show: {
    options: ['entry'],
    invocation: (words, { entry }) => ({
      action: 'show',
      target: parseTargetOrLatest('show', words),
      ...(entry === undefined ? {} : { entryId: parseEntryId(entry) }),
    }),
  },
  branch: {
    options: ['new-file', 'summarise', 'restore-files', 'dry-run', 'force'],
    invocation: (words, values) => {
      const session = parseSession('branch', words, 2)
      const entryId = parseEntryId(words[1] ?? '')
      const flags = parseBranchFlags(values)
      if (flags.restoreFiles) return { action: 'branch', session, toEntry: entryId, ...parseRewindFlags(values) }
      const { newFile, summarise } = flags
      return { action: 'branch', session, entryId, newFile, summarise }
    },
  },
  undo: {
    options: ['dry-run', 'force'],
    invocation: (words, values) => ({
      action: 'undo',
      session: words.length === 0 ? '' : parseSession('undo', words),
      ...parseRewindFlags(values),
    }),
  },
  ...contextActions,
  rename: {
    options: [],
    invocation: (words) => {
      const session = parseSession('rename', words, Infinity)
      if (words.length < 2) throw badRequest(`sessions rename needs a title; '' removes it`)
      return { action: 'rename', session, title: words.slice(1).join(' ') }
    },
  },
  label: {
    options: [],
    invocation: (words) => ({
      action: 'label',
      session: parseSession('label', words, Infinity),
      entryId: parseEntryId(words[1] ?? ''),
      label: words.length < 3 ? null : words.slice(2).join(' '),
    }),
  },
  switch: { options: [], invocation: (words) => ({ action: 'switch', session: parseSession('switch', words) }) },
  rm: { options: [], invocation: (words) => ({ action: 'rm', session: parseSession('rm', words) }) },
  export: {
    options: ['format', 'output', 'force'],
    invocation: (words, { format = 'html', output, force = false }) => ({
      action: 'export',
      target: parseTarget('export', words),
      format: parseExportFormat(format),
      ...parseExportTarget(output, force),
    }),
  },
  import: {
    options: ['cwd'],
    invocation: (words, { cwd }) => {
      rejectMore('import', words, 1)
      return { action: 'import', file: parseFile('sessions import', words[0] ?? ''), cwd: parseFolder(cwd) }
    },
  },
  replay: {
    options: ['speed', 'max-pause'],
    invocation: (words, { speed, 'max-pause': pause }) => ({
      action: 'replay',
      target: parseTarget('replay', words),
      ...(speed === undefined ? {} : { speed: parseSpeed(speed) }),
      ...(pause === undefined ? {} : { maxPauseMs: parsePause(pause) }),
    }),
  },
  verify: { options: [], invocation: (words) => ({ action: 'verify', target: parseTarget('verify', words) }) },
  repair: { options: [], invocation: (words) => ({ action: 'repair', target: parseTarget('repair', words) }) },
}

function parseScope(all: boolean, cwd: string | undefined): { readonly cwd?: string } {
  if (all && cwd !== undefined) throw badRequest('--all and --cwd cannot be used together')
  return all ? {} : { cwd: parseFolder(cwd) }
}

/**
 * @param words arguments after `sessions`
 * @throws Failure `bad_request`
 */
export function parseSessions(values: OptionValues, [word = '', ...words]: readonly string[]): SessionsInvocation {
  const name = actionNames().find((each) => each === word)
  if (name === undefined) throw unknownAction(word)
  const { options, invocation } = sessionsActions[name]
  rejectOtherOptions('sessions', values, ['json', ...options], name)
  return { mode: 'sessions', json: values.json === true, ...invocation(words, values) }
}

function unknownAction(word: string): Error {
  const near = didYouMean(word, actionNames(), (name) => `rxpi sessions ${name}`)
  const help = near === '' ? '; see rxpi sessions --help' : near
  return badRequest(`sessions needs one of ${actionNames().join(', ')}, not "${word}"${help}`)
}

function actionNames(): SessionsInvocation['action'][] {
  return Object.keys(sessionsActions) as SessionsInvocation['action'][] // the table has exactly these keys
}

const formats: Readonly<Record<string, ExportInvocation['format'] | undefined>> = {
  html: 'html',
  md: 'markdown',
  markdown: 'markdown',
  pi: 'pi',
}

function parseExportFormat(name: string): ExportInvocation['format'] {
  const format = getOwn(formats, name)
  if (format !== undefined) return format
  throw badRequest(`--format must be html, md or pi, not "${name}"`)
}

function parseExportTarget(output: string | undefined, force: boolean): Pick<ExportInvocation, 'to' | 'overwrite'> {
  if ((output === undefined || output === '-') && force)
    throw badRequest('--force needs -o: without it there is no file to replace')
  if (output === undefined || output === '-') return {} // standard output
  return { to: parseFile('--output', output), ...(force ? { overwrite: true } : {}) }
}

function parseSpeed(value: string): number {
  if (value === 'max') return 0
  const speed = /^\d+(\.\d+)?$/.test(value) ? Number(value) : 0
  if (speed >= 0.01 && speed <= 1_000_000) return speed
  throw badRequest(`--speed must be a number from 0.01 (1 is the recorded speed), or max, not "${value}"`)
}

function parsePause(value: string): number {
  const milliseconds = /^\d+(\.\d+)?$/.test(value) ? Math.round(Number(value) * 1_000) : Infinity
  if (milliseconds <= 2 ** 31 - 1) return milliseconds
  throw badRequest(`--max-pause must be a number of seconds, 2147483 at most, not "${value}"`)
}

function parseFile(what: string, name: string): string {
  if (name === '') throw badRequest(`${what} needs a file; see rxpi sessions --help`)
  return resolve(name)
}

interface BranchFlags {
  readonly newFile: boolean
  readonly summarise: boolean
  readonly restoreFiles: boolean
}

function parseBranchFlags(values: OptionValues): BranchFlags {
  const [newFile, summarise] = [values['new-file'] === true, values.summarise === true]
  const restoreFiles = values['restore-files'] === true
  if (newFile && summarise) throw badRequest('--new-file leaves no branch: there is nothing to summarise')
  if (newFile && restoreFiles)
    throw badRequest('--new-file leaves this session as it is: there are no files to restore')
  if (summarise && restoreFiles) throw badRequest('--summarise and --restore-files cannot be used together')
  const without = (['dry-run', 'force'] as const).find((name) => values[name] === true && !restoreFiles)
  if (without !== undefined) throw badRequest(`--${without} needs --restore-files`)
  return { newFile, summarise, restoreFiles }
}

function parseRewindFlags(values: OptionValues): { readonly dryRun: boolean; readonly force: boolean } {
  const [dryRun, force] = [values['dry-run'] === true, values.force === true]
  if (dryRun && force) throw badRequest('--dry-run changes nothing: there is nothing to force')
  return { dryRun, force }
}

function parseTarget(
  action: string,
  words: readonly string[],
): { readonly session: string } | { readonly file: string } {
  const [target] = words
  if (target === undefined || target === '') {
    throw badRequest(`sessions ${action} needs a session's id or its log's file: rxpi sessions ${action} abcdefghij23`)
  }
  rejectMore(action, words, 1)
  if (/^[a-z2-7]{12}$/.test(target)) return { session: target }
  const file = resolve(target)
  if (/[./\\]/.test(target) || existsSync(file)) return { file }
  throw notSessionId(target, `"${target}" is neither the id of a session (12 characters of a–z and 2–7) nor a file`)
}

function parseTargetOrLatest(action: string, words: readonly string[]): ReturnType<typeof parseTarget> {
  return words.length === 0 ? { session: '' } : parseTarget(action, words)
}
