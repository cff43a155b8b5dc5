// What the UI asks of the terminal beside drawing is taken back when it ends, also where the process dies of an error.
import { Observable } from 'rxjs'
import { focusReports } from './focus-reports.ts'

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
