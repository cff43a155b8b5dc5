// Components reach the world through the one Ui that the app was started with.
import { createContext, useContext } from 'react'
import type { Ui } from '../contract/ui.ts'

export const UiContext = createContext<Ui | undefined>(undefined)

/** @throws where there is no UI around the component */
export function useUi(): Ui {
  const ui = useContext(UiContext)
  if (ui === undefined) throw new Error('useUi was called outside of the app')
  return ui
}
