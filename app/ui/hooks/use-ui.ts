// React context of the UI's interface to the session and the server.
import { createContext, useContext } from 'react'
import type { Ui } from '../contract/ui.ts'

export const UiContext = createContext<Ui | undefined>(undefined)

/** @throws outside of a UI */
export function useUi(): Ui {
  const ui = useContext(UiContext)
  if (ui === undefined) throw new Error('useUi was called outside of the app')
  return ui
}
