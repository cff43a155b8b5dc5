// Parses a command line into one invocation, or fails with one message that names the wrong argument.
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { parseAcp } from './acp-arguments.ts'
import { parseAuth } from './auth-arguments.ts'
import {
  commandOptions,
  rejectEmpty,
  parseFolder,
  parseFormat,
  parseApprove,
  parseSandbox,
  parseScenario,
  parseExtensionPaths,
  parseList,
  promptRequired,
  parsePositive,
  parsePositiveInteger,
  parseSessionId,
  parseThinking,
  parseTimeout,
  badRequest,
} from './command-options.ts'
import type { OptionValues } from './command-options.ts'
import { rejectForeignOptions } from './option-scope.ts'
import { parseCompletions, parseContext, parseDoctor, parseProtocol, parseTool } from './plain-arguments.ts'
import { describeParseError, joinNegativeNumbers } from './parse-error.ts'
import { parseConfig, parseImport } from './config-arguments.ts'
import type { Invocation, PrintInvocation, SessionChoice } from './invocation.ts'
import { parseExtensions } from './extensions-arguments.ts'
import { parseMcp } from './mcp-arguments.ts'
import { parseModels } from './models-arguments.ts'
import { isPackageCommand, packageCommands, parsePackages } from './packages-arguments.ts'
import { parsePolicy } from './policy-arguments.ts'
import { isServerCommand, parseMcpServe, parseServerCommand, serverCommands } from './server-arguments.ts'
import { parseSessions } from './sessions-arguments.ts'
import { didYouMean } from '../../lib/streams/values/nearest-name.ts'

interface Parsed {
  readonly values: OptionValues
  /** Arguments that are neither an option nor its value, in order; `literal` after `--`. */
  readonly words: readonly { readonly text: string; readonly literal: boolean }[]
}

type ParseCommand = (values: OptionValues, words: readonly string[]) => Invocation

const parsers = {
  acp: parseAcp,
  tool: parseTool,
  auth: parseAuth,
  config: parseConfig,
  sessions: parseSessions,
  models: parseModels,
  policy: parsePolicy,
  extensions: parseExtensions,
  mcp: parseMcp,
  context: parseContext,
  import: parseImport,
  doctor: parseDoctor,
  protocol: parseProtocol,
  completions: parseCompletions,
} satisfies Readonly<Record<string, ParseCommand>>

const commandNames: readonly string[] = [...Object.keys(parsers), ...packageCommands, ...serverCommands]

/** @throws Failure `bad_request` */
export function parseCommandLine(commandLine: readonly string[]): Invocation {
  const [first = ''] = commandLine
  if (first === 'compact') return parseCommandLine(['sessions', ...commandLine])
  if (first === 'help') return parseCommandLine([...commandLine.slice(1), '--help'])
  const { values, words } = splitArguments(commandLine)
  if (values.version === true || first === 'version') return { mode: 'version' }
  const rest = textsOf(words.slice(1))
  const isOwn = hasParser(first)
  const isCommand = isOwn || isPackageCommand(first) || isServerCommand(first)
  if (first === 'mcp' && rest[0] === 'serve')
    return values.help === true ? { mode: 'help', topic: 'mcp-serve' } : parseMcpServe(values, rest.slice(1))
  if (values.help === true) return { mode: 'help', topic: isCommand ? first : 'rxpi' }
  if (isOwn) return parsers[first](values, rest)
  if (isPackageCommand(first)) return parsePackages(first, values, rest)
  return isServerCommand(first) ? parseServerCommand(first, values, rest) : parsePrint({ values, words })
}

function hasParser(word: string): word is keyof typeof parsers {
  return Object.hasOwn(parsers, word)
}

