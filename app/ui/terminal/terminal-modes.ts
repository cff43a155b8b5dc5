// What the UI asks of the terminal beside drawing is taken back when it ends, also where the process dies of an error.
import { Observable } from 'rxjs'

/** What of a stream is used. */
export interface ModeStream {
  write(text: string): unknown
}

/** Focus reports: the terminal says when its user looks at it and when not. */
const on = '\u001b[?1004h'
const off = '\u001b[?1004l'

/** On while it is subscribed. Never emits; never completes. */
export function terminalModes(stream: ModeStream, ends: NodeJS.EventEmitter = process): Observable<never> {
  return new Observable(() => {
    const restore = (): void => {
      stream.write(off)
    }
    stream.write(on)
    ends.on('exit', restore)
    return () => {
      ends.off('exit', restore)
      restore()
    }
  })
}
