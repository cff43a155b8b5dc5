// React context of the keyboard; keys wait while no component listens.
import { useInput, usePaste } from 'ink'
import { createContext, useContext, useLayoutEffect, useReducer, useRef, useState } from 'react'
import type { ReactElement, ReactNode } from 'react'
import { createKeyboard } from './create-keyboard.ts'
import type { CreatedKeyboard } from './create-keyboard.ts'
import { readKeys } from './read-keys.ts'

const KeyboardContext = createContext<CreatedKeyboard | undefined>(undefined)

export interface KeyboardProps {
  /** False while the expected frame is not drawn: keys wait. Default: always true. */
  readonly isCurrent?: () => boolean
  readonly children: ReactNode
}

export function Keyboard({ isCurrent = () => true, children }: KeyboardProps): ReactElement {
  const latest = useRef(isCurrent)
  const [, draw] = useReducer((count: number) => count + 1, 0)
  const [keyboard] = useState(() => createKeyboard({ isCurrent: () => latest.current(), draw }))
  useLayoutEffect(() => {
    latest.current = isCurrent
    keyboard.drawn()
  })
  useInput((input, key) => {
    readKeys(input, key).forEach(keyboard.press)
  })
  usePaste((text) => {
    keyboard.press({ kind: 'paste', text })
  })
  return <KeyboardContext value={keyboard}>{children}</KeyboardContext>
}

/** @throws outside of a keyboard */
export function useKeyboard(): CreatedKeyboard {
  const keyboard = useContext(KeyboardContext)
  if (keyboard === undefined) throw new Error('useKeyboard was called outside of a Keyboard')
  return keyboard
}
