// Reads the themes of a package: JSON files with a name, a base and colours.
import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { CommandProblem, PackageTheme } from '../../streams/ports/prompt-commands.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'
import type { ThemeDefinition } from '../api/extension-ui.ts'
import { validTheme } from '../lifecycle/check-ui-parts.ts'

const maxBytes = 65_536
/** Themes of one package. */
const mostThemes = 20

/** Never fails: a file that is no theme is a problem. @param paths files and folders, absolute */
export function packageThemes(
  name: string,
  paths: readonly string[],
): { readonly themes: readonly PackageTheme[]; readonly problems: readonly CommandProblem[] } {
  const problems: CommandProblem[] = []
  const themes: PackageTheme[] = []
  const attempt = (file: string, act: () => void): void => {
    try {
      act()
    } catch (error) {
      const message = error instanceof Failure ? error.message : describeThrown(error)
      problems.push({ path: file, level: 'error', message: `it is no theme: ${message}` })
    }
  }
  for (const each of paths)
    attempt(each, () => {
      for (const file of filesIn(each)) attempt(file, () => void themes.push({ extension: name, ...readTheme(file) }))
    })
  return { themes: themes.slice(0, mostThemes), problems }
}

function filesIn(file: string): readonly string[] {
  if (!statSync(file).isDirectory()) return [file]
  const names = readdirSync(file).filter((name) => name.endsWith('.json') && !name.startsWith('.'))
  return names.toSorted().map((name) => path.join(file, name))
}

/** @throws Failure `bad_request`, and what the system and JSON throw */
function readTheme(file: string): Omit<PackageTheme, 'extension'> {
  const status = statSync(file)
  if (!status.isFile() || status.size > maxBytes)
    throw new Failure('bad_request', `a regular file of at most ${maxBytes / 1_024} KiB is needed`)
  const value: unknown = JSON.parse(readFileSync(realpathSync(file), 'utf8'))
  if (isRecord(value) && isRecord(value['colors'])) {
    throw new Failure('bad_request', 'it is a theme of pi, whose parts are others; write name, base and colours')
  }
  const { name, base, colours } = validTheme((isRecord(value) ? value : {}) as unknown as ThemeDefinition) // the check follows
  return { name, base, colours: Object.fromEntries(Object.entries(colours)) }
}
