// Sends keys of a person to a surface, and closes it; a surface that is gone meanwhile is no failure.
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../contract/ui.ts'
import type { KeyPress } from '../keys/key-press.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { keyData } from './key-data.ts'

/** Calls `onAnswer` with what the surface did with each key. */
export function sendSurfaceKey(
  ui: Ui,
  surface: string,
  press: KeyPress,
  onAnswer: (answer: ResultOf<'surface_key'>) => void = () => undefined,
): void {
  const { session } = ui.now()
  if (session === undefined) return
  for (const key of keyData(press)) {
    ui.request({ type: 'surface_key', session: session.id, surface, ...key }).subscribe({
      next: onAnswer,
      error: (error: unknown) => {
        showFailure(ui, surface, error)
      },
    })
  }
}

/** It is not drawn any more from now on, whatever its extension does. */
export function closeSurface(ui: Ui, surface: string): void {
  const { session } = ui.now()
  ui.input({ type: 'surface_closed', surface })
  if (session === undefined) return
  ui.request({ type: 'surface_close', session: session.id, surface }).subscribe({
    error: (error: unknown) => {
      showFailure(ui, surface, error)
    },
  })
}

function showFailure(ui: Ui, surface: string, error: unknown): void {
  if (Failure.from(error).code === 'unknown_surface') ui.input({ type: 'surface_closed', surface })
  else ui.input(failureNotice(error))
}
