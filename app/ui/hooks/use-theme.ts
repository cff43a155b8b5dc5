// React context of the theme.
import { createContext, useContext } from 'react'
import { createTheme } from '../theme/theme.ts'
import type { Theme } from '../theme/theme.ts'

export const ThemeContext = createContext<Theme>(createTheme('dark', 'none'))

export function useTheme(): Theme {
  return useContext(ThemeContext)
}
