// React hook that gives the terminal to another program for a while; shows a failure as a notice.
import { useApp, useStdin, useStdout } from 'ink'
import { useCallback } from 'react'
import { lendTerminal } from '../terminal/terminal-modes.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { useUi } from './use-ui.ts'

/** Hands the terminal over until the promise settles; if it is handed over already, shows a notice. */
export function useTerminalHandover(): (during: () => Promise<unknown>) => void {
  const ui = useUi()
  const { stdin } = useStdin()
  const { stdout } = useStdout()
  const { suspendTerminal } = useApp()
  return useCallback(
    (during) => {
      const lent = async (): Promise<void> => {
        ui.input({ type: 'lent', isLent: true })
        await lendTerminal({ stdin, stdout }, during)
      }
      const back = (): void => {
        ui.input({ type: 'lent', isLent: false })
      }
      suspendTerminal(lent).then(back, (thrown: unknown) => {
        back()
        ui.input(failureNotice(thrown))
      })
    },
    [ui, stdin, stdout, suspendTerminal],
  )
}
