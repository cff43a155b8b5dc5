// Parses a command line into one invocation, or fails with one message that names the wrong argument.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { authInvocation } from './auth-arguments.ts'
import {
  commandOptions,
  filled,
  folderOf,
  formatOf,
  laterCommands,
  laterOptions,
  namesOf,
  needsPrompt,
  only,
  positive,
  positiveWhole,
  serverOptions,
  sessionOf,
  sessionsOptions,
  thinkingOf,
  timeoutOf,
  wrong,
} from './command-options.ts'
import type { OptionValues } from './command-options.ts'
import { configInvocation } from './config-arguments.ts'
import type {
  DoctorInvocation,
  Invocation,
  PrintInvocation,
  SessionChoice,
  ToolInvocation,
  UiInvocation,
} from './invocation.ts'
import { modelsInvocation } from './models-arguments.ts'
import { serverCommands, serverInvocation } from './server-arguments.ts'
import { sessionsInvocation } from './sessions-arguments.ts'
import { describeThrown } from '../../lib/streams/values/failure.ts'

interface Parsed {
  readonly values: OptionValues
  /** Arguments that are neither an option nor its value, in order; `literal` after `--`. */
  readonly words: readonly { readonly text: string; readonly literal: boolean }[]
}

const commands = ['tool', 'auth', 'config', 'sessions', 'models', 'doctor', 'protocol', ...serverCommands] as const

/** @throws Failure `bad_request` */
export function parseCommandLine(commandLine: readonly string[]): Invocation {
  const [first = ''] = commandLine
  const { values, words } = parse(commandLine)
  if (values.version === true) return { mode: 'version' }
  const command = commands.find((name) => name === first)
  if (values.help === true) return { mode: 'help', topic: command ?? 'rxpi' }
  const later = laterOptions.find((name) => values[name] !== undefined)
  if (later !== undefined) throw wrong(`this version does not support --${later} yet`)
  if (laterCommands.includes(first)) throw wrong(`this version does not support "rxpi ${first}" yet`)
  if (command === 'tool') return toolInvocation(values, textsOf(words.slice(1)))
  if (command === 'sessions') {
    return sessionsInvocation(values, textsOf(words.slice(1)))
  }
  if (command === 'auth') return authInvocation(values, textsOf(words.slice(1)))
  if (command === 'config') return configInvocation(values, textsOf(words.slice(1)))
  if (command === 'models') return modelsInvocation(values, textsOf(words.slice(1)))
  if (command === 'doctor') return doctorInvocation(values, textsOf(words.slice(1)))
  if (command === 'protocol') return protocolInvocation(values, textsOf(words.slice(1)))
  if (command !== undefined) return serverInvocation(command, values, textsOf(words.slice(1)))
  return printInvocation({ values, words })
}

function parse(commandLine: readonly string[]): Parsed {
  try {
    const { values, tokens } = parseArgs({
      args: [...commandLine],
      options: commandOptions,
      allowPositionals: true,
      tokens: true,
    })
    const end = tokens.find((token) => token.kind === 'option-terminator')?.index ?? commandLine.length
    const words = tokens.flatMap((token) =>
      token.kind === 'positional' ? [{ text: token.value, literal: token.index > end }] : [],
    )
    return { values, words }
  } catch (error) {
    throw wrong(`${parseProblem(error)}; see rxpi --help`)
  }
}

/**
 * Formats the error of `parseArgs` as one line; leaves out its advice about unknown options, which does not fit rxpi.
 */
function parseProblem(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const line = error.message.replaceAll('\n', ' ').replace(/\.$/, '')
  const isUnknown = 'code' in error && error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
  return isUnknown ? `${line.split('. ')[0] ?? line} (a prompt that begins with a dash goes after --)` : line
}

function textsOf(words: Parsed['words']): readonly string[] {
  return words.map(({ text }) => text)
}

function toolInvocation(values: OptionValues, words: readonly string[]): ToolInvocation {
  only('tool', values, ['cwd', 'json'])
  const [name, args = '{}', ...rest] = words
  if (name === undefined) throw wrong(`tool needs a name: rxpi tool read '{"path":"README.md"}'`)
  if (rest.length > 0) throw wrong(`tool takes a name and one JSON object; unexpected argument "${rest[0] ?? ''}"`)
  return { mode: 'tool', name, args: objectOf(args), cwd: folderOf(values.cwd), json: values.json === true }
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  } catch (error) {
    throw wrong(`the tool's arguments are not JSON: ${describeThrown(error)}`)
  }
  throw wrong(`the tool's arguments must be a JSON object, not ${text}`)
}

function doctorInvocation(values: OptionValues, words: readonly string[]): DoctorInvocation {
  only('doctor', values, ['cwd', 'json', 'model'])
  if (words.length > 0) throw wrong(`doctor takes options only; unexpected argument "${words[0] ?? ''}"`)
  const model = filled('model', values.model)
  const json = values.json === true
  return { mode: 'doctor', cwd: folderOf(values.cwd), json, ...(model === undefined ? {} : { model }) }
}

