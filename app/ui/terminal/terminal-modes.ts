// Switches focus reports on while the UI runs, and off when it ends or hands the terminal over.
import { Observable } from 'rxjs'

/** Control sequences of focus reports. */
export const focusReports = { on: '\u001b[?1004h', off: '\u001b[?1004l' } as const

/** The part of a stream that it uses. */
export interface ModeStream {
  write(text: string): unknown
}

/** Focus reports are on while subscribed. Never emits; never completes. */
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

/**
 * Lends the terminal to another program: calls `during` without focus reports, and switches them on again when its
 * promise settles.
 * @throws the error of `during`
 */
export async function lendTerminal(stream: ModeStream, during: () => Promise<unknown>): Promise<void> {
  stream.write(focusReports.off)
  try {
    await during()
  } finally {
    stream.write(focusReports.on)
  }
}
