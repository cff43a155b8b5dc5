// Parses the arguments of `rxpi acp`.
import type { AuthLoginInvocation } from './auth-arguments.ts'
import {
  badRequest,
  parseApprove,
  parseExtensionPaths,
  parseList,
  parseSandbox,
  parseThinking,
  rejectEmpty,
} from './command-options.ts'
import type { OptionName, OptionValues } from './command-options.ts'
import type { AcpInvocation } from './invocation.ts'
import { rejectOtherOptions } from './option-scope.ts'

export const acpOptions: readonly OptionName[] = [
  'socket',
  'model',
  'thinking',
  'tools',
  'approve',
  'sandbox',
  'extension',
]

/**
 * @param words arguments after `acp`
 * @throws Failure `bad_request`
 */
export function parseAcp(values: OptionValues, words: readonly string[]): AcpInvocation | AuthLoginInvocation {
  rejectOtherOptions('acp', values, acpOptions)
  const [unexpected, ...rest] = words
  if (unexpected === 'login') return parseLogin(rest)
  if (unexpected !== undefined) throw badRequest(`acp takes options only; unexpected argument "${unexpected}"`)
  const socket = rejectEmpty('socket', values.socket)
  const model = rejectEmpty('model', values.model)
  const [thinkingLevel, tools] = [parseThinking(values.thinking), parseList(values.tools)]
  const [approve, sandbox] = [parseApprove(values.approve), parseSandbox(values.sandbox)]
  const extensions = parseExtensionPaths(values.extension)
  return {
    mode: 'acp',
    ...(socket === undefined ? {} : { socket }),
    options: {
      ...(model === undefined ? {} : { model }),
      ...(thinkingLevel && { thinkingLevel }),
      ...(tools && { tools }),
      ...(approve && { approve }),
      ...(sandbox && { sandbox }),
      ...(extensions && { extensions }),
    },
  }
}

/** An editor adds these words to the command of its settings, in a terminal: it is `rxpi auth login`. */
function parseLogin([provider, unexpected]: readonly string[]): AuthLoginInvocation {
  if (provider === undefined || unexpected !== undefined)
    throw badRequest('acp login takes one provider, as rxpi auth login does')
  return { mode: 'auth', action: 'login', json: false, provider }
}