function protocolInvocation(values: OptionValues, words: readonly string[]): Invocation {
  only('protocol', values, ['json-schema'])
  if (words.length > 0) throw wrong(`protocol takes options only; unexpected argument "${words[0] ?? ''}"`)
  if (values['json-schema'] !== true)
    throw wrong('protocol needs --json-schema; docs/protocol.md describes the protocol in words')
  return { mode: 'protocol' }
}

function printInvocation({ values, words }: Parsed): PrintInvocation | Invocation {
  if (values.json === true) throw wrong('--json works with commands that print reports; for a run, use --mode json')
  const foreign = sessionsOptions.find((name) => values[name] !== undefined)
  if (foreign !== undefined) throw wrong(`--${foreign} works with rxpi sessions only; see rxpi sessions --help`)
  const served = serverOptions.find((name) => values[name] !== undefined)
  if (served !== undefined) throw wrong(`--${served} works with server commands only; see rxpi --help`)
  if (values['json-schema'] === true) throw wrong('--json-schema works with rxpi protocol only')
  if (values.add === true) throw wrong('--add works with rxpi auth set only')
  const isPrint = values.print === true || values.mode !== undefined
  const [word] = words
  if (!isPrint && word !== undefined) throw unknownWord(word.text)
  if (isPrint && values.resume === true)
    throw wrong('--resume opens a list in the terminal UI; with -p, use -c or --session')
  const turns = positiveWhole('max-turns', values['max-turns'])
  const usd = positive('max-usd', values['max-usd'])
  const timeoutMs = timeoutOf(values.timeout)
  const socket = filled('socket', values.socket)
  const outputSchema = filled('output-schema', values['output-schema'])
  const invocation: PrintInvocation = {
    mode: 'print',
    format: formatOf(values.mode),
    choice: sessionChoice(values),
    words: textsOf(words.filter((each) => !isFile(each))).join(' '),
    files: textsOf(words.filter(isFile)).map((name) => name.slice(1)),
    stdin: values['no-stdin'] === true ? 'ignored' : isPrint ? 'added' : 'only',
    limits: { ...(turns === undefined ? {} : { turns }), ...(usd === undefined ? {} : { usd }) },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(outputSchema === undefined ? {} : { outputSchema: resolve(outputSchema) }),
    ...(socket === undefined ? {} : { socket }),
    ...(values.resume === true ? { resume: true } : {}),
  }
  const [option] = Object.keys(values)
  if (isPrint || option === undefined) return invocation
  if (invocation.stdin === 'ignored') throw needsPrompt(option)
  return { ...invocation, loneOption: option }
}

function isFile({ text, literal }: Parsed['words'][number]): boolean {
  return !literal && text.length > 1 && text.startsWith('@')
}

function unknownWord(word: string): Error {
  const prompt = word.includes(' ') ? word : `${word} …`
  return wrong(`there is no command "${word}"; to ask the model, write: rxpi -p "${prompt}"`)
}

function sessionChoice(values: OptionValues): SessionChoice {
  const session = sessionOf(values.session)
  const chosen = [
    session === undefined ? [] : ['--session'],
    values.continue === true ? ['--continue'] : [],
    values['no-session'] === true ? ['--no-session'] : [],
  ].flat()
  if (chosen.length > 1) throw wrong(`${chosen.join(' and ')} cannot be used together`)
  if (session !== undefined && values.cwd !== undefined)
    throw wrong('--session uses the folder of the session; remove --cwd')
  const model = filled('model', values.model)
  const thinkingLevel = thinkingOf(values.thinking)
  const tools = namesOf(values.tools)
  return {
    cwd: folderOf(values.cwd),
    from: session === undefined ? fromFlags(values) : { session },
    ...(model === undefined ? {} : { model }),
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(tools === undefined ? {} : { tools }),
    ...(values.system === undefined ? {} : { system: values.system }),
  }
}

function fromFlags(values: OptionValues): 'latest' | 'unstored' | 'new' {
  if (values.continue === true) return 'latest'
  return values['no-session'] === true ? 'unstored' : 'new'
}

// Checks the options of the terminal UI: those that choose a session are allowed, those that limit one run are not.

/** @throws Failure `bad_request` if an option needs `-p`; the message names it */
export function uiInvocation({ choice, limits, timeoutMs, socket, resume }: PrintInvocation): UiInvocation {
  const limitOptions = { 'max-turns': limits.turns, 'max-usd': limits.usd, timeout: timeoutMs }
  for (const [name, value] of Object.entries(limitOptions)) {
    if (value !== undefined) throw wrong(`--${name} limits one run: it needs -p and a prompt`)
  }
  return { choice, ...(resume === undefined ? {} : { resume }), ...(socket === undefined ? {} : { socket }) }
}
