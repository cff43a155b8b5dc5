// Reads keybindings.json; reports each invalid entry and uses the others.
import { join } from 'node:path'
import { readJsonFile, rxpiPaths } from '../../../lib/server/launch/app-files.ts'
import type { Environment } from '../../../lib/server/launch/app-files.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { describeProblem } from '../../../lib/streams/schema/compiled-validator.ts'
import type { CompiledValidator, Checked } from '../../../lib/streams/schema/compiled-validator.ts'
import { actionNames } from './actions.ts'
import type { ActionName } from './actions.ts'
import * as compiled from './generated/keybindings-validators.js'
import type { Keybindings } from './keybindings.ts'
import { parseKeyName } from './key-name.ts'
import { describeClash, makeKeymap } from './keymap.ts'
import type { Keymap } from './keymap.ts'

export interface ReadKeymap {
  readonly keymap: Keymap
  /** Path of the file, whether it exists or not. */
  readonly file: string
  /** One sentence a problem. */
  readonly problems: readonly string[]
}

/** Reads `keybindings.json` of the configuration folder; default keys if there is none. Never throws. */
export function readKeybindings(env: Environment): ReadKeymap {
  const file = join(rxpiPaths(env).config, 'keybindings.json')
  try {
    const { value, warnings } = readJsonFile(file, checkKeybindings, {})
    const problems: string[] = warnings.map(({ message }) => message)
    const overrides: Partial<Record<ActionName, readonly string[]>> = {}
    for (const [name, keys] of Object.entries(value)) {
      const action = actionNames.find((known) => known === name)
      if (action === undefined) problems.push(`${file}: "${name}" is not an action; /help lists the actions`)
      else overrides[action] = namesOf([keys].flat(), (problem) => problems.push(`${file}: ${action}: ${problem}`))
    }
    const keymap = makeKeymap(overrides)
    const clashes = keymap.clashes.filter(({ bothBound }) => bothBound)
    return { keymap, file, problems: [...problems, ...clashes.map((clash) => `${file}: ${describeClash(clash)}`)] }
  } catch (error) {
    return { keymap: makeKeymap(), file, problems: [`${Failure.from(error).message}; the default keys apply`] }
  }
}

const fits: CompiledValidator = compiled.Keybindings

function checkKeybindings(value: unknown): Checked<Keybindings> {
  if (!fits(value)) return { ok: false, problem: describeProblem(fits) }
  return { ok: true, value: value as Keybindings } // the schema has checked it
}

function namesOf(written: readonly string[], onProblem: (problem: string) => void): readonly string[] {
  return written.flatMap((key) => {
    const name = parseKeyName(key)
    if (name.ok) return [name.name]
    onProblem(name.problem)
    return []
  })
}
