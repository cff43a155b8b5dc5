// React hook with the screen's actions: redraws on request and after a change of width, suspends.
import { useEffect, useMemo, useRef } from 'react'
import { firstValueFrom, fromEvent, merge, timer } from 'rxjs'
import type { ScreenActions } from './run-action.ts'
import { useTerminalHandover } from '../hooks/use-terminal-handover.ts'
import type { Theme } from '../theme/theme.ts'
import { useUi } from '../hooks/use-ui.ts'

/** Milliseconds without a change of size. */
const resizeDelay = 150
/** Milliseconds after which a process that still runs was not stopped. */
const stopDelay = 200

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

/**
 * Resolves when the shell continues the process, or soon if nothing stopped it: the system ignores SIGTSTP if no shell
 * could continue the process group (`docker run`, `tmux new rxpi`).
 */
function suspendProcess(): Promise<unknown> {
  const continued = firstValueFrom(merge(fromEvent(process, 'SIGCONT'), timer(stopDelay)), { defaultValue: undefined })
  process.kill(0, 'SIGTSTP') // the whole process group: npm and a shell may be between
  return continued
}
