// The user's keys as they are now; read again when they ask for it, and what is wrong in them is told each time.
import type { Environment } from '../../../lib/server/launch/app-files.ts'
import { behavior } from '../../../lib/streams/rx/behavior.ts'
import type { Behavior } from '../../../lib/streams/rx/behavior.ts'
import { makeKeymap } from './keymap.ts'
import type { Keymap } from './keymap.ts'
import { readKeybindings } from './read-keybindings.ts'

export interface UserKeymap {
  /** The usual keys before the first `load`. */
  readonly keymap$: Behavior<Keymap>
  /** Reads `keybindings.json`; returns where it is. */
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
