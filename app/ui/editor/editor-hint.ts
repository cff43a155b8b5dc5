// What the first characters make of an input, before it is sent.
import { textOfUnits } from './unit.ts'
import type { Unit } from './unit.ts'
import type { Role } from '../theme/theme.ts'

export interface EditorHint {
  readonly prompt: string
  readonly role: Role
  /** '' where nothing needs to be said. */
  readonly hint: string
}

/** `isRunning`: Enter steers. */
export function editorHint(units: readonly Unit[], isRunning: boolean): EditorHint {
  const start = textOfUnits(units.slice(0, 2))
  if (start.startsWith('!!')) return { prompt: '$', role: 'warning', hint: 'runs here; the model does not see it' }
  if (start.startsWith('!')) return { prompt: '$', role: 'warning', hint: 'runs here; the model sees it' }
  return { prompt: '›', role: 'accent', hint: units.length > 0 && isRunning ? 'Enter steers the run' : '' }
}
