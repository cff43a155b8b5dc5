// Components hear of key presses and of actions, never of how a terminal writes a key.
import { createContext, useContext, useLayoutEffect, useRef } from 'react'
import type { ActionName } from './actions.ts'
import type { KeyPress } from './key-press.ts'
import { useKeyboard } from './keyboard.tsx'
import { makeKeymap } from './keymap.ts'
import type { Keymap } from './keymap.ts'

export const KeymapContext = createContext<Keymap>(makeKeymap())

/** The user's keys. */
export function useKeymap(): Keymap {
  return useContext(KeymapContext)
}

/** Each press in order, pastes too; who became active last has them alone. */
export function useKeys(heard: (press: KeyPress) => void, isActive: boolean): void {
  const keyboard = useKeyboard()
  const latest = useRef(heard)
  // with the frame that shows it: there is no moment in which it is seen and does not hear
  useLayoutEffect(() => {
    latest.current = heard
  })
  useLayoutEffect(() => {
    if (!isActive) return undefined
    return keyboard.listen((press) => {
      latest.current(press)
    })
  }, [keyboard, isActive])
}

/** The same with what a key does in a list; undefined where it does nothing there. */
export function useListKeys(heard: (action: ActionName | undefined, press: KeyPress) => void, isActive: boolean): void {
  const { list } = useKeymap()
  useKeys((press) => {
    heard(press.kind === 'key' ? list.get(press.name) : undefined, press)
  }, isActive)
}
