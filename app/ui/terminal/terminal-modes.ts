// Sets the modes of the terminal while the UI draws: raw mode and focus reports.
import { Observable } from 'rxjs'

/** Control sequences of focus reports. */
export const focusReports = { on: '\u001b[?1004h', off: '\u001b[?1004l' } as const

/** The part of a stream that it uses. */
export interface ModeStream {
  write(text: string): unknown
}

/** The part of the input that it uses. */
export interface ModeInput {
  readonly isTTY?: boolean
  setRawMode(isRaw: boolean): unknown
}

/**
 * Mirrors the source. Raw mode and focus reports are on before the source draws, and off after it has ended: Ink itself sets raw mode
 * some time after its first frame, and until then the terminal would echo keys and make a line feed of Enter.
 */
export function inTerminalModes<Value>(
  source$: Observable<Value>,
  { stdin, stdout }: { readonly stdin: ModeInput; readonly stdout: ModeStream },
  ends: NodeJS.EventEmitter = process,
): Observable<Value> {
  return new Observable((subscriber) => {
    const setRaw = (isRaw: boolean): void => {
      if (stdin.isTTY === true) stdin.setRawMode(isRaw)
    }
    const restore = (): void => {
      stdout.write(focusReports.off)
      setRaw(false)
    }
    setRaw(true)
    stdout.write(focusReports.on)
    ends.on('exit', restore)
    const drawing = source$.subscribe(subscriber)
    return () => {
      drawing.unsubscribe()
      ends.off('exit', restore)
      restore()
    }
  })
}

/** The input of a lent terminal. */
export interface LentInput {
  pause(): unknown
}

/**
 * Lends the terminal to another program: calls `during` without focus reports and without reading keys. Switches the
 * reports on again when its promise settles; a `readable` listener reads again.
 * @throws the error of `during`
 */
export async function lendTerminal(
  { stdin, stdout }: { readonly stdin: LentInput; readonly stdout: ModeStream },
  during: () => Promise<unknown>,
): Promise<void> {
  stdout.write(focusReports.off)
  // Ink has removed its listener, which alone does not stop the reading; until the next tick, `pause` has no effect
  await new Promise<void>((resolve) => {
    process.nextTick(resolve)
  })
  stdin.pause()
  try {
    await during()
  } finally {
    stdout.write(focusReports.on)
  }
}
