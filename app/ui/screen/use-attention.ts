// React hook that notifies a user of another window when a run ends or a question waits.
import { useStdout } from 'ink'
import { useEffect, useRef } from 'react'
import { notification } from '../terminal/notification.ts'
import type { View } from '../view/view.ts'
import { useUi } from '../hooks/use-ui.ts'

export function useAttention(view: View): void {
  const ui = useUi()
  const { stdout } = useStdout()
  const before = useRef(view)
  useEffect(() => {
    const words = newsSince(before.current, view)
    before.current = view
    const { isFocused, notifies } = ui.now()
    if (words !== undefined && notifies && !isFocused) stdout.write(notification(words, ui.surroundings.env))
  }, [view, ui, stdout])
}

/** Text of the notification; undefined if nothing relevant changed. */
export function newsSince(before: View, after: View): string | undefined {
  if (before.session?.id !== after.session?.id) return undefined
  const known = new Set([...before.requests, ...before.questions].map(({ requestId }) => requestId))
  const question = [...after.requests, ...after.questions].find(({ requestId }) => !known.has(requestId))
  if (question !== undefined) return `rxpi asks: ${question.text}`
  const hasEnded = before.running !== undefined || before.endings !== after.endings
  if (hasEnded && after.running === undefined) return 'rxpi: the run has ended'
  return undefined
}
