// Verifies every log of a soak, compares it with what clients hold, and counts its events.
import { createReadStream, readdirSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import type { ReceivedEvent } from '../../lib/client.ts'
import { verifyLog } from '../../lib/store/repair/verify-log.ts'
import { describeThrown } from '../../lib/streams/values/failure.ts'
import type { ClientStates } from './client-states.ts'
import { countEvent } from './log-counts.ts'
import { escapeMark } from './storm-calls.ts'

export interface CheckedLogs {
  readonly logs: number
  /** States that clients hold, which were compared. */
  readonly comparedStates: number
  readonly counts: Readonly<Record<string, number>>
}

export interface CheckLogsOptions {
  readonly folder: string
  readonly clientStates: ClientStates
  readonly faults: string[]
}

/** A log that does not verify is a fault; so is a file that a command wrote outside of its sandbox. */
export async function checkLogs({ folder, clientStates, faults }: CheckLogsOptions): Promise<CheckedLogs> {
  let [logs, comparedStates] = [0, 0]
  const counts: Record<string, number> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (path.basename(name).startsWith(escapeMark)) faults.push(`A command has left its sandbox: ${name}`)
    const session = /_([a-z0-9]+)\.jsonl$/.exec(name)?.[1]
    if (session === undefined || !name.includes('sessions/')) continue
    const file = path.join(folder, name)
    logs += 1
    try {
      verify(file, name, faults)
      comparedStates += await clientStates.compare(session, file)
      await countEvents(file, counts)
    } catch (error) {
      faults.push(`${name} cannot be read: ${describeThrown(error)}`)
    }
  }
  return { logs, comparedStates, counts }
}

function verify(file: string, name: string, faults: string[]): void {
  const steps = verifyLog(file)
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  const { clean, damages } = step.value
  if (!clean) faults.push(`${name} does not verify: ${damages[0]?.problem ?? 'unknown reason'}`)
}

async function countEvents(file: string, counts: Record<string, number>): Promise<void> {
  for await (const line of createInterface({ input: createReadStream(file) })) {
    const { event } = JSON.parse(line) as Partial<ReceivedEvent>
    if (event !== undefined) countEvent(counts, event) // else the header, or a checkpoint
  }
}