function splitArguments(commandLine: readonly string[]): Parsed {
  try {
    const { values, tokens } = parseArgs({
      args: joinNegativeNumbers(commandLine),
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
    const [first = ''] = commandLine
    throw badRequest(describeParseError(error, commandNames.includes(first) ? first : undefined))
  }
}

function textsOf(words: Parsed['words']): readonly string[] {
  return words.map(({ text }) => text)
}

function parsePrint({ values, words }: Parsed): PrintInvocation {
  if (values.json === true)
    throw badRequest('--json works with commands that print reports; for a run, use --mode json')
  rejectForeignOptions(values)
  const isPrint = values.print === true || values.mode !== undefined
  const [word] = words
  if (!isPrint && word !== undefined) rejectNoPrompt(word, values)
  if (isPrint && values.resume === true)
    throw badRequest('--resume opens a list in the terminal UI; with -p, use -c or --session')
  const turns = parsePositiveInteger('max-turns', values['max-turns'])
  const usd = parsePositive('max-usd', values['max-usd'])
  const timeoutMs = parseTimeout(values.timeout)
  const socket = rejectEmpty('socket', values.socket)
  const outputSchema = rejectEmpty('output-schema', values['output-schema'])
  const invocation: PrintInvocation = {
    mode: 'print',
    format: parseFormat(values.mode),
    choice: parseSessionChoice(values),
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
  if (isPrint || option === undefined || word !== undefined) return invocation
  if (invocation.stdin === 'ignored') throw promptRequired(option)
  return { ...invocation, loneOption: option }
}

/** Without `-p` a prompt is for the terminal UI. One word alone may be a misspelt command. */
function rejectNoPrompt(word: Parsed['words'][number], values: OptionValues): void {
  if (!word.literal && !isFile(word) && !/\s/.test(word.text)) throw unknownCommand(word.text)
  const limit = runLimits.find((name) => values[name] !== undefined)
  if (limit !== undefined) throw badRequest(`--${limit} is for one run: it needs -p beside the prompt`)
}

/** The options of one run, which the terminal UI does not have. */
const runLimits = ['max-turns', 'max-usd', 'timeout', 'output-schema'] as const

function isFile({ text, literal }: Parsed['words'][number]): boolean {
  return !literal && text.length > 1 && text.startsWith('@')
}

function unknownCommand(word: string): Error {
  const prompt = word.includes(' ') ? word : `${word} …`
  const near = didYouMean(word, commandNames, (name) => `rxpi ${name}`)
  const advice = near === '' ? '; to ask the model, write' : `${near} To ask the model, write`
  return badRequest(`there is no command "${word}"${advice}: rxpi -p "${prompt}"`)
}

function parseSessionChoice(values: OptionValues): SessionChoice {
  const session = parseSessionId(values.session)
  const chosen = [
    session === undefined ? [] : ['--session'],
    values.continue === true ? ['--continue'] : [],
    values['no-session'] === true ? ['--no-session'] : [],
  ].flat()
  if (chosen.length > 1) throw badRequest(`${chosen.join(' and ')} cannot be used together`)
  if (session !== undefined && values.cwd !== undefined)
    throw badRequest('--session uses the folder of the session; remove --cwd')
  const model = rejectEmpty('model', values.model)
  const thinkingLevel = parseThinking(values.thinking)
  const tools = parseList(values.tools)
  const approve = parseApprove(values.approve)
  const sandbox = parseSandbox(values.sandbox)
  const scenario = parseScenario(values.scenario)
  const appendSystem = values['append-system']
  const extensions = parseExtensionPaths(values.extension)
  return {
    cwd: parseFolder(values.cwd),
    from: session === undefined ? fromFlags(values) : { session },
    ...(model === undefined ? {} : { model }),
    ...(thinkingLevel === undefined ? {} : { thinkingLevel }),
    ...(tools === undefined ? {} : { tools }),
    ...(approve === undefined ? {} : { approve }),
    ...(sandbox === undefined ? {} : { sandbox }),
    ...(scenario === undefined ? {} : { scenario }),
    ...(extensions === undefined ? {} : { extensions }),
    ...(values.trust === true ? { trust: true } : {}),
    ...(values.system === undefined ? {} : { system: values.system }),
    ...(appendSystem === undefined ? {} : { appendSystem }),
    ...(values['no-instructions'] === true ? { instructions: false } : {}),
  }
}

function fromFlags(values: OptionValues): 'latest' | 'unstored' | 'new' {
  if (values.continue === true) return 'latest'
  return values['no-session'] === true ? 'unstored' : 'new'
}
