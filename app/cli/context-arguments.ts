// Parses the arguments of `rxpi context`.
import { badRequest, parseFolder, parseSessionId, rejectEmpty, rejectOtherOptions } from './command-options.ts'
import type { OptionValues } from './command-options.ts'
import type { ContextInvocation } from './invocation.ts'

export function parseContext(values: OptionValues, words: readonly string[]): ContextInvocation {
  rejectOtherOptions('context', values, ['cwd', 'json', 'model'])
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
