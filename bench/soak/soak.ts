// A server under many clients, faults and storms: its resources, its faults, and its leftovers.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { filter, timeout } from 'rxjs'
import { connect } from '../../lib/client.ts'
import type { ReconnectingClient } from '../../lib/client.ts'
import { verifyLog } from '../../lib/store/repair/verify-log.ts'
import { emptySession, foldSession } from '../../lib/streams/state/fold-session.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import type { Workspace } from '../report.ts'
import { chanceOf } from './chance.ts'
import { firstOf } from './first-of.ts'
import { faultyModel } from './faulty-model.ts'
import { processesOf, sampleOf } from './sample.ts'
import type { Sample } from './sample.ts'
import { trackClientStates } from './client-states.ts'
import { sessionPool } from './session-pool.ts'
import { stay } from './soak-client.ts'
import type { StayWorld, Visitor } from './soak-client.ts'
import { soakServer } from './soak-server.ts'

export interface SoakOptions {
  readonly minutes: number
  /** The same load before the judged part, so that the server has loaded and compiled its code. */
  readonly warmUpMinutes: number
  /** At a time. */
  readonly sessions: number
  readonly clients: number
  readonly seed: number
  /** Seconds between two samples. */
  readonly sampleS: number
  /** Milliseconds between two actions of one client, on average. */
  readonly everyMs: number
  /** Runs of a session before it is replaced, at most. */
  readonly runs: number
  /** Seconds after which an unused session leaves the server's memory. */
  readonly restAfterS: number
  /** Called with the progress from time to time. */
  readonly notify: (line: string) => void
}

export interface Soaked {
  readonly options: Omit<SoakOptions, 'notify'>
  readonly samples: readonly Sample[]
  /** When the server has just begun to listen. */
  readonly cold: Sample
  /** After the warm-up and at the end: the last client has left and the last session rests. */
  readonly before: Sample
  readonly after: Sample
  /** The counts of actions, model requests and events. */
  readonly counts: Readonly<Record<string, number>>
  /** The faults. */
  readonly faults: readonly string[]
  /** Lines of the server's standard error. */
  readonly standardError: readonly string[]
  readonly ended: string
  readonly logs: number
  readonly comparedStates: number
  /** Processes that remained after the server had ended. */
  readonly orphans: number
}

export async function soak(workspace: Workspace, { notify: report, ...options }: SoakOptions): Promise<Soaked> {
  const chance = chanceOf(options.seed)
  await using model = await faultyModel(chance)
  const server = await soakServer(workspace, { baseUrl: model.baseUrl, restAfterS: options.restAfterS })
  const control = connect({ open: () => server.open(), maxDelayMs: 500 })
  let startedAt = performance.now()
  const sample = async (): Promise<Sample> =>
    sampleOf(server.pid, performance.now() - startedAt, await firstOf(control.request({ type: 'server_status' })))
  const world: StayWorld = {
    chance,
    server,
    pool: sessionPool(chance, options.runs),
    clientStates: trackClientStates(),
    counts: {},
    faults: [],
    everyMs: options.everyMs,
    newSession: (client) => newSession(world, client),
  }
  await server.collect()
  const cold = await sample()
  await firstSessions(world, options.sessions)
  await underLoad(world, { ...options, minutes: options.warmUpMinutes }, startedAt, sample, report)
  const before = await calm(world, control, options, sample)
  report(`warmed up: ${lineOf(before)}`)
  startedAt = performance.now()
  const samples = await underLoad(world, options, startedAt, sample, report)
  report('all clients leave; waiting until every session rests')
  const after = await calm(world, control, options, sample)
  control.close()
  const ended = await server.stop()
  const orphans = processesOf(workspace.folder).length
  report('comparing and verifying the logs')
  const { logs, comparedStates } = await checkLogs(world, workspace.folder)
  const faults = [...world.faults, ...world.clientStates.faults]
  const counts = { ...world.counts, ...prefixed('model: ', model.answers) }
  return {
    options,
    samples,
    cold,
    before,
    after,
    counts,
    faults,
    standardError: server.standardError,
    ended,
    logs,
    comparedStates,
    orphans,
  }
}

/** By a client that disconnects: the opener of a session keeps it from resting. */
async function firstSessions(world: StayWorld, sessions: number): Promise<void> {
  const client = connect({ open: () => world.server.open() })
  for (let count = 0; count < sessions; count += 1) await newSession(world, client)
  client.close()
}

