// A server of the command's own, asked over its socket.
import type { Running, Workplace } from '../support/command.ts'

/** A server in the foreground that takes connections. */
export async function serving(place: Workplace, ...options: string[]): Promise<Running> {
  const running = place.start(['serve', ...options])
  await running.said('listening at')
  return running
}

export const statusOf = async (place: Workplace): Promise<Record<string, unknown>> =>
  JSON.parse((await place.run(['status', '--json'])).stdout) as Record<string, unknown>
