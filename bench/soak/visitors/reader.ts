// A process that follows a session, `rxpi attach`, and is killed without a warning.
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import type { StayWorld } from '../soak-client.ts'
import { count } from '../soak-actions.ts'

/** Resolves when it has been killed. A process that ends before is a fault. */
export async function killReader({ chance, server, pool, counts, faults }: StayWorld): Promise<void> {
  const session = chance.one(pool.live)
  if (session === undefined) return
  const child = server.command(['attach', session, '--json', '--after', '0', '--socket', server.socketPath])
  const errors: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  if (chance.next() < 0.7) child.stdout?.resume() // else it stops at a full pipe
  const ended = once(child, 'exit')
  await delay(chance.between(300, 6_000))
  if (child.exitCode !== null) {
    faults.push(`rxpi attach ended with ${child.exitCode}: ${errors.join('').slice(0, 300)}`)
    return
  }
  child.kill('SIGKILL')
  await ended
  count(counts, 'readers killed')
}
