// React hook with the screen's actions: redraws on request and after a change of width, suspends.
import { useEffect, useMemo, useRef } from 'react'
import type { ScreenActions } from './run-action.ts'
import { useTerminalHandover } from '../hooks/use-terminal-handover.ts'
import type { Theme } from '../theme/theme.ts'
import { useUi } from '../hooks/use-ui.ts'

/** Milliseconds without a change of size. */
const resizeDelay = 150

/**
 * @param columns width of the terminal
 * @param look theme of the screen
 */
export function useScreenActions(columns: number, look: Theme): ScreenActions {
  const ui = useUi()
  const lend = useTerminalHandover()
  const actions = useMemo<ScreenActions>(
    () => ({
      redraw: () => {
        ui.input({ type: 'redraw' })
      },
      suspend: () => {
        lend(suspendProcess)
      },
    }),
    [ui, lend],
  )
  const drawn = useRef(columns)
  useEffect(() => {
    if (drawn.current === columns) return undefined
    const timer = setTimeout(() => {
      drawn.current = columns
      actions.redraw()
    }, resizeDelay)
    return () => {
      clearTimeout(timer)
    }
  }, [columns, actions])
  const painted = useRef(look)
  useEffect(() => {
    if (painted.current === look) return
    painted.current = look
    actions.redraw()
  }, [look, actions])
  return actions
}

function suspendProcess(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGCONT', () => {
      resolve()
    })
    process.kill(0, 'SIGTSTP') // the whole process group: npm and a shell may be between
  })
}
