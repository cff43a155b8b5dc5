// What a command of the UI says of where it was started: the folder, and an environment of its own to send.
import type { Ui } from '../ui.ts'

export interface Place {
  /** Absolute. */
  readonly cwd: string
  readonly env: Record<string, string>
}

export function placeOf({ surroundings: { cwd, env } }: Pick<Ui, 'surroundings'>): Place {
  return { cwd, env: { ...env } }
}
