// The screen is drawn again where that was asked for, or where a narrower or wider terminal has broken what stood there.
import { useStdout } from 'ink'
import { useEffect, useMemo, useRef } from 'react'
import type { ScreenActions } from '../run-action.ts'
import { useLentTerminal } from './use-lent-terminal.ts'
import type { Theme } from '../theme/theme.ts'
import { useUi } from './use-ui.ts'

/** Milliseconds without a change of size. */
const settled = 150

/** What is visible is erased; the scrollback stays. */
const eraseScreen = '\u001b[2J\u001b[H'

/**
 * @param columns of the terminal
 * @param look of what is drawn
 */
export function useScreenActions(columns: number, look: Theme): ScreenActions {
  const ui = useUi()
  const { write } = useStdout()
  const lend = useLentTerminal()
  const actions = useMemo<ScreenActions>(
    () => ({
      redraw: () => {
        write(eraseScreen)
        ui.input({ type: 'redraw' })
      },
      suspend: () => {
        lend(untilContinued)
      },
    }),
    [ui, write, lend],
  )
  const drawn = useRef(columns)
  useEffect(() => {
    if (drawn.current === columns) return undefined
    const timer = setTimeout(() => {
      drawn.current = columns
      actions.redraw()
    }, settled)
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

function untilContinued(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGCONT', () => {
      resolve()
    })
    process.kill(0, 'SIGTSTP') // the whole group: npm and a shell may stand between
  })
}
