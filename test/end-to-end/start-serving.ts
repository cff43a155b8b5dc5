// Starts a server of the built command and sends requests over its socket.
import type { Running, Workplace } from '../support/command.ts'
import { socketClient } from '../support/socket-server.ts'
import type { Frame } from '../support/socket-server.ts'

/** Starts a server in the foreground and waits until it accepts connections. */
export async function startServing(workspace: Workplace, ...options: string[]): Promise<Running> {
  const running = workspace.start(['serve', ...options])
  await running.outputText('listening at')
  return running
}

export const statusOf = async (workspace: Workplace): Promise<Record<string, unknown>> =>
  JSON.parse((await workspace.run(['status', '--json'])).stdout) as Record<string, unknown>

/** Asks over the socket: no start of the command. The answer counts the client that asks. */
export async function askStatus({ socket }: Workplace): Promise<Frame> {
  const client = await socketClient(socket)
  const { result } = await client.ask({ type: 'server_status' })
  client.cut()
  return result as Frame
}
