// Components hear of key presses and of actions, never of how a terminal writes a key.
import { useInput, usePaste } from 'ink'
import { createContext, useContext } from 'react'
import type { ActionName } from './actions.ts'
import type { KeyPress } from './key-press.ts'
import { makeKeymap } from './keymap.ts'
import type { Keymap } from './keymap.ts'
import { readKeys } from './read-keys.ts'

export const KeymapContext = createContext<Keymap>(makeKeymap())

/** The user's keys. */
export function useKeymap(): Keymap {
  return useContext(KeymapContext)
}

/** Each press in order, pastes too. */
export function useKeys(heard: (press: KeyPress) => void, isActive: boolean): void {
  useInput(
    (input, key) => {
      readKeys(input, key).forEach(heard)
    },
    { isActive },
  )
  usePaste(
    (text) => {
      heard({ kind: 'paste', text })
    },
    { isActive },
  )
}

/** The same with what a key does in a list; undefined where it does nothing there. */
export function useListKeys(heard: (action: ActionName | undefined, press: KeyPress) => void, isActive: boolean): void {
  const { list } = useKeymap()
  useKeys((press) => {
    heard(press.kind === 'key' ? list.get(press.name) : undefined, press)
  }, isActive)
}
