// Starts a server of the built command and sends requests over its socket.
import type { Running, Workplace } from '../support/command.ts'

/** Starts a server in the foreground and waits until it accepts connections. */
export async function startServing(place: Workplace, ...options: string[]): Promise<Running> {
  const running = place.start(['serve', ...options])
  await running.said('listening at')
  return running
}

export const statusOf = async (place: Workplace): Promise<Record<string, unknown>> =>
  JSON.parse((await place.run(['status', '--json'])).stdout) as Record<string, unknown>
