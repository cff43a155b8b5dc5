// React hook that writes the conversation without a render, so that a delta costs no layout.
import { useBoxMetrics, useStdout } from 'ink'
import type { DOMElement } from 'ink'
import { useEffect, useMemo, useRef } from 'react'
import type { RefObject } from 'react'
import type { Screen } from './screen-layout.ts'
import { createTranscriptWriter } from './transcript-writer.ts'
import { useUi } from '../hooks/use-ui.ts'

/** @param frame the box that Ink draws; the conversation is above it */
export function useTranscript(screen: Screen, frame: RefObject<DOMElement | null>): void {
  const ui = useUi()
  const { write } = useStdout()
  const { height } = useBoxMetrics(frame)
  const writer = useMemo(
    () =>
      createTranscriptWriter({
        view: ui.now,
        write: (text) => {
          process.stdout.cork() // Ink writes five times; a synchronised update shows them as one
          write(text)
          process.stdout.uncork()
        },
      }),
    [ui, write],
  )
  const newest = useRef({ ...screen, frame: height })
  const { columns, rows, theme, isRead, openKey } = screen
  useEffect(() => {
    newest.current = { columns, rows, theme, isRead, openKey, frame: height }
    writer.show(newest.current)
  }, [writer, columns, rows, theme, isRead, openKey, height])
  useEffect(() => {
    const subscription = ui.view$.subscribe(() => {
      writer.show(newest.current)
    })
    return () => {
      subscription.unsubscribe()
      writer.end()
    }
  }, [ui, writer])
}
