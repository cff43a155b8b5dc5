// Parses the arguments of tool, context, doctor, protocol and completions, which have no actions.
import { badRequest, parseApprove, parseFolder, parseSandbox, parseSessionId, rejectEmpty } from './command-options.ts'
import type { OptionName, OptionValues } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'
import { parseCallArguments } from './policy-arguments.ts'
import type {
  CompletionsInvocation,
  ContextInvocation,
  DoctorInvocation,
  Invocation,
  Shell,
  ToolInvocation,
} from './invocation.ts'

/** The options of the commands that have no actions and no file of their own. */
export const plainCommandOptions = {
  tool: ['approve', 'cwd', 'json', 'sandbox', 'trust'],
  context: ['cwd', 'json', 'model'],
  doctor: ['cwd', 'json', 'model'],
  protocol: ['json-schema'],
  completions: [],
} as const satisfies Readonly<Record<string, readonly OptionName[]>>

export function parseTool(values: OptionValues, words: readonly string[]): ToolInvocation {
  rejectOtherOptions('tool', values, plainCommandOptions.tool)
  const [name, args = '{}', ...rest] = words
  if (name === undefined) throw badRequest(`tool needs a name: rxpi tool read '{"path":"README.md"}'`)
  if (rest.length > 0) throw badRequest(`tool takes a name and one JSON object; unexpected argument "${rest[0] ?? ''}"`)
  const [approve, sandbox] = [parseApprove(values.approve), parseSandbox(values.sandbox)]
  return {
    mode: 'tool',
    name,
    args: parseCallArguments(name, args),
    cwd: parseFolder(values.cwd),
    json: values.json === true,
    ...(approve && { approve }),
    ...(sandbox && { sandbox }),
    ...(values.trust === true ? { trust: true } : {}),
  }
}

export function parseContext(values: OptionValues, words: readonly string[]): ContextInvocation {
  rejectOtherOptions('context', values, plainCommandOptions.context)
  const [word, unexpected] = words
  if (unexpected !== undefined) throw badRequest(`context takes one session; unexpected argument "${unexpected}"`)
  const session = parseSessionId(word, 'the session')
  if (session !== undefined && values.cwd !== undefined)
    throw badRequest('a session has its own folder; remove --cwd, or the session')
  const model = rejectEmpty('model', values.model)
  return {
    mode: 'context',
    choice: {
      cwd: parseFolder(values.cwd),
      from: session === undefined ? 'unstored' : { session },
      ...(model === undefined ? {} : { model }),
    },
    json: values.json === true,
  }
}

export function parseDoctor(values: OptionValues, words: readonly string[]): DoctorInvocation {
  rejectOtherOptions('doctor', values, plainCommandOptions.doctor)
  if (words.length > 0) throw badRequest(`doctor takes options only; unexpected argument "${words[0] ?? ''}"`)
  const model = rejectEmpty('model', values.model)
  const json = values.json === true
  return { mode: 'doctor', cwd: parseFolder(values.cwd), json, ...(model === undefined ? {} : { model }) }
}

export function parseProtocol(values: OptionValues, words: readonly string[]): Invocation {
  rejectOtherOptions('protocol', values, plainCommandOptions.protocol)
  if (words.length > 0) throw badRequest(`protocol takes options only; unexpected argument "${words[0] ?? ''}"`)
  if (values['json-schema'] !== true)
    throw badRequest('protocol needs --json-schema; docs/protocol.md describes the protocol in words')
  return { mode: 'protocol' }
}

const shells: readonly Shell[] = ['bash', 'zsh', 'fish']

/** `completions SHELL` prints the script; `completions candidates SHELL -- WORDS` is what the script calls. */
export function parseCompletions(values: OptionValues, words: readonly string[]): CompletionsInvocation {
  rejectOtherOptions('completions', values, plainCommandOptions.completions)
  const [first = '', ...rest] = words
  const isScript = first !== 'candidates'
  const [name, ...line] = isScript ? words : rest
  const shell = shells.find((each) => each === name)
  if (shell === undefined) throw badRequest(`completions needs a shell: rxpi completions ${shells.join('|')}`)
  if (!isScript) return { mode: 'completions', shell, line }
  if (line[0] !== undefined) throw badRequest(`completions takes one shell; unexpected argument "${line[0]}"`)
  return { mode: 'completions', shell }
}