async function newSession({ server, pool, counts }: StayWorld, client: ReconnectingClient): Promise<void> {
  const command = {
    type: 'new_session',
    cwd: server.project(),
    env: server.env,
    model: 'openai/mock',
    approve: 'auto',
  } as const
  const opId = crypto.randomUUID() // the connection can be cut before the response
  const { session } = await firstOf(client.request(command, { opId }))
  pool.add(session)
  counts['sessions begun'] = (counts['sessions begun'] ?? 0) + 1
}

/** Clients come, stay and go until the time is over; each that leaves is replaced by another one. */
async function underLoad(
  world: StayWorld,
  { minutes, clients, sampleS }: Omit<SoakOptions, 'notify'>,
  startedAt: number,
  sample: () => Promise<Sample>,
  report: SoakOptions['notify'],
): Promise<Sample[]> {
  const untilMs = startedAt + minutes * 60_000
  const samples: Sample[] = []
  const sampling = (async () => {
    while (performance.now() < untilMs) {
      await delay(Math.min(sampleS * 1_000, Math.max(1, untilMs - performance.now())))
      const taken = await sample()
      samples.push(taken)
      if (samples.length % Math.ceil(60 / sampleS) === 0) report(`${lineOf(taken)}, ${world.faults.length} faults`)
    }
  })()
  const visiting = Array.from({ length: clients }, async (_, index) => {
    const visitor: Visitor = { name: `visitor-${index + 1}`, foldedStates: new Map() }
    while (performance.now() < untilMs) {
      try {
        await stay(world, visitor, untilMs)
      } catch (error) {
        world.faults.push(`${visitor.name}: ${Failure.from(error).message}`)
        await delay(1_000) // the server can be down: retry with a pause
      }
      await delay(world.chance.between(0, 2_000))
    }
    await finalVisit(world, visitor)
  })
  await Promise.all([sampling, ...visiting])
  return samples
}

/** Active runs are aborted; every session of the visitor is folded to its end. */
async function finalVisit(
  { server, pool, clientStates, faults }: StayWorld,
  { name, foldedStates }: Visitor,
): Promise<void> {
  const client = connect({ open: () => server.open(), hello: { client: name } })
  try {
    for (const session of pool.live) {
      await firstOf(client.request({ type: 'clear_queue', session }))
      await firstOf(client.request({ type: 'abort', session }))
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
    faults.push(`${name}: its last look: ${Failure.from(error).message}`)
  } finally {
    client.close()
  }
}

/** Resolves to the remaining sessions when none is in memory any more, or after a limit. */
async function calm(
  { faults, server }: StayWorld,
  control: ReconnectingClient,
  { restAfterS }: Pick<SoakOptions, 'restAfterS'>,
  sample: () => Promise<Sample>,
): Promise<Sample> {
  const untilMs = performance.now() + (restAfterS + 60) * 1_000
  let left = await sample()
  while (left.sessions > 0 && performance.now() < untilMs) {
    await delay(1_000)
    left = await sample()
  }
  await server.collect()
  left = await sample()
  if (left.sessions > 0) {
    const { sessions } = await firstOf(control.request({ type: 'list_sessions', all: true, limit: 10_000 }))
    const held = sessions.filter(({ live }) => live !== undefined)
    faults.push(`${left.sessions} sessions do not rest, among them ${held.map(({ id }) => id).join(' ')}`)
  }
  return left
}

async function checkLogs({ clientStates, faults }: StayWorld, folder: string) {
  let [logs, comparedStates] = [0, 0]
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const session = /_([a-z0-9]+)\.jsonl$/.exec(name)?.[1]
    if (session === undefined || !name.includes('sessions/')) continue
    const file = path.join(folder, name)
    logs += 1
    const steps = verifyLog(file)
    let step = steps.next()
    while (step.done !== true) step = steps.next()
    const { clean, damages } = step.value
    if (!clean) faults.push(`${name} does not verify: ${damages[0]?.problem ?? 'unknown reason'}`)
    comparedStates += await clientStates.compare(session, file)
  }
  return { logs, comparedStates }
}

function prefixed(prefix: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [prefix + name, count]))
}

function lineOf({ atMs, rssMiB, heapMiB, descriptors, processes, sessions, running, clients }: Sample): string {
  const minutes = (atMs / 60_000).toFixed(1)
  const memory = `${rssMiB.toFixed(0)} MiB, heap ${heapMiB.toFixed(0)}`
  return `${minutes} min: ${memory}, ${descriptors} descriptors, ${processes} processes, ${sessions} sessions, ${running} running, ${clients} clients`
}
