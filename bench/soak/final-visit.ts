// The end of a soak: every run is aborted, every client folds each session to its end, and the sessions rest.
import { setTimeout as delay } from 'node:timers/promises'
import { filter, timeout } from 'rxjs'
import { connect } from '../../lib/client.ts'
import type { ReconnectingClient } from '../../lib/client.ts'
import { emptySession, foldSession } from '../../lib/streams/state/fold-session.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { firstOf } from './first-of.ts'
import { recordFault } from './record-fault.ts'
import type { Sample } from './sample.ts'
import type { StayWorld, Visitor } from './soak-client.ts'
import type { AliveObjects } from './soak-server.ts'

/** The server without clients and sessions in memory, after a collection. */
export interface Rest {
  readonly sample: Sample
  readonly alive: AliveObjects
}

/** Active runs are aborted; every session of the visitor is folded to its end. */
export async function finalVisit(world: StayWorld, { name, foldedStates }: Visitor): Promise<void> {
  const { server, pool, clientStates } = world
  const client = connect({ open: () => server.open(), hello: { client: name } })
  try {
    for (const session of pool.live) {
      await stopRun(client, session)
      let state = foldedStates.get(session) ?? emptySession()
      const events$ = client.events$(session, { after: state.seq, deltas: false }).pipe(
        filter((received) => {
          if (received.type === 'event') state = foldSession(state, received)
          return received.type === 'caught_up'
        }),
        timeout(60_000),
      )
      await firstOf(events$)
      clientStates.note(session, state)
    }
  } catch (error) {
    recordFault(world, `${name}: its last look`, error)
  } finally {
    client.close()
  }
}

/** Stops the runs of the sessions that editors have begun: nobody else knows them. */
export async function stopStrays(world: StayWorld): Promise<void> {
  const client = connect({ open: () => world.server.open() })
  try {
    for (const session of world.strays.splice(0)) await stopRun(client, session)
  } catch (error) {
    recordFault(world, 'the session of an editor', error)
  } finally {
    client.close()
  }
}

async function stopRun(client: ReconnectingClient, session: string): Promise<void> {
  try {
    await firstOf(client.request({ type: 'clear_queue', session }))
    await firstOf(client.request({ type: 'abort', session }))
  } catch (error) {
    if (Failure.from(error).code !== 'unknown_session') throw error // its editor ended before its first line was written
  }
}

export interface CalmOptions {
  readonly restAfterS: number
  readonly control: ReconnectingClient
  sample(): Promise<Sample>
}

/** The guardian of the server's processes, and its watch. */
export const restingProcesses = 3

/** Resolves to the server at rest: when no session is in memory and their processes have ended, or after a limit. */
export async function calm({ faults, server }: StayWorld, options: CalmOptions): Promise<Rest> {
  const { control, restAfterS, sample } = options
  const untilMs = performance.now() + (restAfterS + 60) * 1_000
  let left = await sample()
  while ((left.sessions > 0 || left.processes > restingProcesses) && performance.now() < untilMs) {
    await delay(1_000)
    left = await sample()
  }
  const alive = await server.collect()
  left = await sample()
  if (left.sessions > 0) {
    const { sessions } = await firstOf(control.request({ type: 'list_sessions', all: true, limit: 10_000 }))
    const held = sessions.filter(({ live }) => live !== undefined)
    faults.push(`${left.sessions} sessions do not rest, among them ${held.map(({ id }) => id).join(' ')}`)
  }
  return { sample: left, alive }
}
