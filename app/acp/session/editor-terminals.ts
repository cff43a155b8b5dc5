// Offers the terminals of an editor to its session: commands outside of the sandbox run there.
import { map, tap } from 'rxjs'
import type { AttachOptions } from '../../../lib/server/client/client.ts'
import type { Peer } from '../wire/peer.ts'

/** Whether an editor runs commands in terminals. */
export interface TerminalFeatures {
  readonly runsCommands: boolean
}

/** @param onOpened called with each terminal and its call, so that the editor shows it there */
export function editorTerminals(
  peer: Pick<Peer, 'ask'>,
  sessionId: string,
  { runsCommands }: TerminalFeatures,
  onOpened: (toolCallId: string, terminalId: string) => void,
): AttachOptions['terminals'] {
  if (!runsCommands) return undefined
  return {
    create: ({ program, args, cwd, env, outputBytes }, toolCallId) =>
      peer
        .ask('terminal/create', {
          ...{ sessionId, command: program, args: [...args], cwd },
          env: Object.entries(env).map(([name, value]) => ({ name, value })),
          outputByteLimit: outputBytes,
        })
        .pipe(
          map(({ terminalId }) => terminalId),
          tap((terminalId) => {
            if (toolCallId !== undefined) onOpened(toolCallId, terminalId)
          }),
        ),
    output: (terminalId) =>
      peer
        .ask('terminal/output', { sessionId, terminalId })
        .pipe(map(({ output, truncated }) => ({ text: output, truncated }))),
    exit: (terminalId) =>
      peer
        .ask('terminal/wait_for_exit', { sessionId, terminalId })
        .pipe(map(({ exitCode = null, signal = null }) => ({ exitCode, signal }))),
    kill: (terminalId) => peer.ask('terminal/kill', { sessionId, terminalId }),
    release: (terminalId) => peer.ask('terminal/release', { sessionId, terminalId }),
  }
}
