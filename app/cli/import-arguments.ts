// Parses the arguments of `rxpi import`.
import { resolve } from 'node:path'
import { badRequest, parseList, rejectEmpty, rejectOtherOptions } from './command-options.ts'
import type { OptionValues } from './command-options.ts'

export interface ImportPiInvocation {
  readonly mode: 'import'
  readonly json: boolean
  /** pi's agent folder, absolute. Absent: the usual one. */
  readonly dir?: string
  /** Providers whose keys the person agrees to bring over. Absent: each is asked, if there is a terminal. */
  readonly keys?: readonly string[]
  /** The person agrees to bring the sessions over. Absent: that is asked, if there is a terminal. */
  readonly sessions?: true
  readonly dryRun: boolean
}

/** @param words arguments after `import` @throws Failure `bad_request` */
export function parseImport(values: OptionValues, words: readonly string[]): ImportPiInvocation {
  const [source = '', more] = words
  if (source !== 'pi') throw badRequest('import needs the name of another agent: rxpi import pi')
  if (more !== undefined) throw badRequest(`import pi takes options only; unexpected argument "${more}"`)
  rejectOtherOptions('import', values, ['json', 'from', 'keys', 'with-sessions', 'dry-run'], 'pi')
  const dir = rejectEmpty('from', values.from)
  const keys = parseList(values.keys)
  return {
    mode: 'import',
    json: values.json === true,
    ...(dir === undefined ? {} : { dir: resolve(dir) }),
    ...(keys === undefined ? {} : { keys }),
    ...(values['with-sessions'] === true ? { sessions: true } : {}),
    dryRun: values['dry-run'] === true,
  }
}
