// Kills a random MCP server of the soaked server from time to time, in a call or between calls.
import { setTimeout as delay } from 'node:timers/promises'
import { descendants, programOf } from '../sample.ts'
import type { StayWorld } from '../soak-client.ts'
import { count } from '../soak-actions.ts'

/** Resolves at `untilMs`, by `performance.now()`. @param program the file name of its program */
export async function killServers(world: StayWorld, program: string, untilMs: number): Promise<void> {
  const { chance, server, counts } = world
  while (performance.now() < untilMs) {
    await delay(Math.min(chance.between(1_000, 6_000), Math.max(1, untilMs - performance.now())))
    const victim = chance.one(descendants(server.pid).filter((pid) => programOf(pid) === program))
    if (victim === undefined) continue
    try {
      process.kill(victim, 'SIGKILL')
      count(counts, 'MCP servers killed')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error // it has ended meanwhile
    }
  }
}
