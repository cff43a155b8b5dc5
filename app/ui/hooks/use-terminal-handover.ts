// The terminal is somebody else's for a while; that it could not be given away or taken back is said.
import { useApp, useStdout } from 'ink'
import { useCallback } from 'react'
import { lendTerminal } from '../terminal/terminal-modes.ts'
import { failureNotice } from '../view/failure-notice.ts'
import { useUi } from './use-ui.ts'

/** What lends it until the promise has settled; where it is lent already, a notice says so and nothing is called. */
export function useTerminalHandover(): (during: () => Promise<unknown>) => void {
  const ui = useUi()
  const { stdout } = useStdout()
  const { suspendTerminal } = useApp()
  return useCallback(
    (during) => {
      const lent = async (): Promise<void> => {
        ui.input({ type: 'lent', isLent: true })
        await lendTerminal(stdout, during)
      }
      const back = (): void => {
        ui.input({ type: 'lent', isLent: false })
      }
      suspendTerminal(lent).then(back, (thrown: unknown) => {
        back()
        ui.input(failureNotice(thrown))
      })
    },
    [ui, stdout, suspendTerminal],
  )
}
