// What the UI asks of the terminal beside drawing is taken back when it ends, also where the process dies of an error.
import { Observable } from 'rxjs'

/** What of a stream is used. */
export interface ModeStream {
  write(text: string): unknown
}

/** Focus reports, on while it is subscribed. Never emits; never completes. */
export function terminalModes(stream: ModeStream, ends: NodeJS.EventEmitter = process): Observable<never> {
  return new Observable(() => {
    const restore = (): void => {
      stream.write(focusReports.off)
    }
    stream.write(focusReports.on)
    ends.on('exit', restore)
    return () => {
      ends.off('exit', restore)
      restore()
    }
  })
}

// The terminal says when its user looks at it and when not: asked for, and taken back, by these.

export const focusReports = { on: '\u001b[?1004h', off: '\u001b[?1004l' } as const

// Whoever has the terminal for a while, a shell or an editor, is not sent what only this UI has asked for.

/** Calls `during` without focus reports, which are on again when its promise has settled. @throws what `during` throws */
export async function lendTerminal(stream: ModeStream, during: () => Promise<unknown>): Promise<void> {
  stream.write(focusReports.off)
  try {
    await during()
  } finally {
    stream.write(focusReports.on)
  }
}
