// React hook that reports the size of the screen to the session, after each attach and each change.
import { useEffect } from 'react'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { useUi } from '../hooks/use-ui.ts'
import { failureNotice } from '../view/failure-notice.ts'
import type { View } from '../view/view.ts'

/** A server without surfaces, and an attachment that has ended: another one reports the size again. */
const harmless: ReadonlySet<string> = new Set(['unknown_command', 'bad_request', 'disconnected'])

export function useSurfaceSize({ session, attachments }: View, columns: number, rows: number): void {
  const ui = useUi()
  const id = session?.id
  useEffect(() => {
    if (id === undefined || attachments === 0) return undefined
    const sent = ui.request({ type: 'surface_resize', session: id, columns, rows }).subscribe({
      error: (error: unknown) => {
        if (!harmless.has(Failure.from(error).code)) ui.input(failureNotice(error))
      },
    })
    return () => {
      sent.unsubscribe()
    }
  }, [ui, id, attachments, columns, rows])
}
