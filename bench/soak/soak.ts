// A server under many clients, faults and storms: its resources, its faults, and its leftovers.
import path from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '../../lib/client.ts'
import type { ReconnectingClient } from '../../lib/client.ts'
import type { Workspace } from '../report.ts'
import { chanceOf } from './chance.ts'
import { checkLogs } from './check-logs.ts'
import { calm, finalVisit, stopStrays } from './final-visit.ts'
import type { CalmOptions, Rest } from './final-visit.ts'
import { firstOf } from './first-of.ts'
import { faultyModel } from './faulty-model.ts'
import { recordFault } from './record-fault.ts'
import { processesOf, programOf, sampleOf } from './sample.ts'
import type { Sample } from './sample.ts'
import { trackClientStates } from './client-states.ts'
import { sessionPool } from './session-pool.ts'
import { count } from './soak-actions.ts'
import { stay } from './soak-client.ts'
import type { StayWorld, Visitor } from './soak-client.ts'
import { soakServer } from './soak-server.ts'
import type { Soaked, SoakOptions } from './soaked.ts'
import { soakFolders } from './setting/soak-folders.ts'
import { soakModels } from './setting/soak-settings.ts'
import { useEditor } from './visitors/editor.ts'
import { killServers } from './visitors/kill-servers.ts'
import { killReader } from './visitors/reader.ts'

/** The program of the MCP servers. */
const serverProgram = 'test/mcp/fixtures/plain-server.ts'
/** A soak whose own event loop stood still for longer cannot judge time limits. */
const longestStallMs = 10_000

export async function soak(workspace: Workspace, { notify: report, ...options }: SoakOptions): Promise<Soaked> {
  const stalls = monitorEventLoopDelay()
  stalls.enable()
  const chance = chanceOf(options.seed)
  await using model = await faultyModel(chance)
  const server = await soakServer(workspace, { baseUrl: model.baseUrl, restAfterS: options.restAfterS })
  const control = connect({ open: () => server.open(), maxDelayMs: 500 })
  let startedAt = performance.now()
  const sample = async (): Promise<Sample> =>
    sampleOf(server.pid, performance.now() - startedAt, await firstOf(control.request({ type: 'server_status' })))
  const { http: gateway = '' } = await firstOf(control.request({ type: 'server_status' }))
  const folders = soakFolders({
    folder: workspace.folder,
    chance,
    serverProgram: path.join(workspace.root, serverProgram),
  })
  const world: StayWorld = {
    ...{ chance, server, gateway, folders, strays: [], kinds: new Map(), counts: {}, faults: [], ownFaults: [] },
    pool: sessionPool(chance, options.runs),
    clientStates: trackClientStates(),
    everyMs: options.everyMs,
    newSession: (client) => newSession(world, client),
  }
  const cold = { alive: await server.collect(), sample: await sample() }
  await folders.trust(control, server.env)
  await firstSessions(world, options.sessions)
  const restOptions = { control, sample, restAfterS: options.restAfterS }
  await underLoad(world, { ...options, minutes: options.warmUpMinutes }, sample, report)
  const before = await calm(world, restOptions)
  report(`warmed up: ${lineOf(before.sample)}`)
  startedAt = performance.now()
  const { samples, rests, after } = await inParts(world, options, { ...restOptions, report })
  control.close()
  const ended = await server.stop()
  const orphans = processesOf(workspace.folder).map(programOf)
  report('comparing and verifying the logs')
  if (stalls.max / 1e6 > longestStallMs)
    world.ownFaults.push(
      `The soak stood still for ${(stalls.max / 1e9).toFixed(1)} s: the machine has too little time for it`,
    )
  stalls.disable()
  const { counts: logged, ...checked } = await checkLogs({ ...world, folder: workspace.folder })
  return {
    ...{ options, samples, cold, before, after, rests, ended, orphans, ...checked },
    counts: { ...world.counts, ...prefixed('model: ', model.answers), ...logged },
    faults: [...world.faults, ...world.clientStates.faults],
    ownFaults: world.ownFaults,
    standardError: server.standardError,
    leftFiles: server.leftFiles(),
  }
}

