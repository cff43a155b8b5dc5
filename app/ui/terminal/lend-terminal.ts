// Whoever has the terminal for a while, a shell or an editor, is not sent what only this UI has asked for.
import { focusReports } from './focus-reports.ts'
import type { ModeStream } from './terminal-modes.ts'

/** Calls `during` without focus reports, which are on again when its promise has settled. @throws what `during` throws */
export async function lendTerminal(stream: ModeStream, during: () => Promise<unknown>): Promise<void> {
  stream.write(focusReports.off)
  try {
    await during()
  } finally {
    stream.write(focusReports.on)
  }
}
