// Holds the user's keymap and reads it again on request.
import type { Environment } from '../../../lib/server/launch/app-files.ts'
import { behavior } from '../../../lib/streams/rx/behavior.ts'
import type { Behavior } from '../../../lib/streams/rx/behavior.ts'
import { makeKeymap } from './keymap.ts'
import type { Keymap } from './keymap.ts'
import { readKeybindings } from './read-keybindings.ts'

export interface UserKeymap {
  /** Default keys before the first `load`. */
  readonly keymap$: Behavior<Keymap>
  /** Reads `keybindings.json`, reports its problems and returns its path. */
  load(onProblem: (problem: string) => void): string
}

export function userKeymap(env: Environment): UserKeymap {
  const { behavior$, set } = behavior(makeKeymap())
  return {
    keymap$: behavior$,
    load: (onProblem) => {
      const { keymap, file, problems } = readKeybindings(env)
      set(keymap)
      problems.forEach(onProblem)
      return file
    },
  }
}