interface PartOptions extends CalmOptions {
  readonly report: SoakOptions['notify']
}

/** The load in equal parts, with a rest after each. */
async function inParts(
  world: StayWorld,
  options: Omit<SoakOptions, 'notify'>,
  { report, ...restOptions }: PartOptions,
): Promise<Pick<Soaked, 'samples' | 'rests' | 'after'>> {
  const { minutes, parts } = options
  const samples: Sample[] = []
  const load = async (): Promise<Rest> => {
    samples.push(...(await underLoad(world, { ...options, minutes: minutes / parts }, restOptions.sample, report)))
    report('all clients leave; waiting until every session rests')
    const rest = await calm(world, restOptions)
    report(`at rest: ${lineOf(rest.sample)}`)
    return rest
  }
  let after = await load()
  const rests = [after]
  while (rests.length < parts) {
    after = await load()
    rests.push(after)
  }
  return { samples, rests, after }
}

/** By a client that disconnects: the opener of a session keeps it from resting. */
async function firstSessions(world: StayWorld, sessions: number): Promise<void> {
  const client = connect({ open: () => world.server.open() })
  for (let begun = 0; begun < sessions; begun += 1) await newSession(world, client)
  client.close()
}

async function newSession(world: StayWorld, client: ReconnectingClient): Promise<void> {
  const { chance, server, pool, folders, kinds, counts } = world
  const kind = folders.kind()
  const command = {
    type: 'new_session',
    ...folders.setup(kind),
    env: server.env,
    model: chance.one(soakModels) ?? soakModels[0],
    approve: 'auto',
  } as const
  const opId = crypto.randomUUID() // the connection can be cut before the response
  const { session } = await firstOf(client.request(command, { opId }))
  kinds.set(session, kind)
  pool.add(session)
  count(counts, `sessions begun: ${kind}`)
}

/** Clients come, stay and go until the time is over; each that leaves is replaced by another one. */
async function underLoad(
  world: StayWorld,
  { minutes, clients, editors, sampleS }: Omit<SoakOptions, 'notify'>,
  sample: () => Promise<Sample>,
  report: SoakOptions['notify'],
): Promise<Sample[]> {
  const untilMs = performance.now() + minutes * 60_000
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
    await repeat(world, { name: visitor.name, untilMs, pauseMs: 2_000 }, () => stay(world, visitor, untilMs))
    await finalVisit(world, visitor)
  })
  const editing = Array.from({ length: editors }, (_, index) =>
    repeat(world, { name: `editor-${index + 1}`, untilMs, pauseMs: 5_000 }, () => useEditor(world, untilMs)),
  )
  const reading = Array.from({ length: editors }, (_, index) =>
    repeat(world, { name: `reader-${index + 1}`, untilMs, pauseMs: 8_000 }, () => killReader(world)),
  )
  const killing = killServers(world, path.basename(serverProgram), untilMs)
  await Promise.all([sampling, killing, ...visiting, ...editing, ...reading])
  await stopStrays(world)
  return samples
}

interface Repetition {
  readonly name: string
  readonly untilMs: number
  /** Between two times, at most. */
  readonly pauseMs: number
}

/** An error is recorded and does not end it: the server can be down, so it pauses. */
async function repeat(
  world: StayWorld,
  { name, untilMs, pauseMs }: Repetition,
  act: () => Promise<void>,
): Promise<void> {
  while (performance.now() < untilMs) {
    try {
      await act()
    } catch (error) {
      recordFault(world, name, error)
      await delay(1_000)
    }
    await delay(world.chance.between(0, pauseMs))
  }
}

function prefixed(prefix: string, counts: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [prefix + name, count]))
}

function lineOf({
  atMs,
  rssMiB,
  heapMiB,
  descriptors,
  processes,
  threads,
  sessions,
  running,
  clients,
}: Sample): string {
  const minutes = (atMs / 60_000).toFixed(1)
  const memory = `${rssMiB.toFixed(0)} MiB, heap ${heapMiB.toFixed(0)}`
  return `${minutes} min: ${memory}, ${descriptors} descriptors, ${processes} processes, ${threads} threads, ${sessions} sessions, ${running} running, ${clients} clients`
}
