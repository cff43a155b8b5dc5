// Derives prompt sign and hint from the first characters of the input.
import { textOfUnits } from '../editor/unit.ts'
import type { Unit } from '../editor/unit.ts'
import type { Role } from '../theme/theme.ts'

export interface EditorHint {
  readonly prompt: string
  readonly role: Role
  /** '' for no hint. */
  readonly hint: string
}

/** @param isQueued a queued input is being edited */
export function editorHint(units: readonly Unit[], isQueued: boolean): EditorHint {
  if (isQueued) {
    const enter = units.length === 0 ? 'Enter removes it from the queue' : 'Enter saves it in the queue'
    return { prompt: '↳', role: 'accent', hint: `${enter} · Alt-Up, Alt-Down: another · Esc keeps the old text` }
  }
  const start = textOfUnits(units.slice(0, 2))
  if (start.startsWith('!!')) return { prompt: '$', role: 'warning', hint: 'runs here; the model does not see it' }
  if (start.startsWith('!')) return { prompt: '$', role: 'warning', hint: 'runs here; the model sees it' }
  return { prompt: '›', role: 'accent', hint: '' }
}
