// React hooks that deliver key presses and actions to components.
import { createContext, useContext, useLayoutEffect, useRef } from 'react'
import type { ActionName } from './actions.ts'
import type { KeyPress } from './key-press.ts'
import { useKeyboard } from './keyboard.tsx'
import { makeKeymap } from './keymap.ts'
import type { Keymap } from './keymap.ts'

export const KeymapContext = createContext<Keymap>(makeKeymap())

/** The user's keymap. */
export function useKeymap(): Keymap {
  return useContext(KeymapContext)
}

/** Calls `listener` for each press in order, pastes too; the component that became active last gets them. */
export function useKeys(listener: (press: KeyPress) => void, isActive: boolean): void {
  const keyboard = useKeyboard()
  const latest = useRef(listener)
  // takes effect with the frame that shows the component
  useLayoutEffect(() => {
    latest.current = listener
  })
  useLayoutEffect(() => {
    if (!isActive) return undefined
    return keyboard.listen((press) => {
      latest.current(press)
    })
  }, [keyboard, isActive])
}

/** Like `useKeys`, with the key's action in a list; undefined if it has none. */
export function useListKeys(
  listener: (action: ActionName | undefined, press: KeyPress) => void,
  isActive: boolean,
): void {
  const { list } = useKeymap()
  useKeys((press) => {
    listener(press.kind === 'key' ? list.get(press.name) : undefined, press)
  }, isActive)
}
