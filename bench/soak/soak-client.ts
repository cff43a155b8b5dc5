// One visit of a client: it connects, folds some sessions, acts, and leaves in one of many ways.
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { timeout } from 'rxjs'
import type { Subscription } from 'rxjs'
import type { ClientEvent, ReconnectingClient } from '../../lib/client.ts'
import { emptySession, foldSession } from '../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../lib/streams/state/fold-session.ts'
import { firstOf } from './first-of.ts'
import { recordFault } from './record-fault.ts'
import { act, count } from './soak-actions.ts'
import type { SoakWorld } from './soak-actions.ts'
import type { ClientStates } from './client-states.ts'
import type { SoakServer } from './soak-server.ts'
import { connectVisitor } from './visitors/connect-visitor.ts'
import type { VisitorConnection } from './visitors/connect-visitor.ts'
import { soakFiles } from './visitors/soak-files.ts'

/** A client that comes and goes, and remembers its position in each session. */
export interface Visitor {
  readonly name: string
  readonly foldedStates: Map<string, SessionState>
}

export interface StayWorld extends SoakWorld {
  readonly server: SoakServer
  /** The address of its gateway. */
  readonly gateway: string
  /** Sessions that editors have begun, which are not in the pool. */
  readonly strays: string[]
  readonly clientStates: ClientStates
  /** Milliseconds between two actions of one client, on average. */
  readonly everyMs: number
}

/**
 * `cut`: its connection breaks sometimes, and it continues; `deaf`: it stops reading for a while; `rude`: it sends
 * invalid requests.
 */
const manners = { steady: 40, cut: 25, deaf: 15, rude: 10, glance: 10 }

/** Of the stays, so many go over the gateway; of the sessions that are followed, so many get files of the client. */
const [shareOfGateway, shareOfFiles] = [0.3, 0.2]

/** Resolves when it has left; `untilMs` is the end of the soak, by `performance.now()`. */
export async function stay(world: StayWorld, visitor: Visitor, untilMs: number): Promise<void> {
  const { chance, server, pool, counts } = world
  const manner = chance.weighted(manners)
  const gateway = chance.next() < shareOfGateway ? world.gateway : undefined
  count(counts, `stays: ${manner}`)
  if (gateway !== undefined) count(counts, 'stays: over the gateway')
  const connection = connectVisitor({ name: visitor.name, server, gateway })
  const { client } = connection
  for (const id of visitor.foldedStates.keys()) if (!pool.isLive(id)) visitor.foldedStates.delete(id)
  const followed = new Map<string, Subscription>()
  const endsAt = Math.min(untilMs, performance.now() + chance.between(2_000, manner === 'glance' ? 3_000 : 30_000))
  try {
    while (performance.now() < endsAt) {
      const session = chance.one(pool.live)
      if (session === undefined) throw new Error('There is no session left')
      if (!followed.has(session) && followed.size < 4) followed.set(session, follow(world, client, visitor, session))
      if (chance.next() < 0.03) await revisit(world, client, followed)
      if (manner === 'cut' && chance.next() < 0.15) connection.cut()
      if (manner === 'rude') await beRude(world)
      if (manner === 'deaf' && chance.next() < 0.2) await withoutReading(connection, chance.between(500, 6_000))
      else await act(world, client, chance.one([...followed.keys()].filter(pool.isLive)) ?? session)
      for (const [id, following] of followed) if (!pool.isLive(id)) end(followed, id, following)
      await delay(chance.between(0, 2 * world.everyMs))
    }
  } finally {
    for (const following of followed.values()) following.unsubscribe()
    if (chance.next() < 0.3) connection.cut() // without a request
    client.close()
  }
}

function end(followed: Map<string, Subscription>, id: string, following: Subscription): void {
  following.unsubscribe()
  followed.delete(id)
}

/** Sends invalid requests on a connection of its own, then disconnects. */
async function beRude({ server, chance, counts }: StayWorld): Promise<void> {
  const lines = [
    '\n\n',
    '{"v":1}\n',
    'no json\n',
    '{"v":1,"id":"x","type":"no"}\n',
    '{"half',
    'x'.repeat(100_000),
    '\u0000\n',
  ]
  let socket: Socket | undefined
  await firstOf(server.open((opened) => (socket = opened)))
  count(counts, 'rude connections')
  for (let left = chance.between(1, 20); left > 0; left -= 1) socket?.write(chance.one(lines) ?? '')
  await delay(chance.between(0, 50))
  socket?.destroy()
}

async function withoutReading(connection: VisitorConnection, ms: number): Promise<void> {
  connection.pause()
  await delay(ms)
  connection.resume()
}

/** Folds a session from the visitor's position, as long as it is followed. */
function follow(world: StayWorld, client: ReconnectingClient, visitor: Visitor, session: string): Subscription {
  const { chance, clientStates, counts } = world
  let state = visitor.foldedStates.get(session) ?? emptySession()
  const deltas = chance.next() < 0.8
  const joinMs = chance.next() < 0.3 ? 50 : 0
  const onCall = (outcome: string): void => {
    count(counts, `files of a client: ${outcome}`)
  }
  const files = chance.next() < shareOfFiles ? { files: soakFiles({ chance, onCall }) } : {}
  return client.events$(session, { after: state.seq, deltas, joinMs, ...files }).subscribe({
    next: (received) => {
      state = folded(world, session, state, received)
      visitor.foldedStates.set(session, state)
      if (received.type === 'event' && received.event.type === 'agent_settled') clientStates.note(session, state)
    },
    error: (error: unknown) => {
      recordFault(world, `${session}: a client that follows it failed`, error)
    },
  })
}

/** Every durable event comes once, and the numbers are continuous. */
function folded(
  { faults, counts }: StayWorld,
  session: string,
  state: SessionState,
  received: ClientEvent,
): SessionState {
  const kind = received.type === 'event' ? (received.seq === undefined ? 'live' : 'durable') : received.type
  count(counts, `reported: ${kind}`)
  if (received.type !== 'event') return state
  if (received.seq !== undefined && received.seq !== state.seq + 1)
    faults.push(`${session}: seq ${received.seq} came after ${state.seq}`)
  return foldSession(state, received)
}

/** A replaced session is read again, whole, from its log; not one that the client still follows. */
async function revisit(
  world: StayWorld,
  client: ReconnectingClient,
  followed: ReadonlyMap<string, Subscription>,
): Promise<void> {
  const session = world.chance.one(world.pool.retired.filter((id) => !followed.has(id)))
  if (session === undefined) return
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  let state = emptySession()
  const reading = client
    .events$(session, { after: 0 })
    .pipe(timeout(60_000))
    .subscribe({
      next: (received) => {
        state = folded(world, session, state, received)
        if (received.type !== 'caught_up') return
        world.clientStates.note(session, state)
        resolve(undefined)
      },
      error: reject,
    })
  try {
    await promise
  } catch (error) {
    recordFault(world, `${session}: looked at again`, error)
  } finally {
    reading.unsubscribe()
  }
}
