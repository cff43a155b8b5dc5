// Parses the arguments of `rxpi install`, `list`, `remove` and `update`: packages.
import { badRequest, parseFolder } from './command-options.ts'
import type { OptionValues } from './command-options.ts'
import { rejectOtherOptions } from './option-scope.ts'

export const packageCommands = ['install', 'list', 'remove', 'update'] as const

export const packagesOptions = ['json', 'cwd'] as const

export interface PackagesInvocation {
  readonly mode: (typeof packageCommands)[number]
  /** A source of `install`, a name for the others; absent: all. */
  readonly wanted?: string
  readonly json: boolean
  /** Absolute. */
  readonly cwd: string
}

export function isPackageCommand(word: string | undefined): word is PackagesInvocation['mode'] {
  return packageCommands.some((each) => each === word)
}

/** @throws Failure `bad_request` */
export function parsePackages(
  mode: PackagesInvocation['mode'],
  values: OptionValues,
  [wanted, more]: readonly string[],
): PackagesInvocation {
  rejectOtherOptions(mode, values, packagesOptions)
  if (more !== undefined) throw badRequest(`${mode} takes one package; unexpected argument "${more}"`)
  if (mode === 'list' && wanted !== undefined)
    throw badRequest(`list takes options only; unexpected argument "${wanted}"; rxpi sessions list prints sessions`)
  if ((mode === 'install' || mode === 'remove') && (wanted === undefined || wanted === ''))
    throw badRequest(`${mode} needs a package: rxpi ${mode} ${mode === 'install' ? 'npm:NAME' : 'NAME'}`)
  return {
    mode,
    json: values.json === true,
    cwd: parseFolder(values.cwd),
    ...(wanted === undefined ? {} : { wanted }),
  }
}
