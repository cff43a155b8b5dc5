// Tests the life of a connection: start, lists, restarts with back-off, and that nothing is left.
import { tmpdir } from 'node:os'
import {
  EMPTY,
  filter,
  firstValueFrom,
  map,
  NEVER,
  Subject,
  take,
  throwError,
  toArray,
  VirtualTimeScheduler,
} from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { connectClient } from '../../../lib/mcp/connection/connect-client.ts'
import type { FoundRevision } from '../../../lib/mcp/connection/connect-client.ts'
import { superviseServer } from '../../../lib/mcp/connection/supervise-server.ts'
import type { SuperviseOptions } from '../../../lib/mcp/connection/supervise-server.ts'
import { serverLog } from '../../../lib/mcp/transport/server-log.ts'
import type { ServerLog } from '../../../lib/mcp/transport/server-log.ts'
import { countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { caller, plainServer, supervised } from './scene.ts'

afterEach(async () => {
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  expect(countLiveCalls()).toBe(0)
})

/** States over virtual time: `connect` stands for the connection. */
function statesOf(
  connect: SuperviseOptions['connect'],
  {
    untilMs = 60_000,
    restart$ = EMPTY,
  }: { readonly untilMs?: number; readonly restart$?: SuperviseOptions['restart$'] } = {},
) {
  const scheduler = new VirtualTimeScheduler(undefined, untilMs)
  const states: string[] = []
  const subscription = superviseServer({
    server: plainServer('plain', { startTimeoutMs: 5_000 }),
    cwd: '/',
    env: {},
    log: serverLog(),
    prepare: () => undefined,
    restart$,
    scheduler,
    ...(connect === undefined ? {} : { connect }),
  }).subscribe(({ status: { state, error, restarts } }) => {
    states.push([scheduler.now() / 1_000, state, restarts, ...(error === undefined ? [] : [error])].join(' '))
  })
  return { scheduler, states, end: () => subscription.unsubscribe() }
}

const starting = {
  cwd: tmpdir(),
  env: { PATH: process.env['PATH'] ?? '' },
  prepare: () => undefined,
  onListChanged: () => undefined,
}
const ended = new Failure('mcp_error', 'ended')

describe('superviseServer over virtual time', () => {
  it('starts again after 1, 2, 4 and 8 s and gives up at the fifth end [MCP-connect-again]', () => {
    const { scheduler, states } = statesOf(() => throwError(() => ended))
    scheduler.flush()
    expect(states).toEqual([
      '0 starting 0', '0 waiting 0 ended',
      '1 starting 1', '1 waiting 1 ended',
      '3 starting 2', '3 waiting 2 ended',
      '7 starting 3', '7 waiting 3 ended',
      '15 starting 4', '15 failed 4 ended',
    ]) // prettier-ignore
  })

  it('begins anew when it is restarted', () => {
    const restart$ = new Subject<void>()
    let isBroken = true
    const { scheduler, states, end } = statesOf(() => (isBroken ? throwError(() => ended) : NEVER), { restart$ })
    scheduler.maxFrames = 20_000
    scheduler.flush()
    isBroken = false
    restart$.next()
    expect(states.slice(-2)).toEqual(['15 failed 4 ended', '15 starting 5'])
    end()
  })

  it('ends a start that takes too long', () => {
    const { scheduler, states, end } = statesOf(() => NEVER, { untilMs: 5_500 })
    scheduler.flush()
    expect(states).toEqual(['0 starting 0', '5 waiting 0 The MCP server plain did not answer within 5 s'])
    end()
  })

  it.each([
    ['failed', new Failure('bad_config', 'no such program')],
    ['needs_login', new Failure('mcp_error', 'wants a sign-in', { data: { status: 401 } })],
  ])('stays %s without another start', (state, failure) => {
    const { scheduler, states } = statesOf(() => throwError(() => failure))
    scheduler.flush()
    expect(states).toEqual(['0 starting 0', `0 ${state} 0 ${failure.message}`])
  })
})

describe('superviseServer', () => {
  it('connects an older program, reads its lists, and ends it [MCP-connect-older]', async () => {
    const { state$ } = supervised(plainServer())
    const states = await firstValueFrom(state$.pipe(take(2), toArray()), { defaultValue: [] })
    expect(states.map(({ status }) => status)).toEqual([
      { server: 'plain', state: 'starting', restarts: 0 },
      {
        server: 'plain',
        state: 'ready',
        protocol: '2025-11-25',
        tools: 7,
        restarts: 0,
        pid: expect.any(Number) as number,
      },
    ])
    expect(states[1]?.lists).toMatchObject({ instructions: 'Use echo.', prompts: [], resources: [] })
  })

  it('connects a program that ends at a request of the newer revision', async () => {
    const { state$ } = supervised(plainServer('strict'))
    const ready = await firstValueFrom(state$.pipe(filter(({ status }) => status.state !== 'starting')), {
      defaultValue: undefined,
    })
    expect(ready?.status).toMatchObject({ state: 'ready', protocol: '2025-11-25', restarts: 0 })
  })

  it('asks a program that ended at the first request in the older revision at once the next time', async () => {
    const [found, log]: [FoundRevision, ServerLog] = [{}, serverLog()]
    const start = (mode: string) =>
      firstValueFrom(connectClient({ ...starting, server: plainServer(mode), log, found }), { defaultValue: undefined })
    expect(await start('strict')).toMatchObject({ protocol: '2025-11-25' })
    expect(found).toEqual({ mode: 'legacy' })
    expect(await start('strict')).toMatchObject({ protocol: '2025-11-25' })
  })

  it('starts a program that ended in both revisions once the next time', async () => {
    const [found, log]: [FoundRevision, ServerLog] = [{}, serverLog()]
    const options = { ...starting, server: plainServer('crash'), log, found }
    const starts = () => log.lines().filter((line) => line.includes('cannot find module')).length
    for (const count of [2, 3, 4]) {
      await expect(firstValueFrom(connectClient(options), { defaultValue: undefined })).rejects.toThrow('exit code 1')
      expect(starts()).toBe(count)
    }
  })

  it('passes over what is no message, and quotes it in the log', async () => {
    const { state$, log } = supervised(plainServer('garbage'))
    const ready = await firstValueFrom(state$.pipe(filter(({ status }) => status.state !== 'starting')), {
      defaultValue: undefined,
    })
    expect(ready?.status.state).toBe('ready')
    expect(log.lines()).toHaveLength(3)
  })

  it('reports how a program ended, and waits', async () => {
    const { state$, log } = supervised(plainServer('crash'))
    const waiting = await firstValueFrom(state$.pipe(filter(({ status }) => status.state !== 'starting')), {
      defaultValue: undefined,
    })
    expect(waiting?.status).toEqual({
      server: 'plain',
      state: 'waiting',
      restarts: 0,
      error:
        'The MCP server plain could not be connected: it ended with exit code 1; the last line of its log: Error: cannot find module',
    })
    expect(log.lines()).toContain('Error: cannot find module')
  })

  it('reads a changed list once for a burst of notifications, and has the lists of before meanwhile', async () => {
    const { state$, peer } = supervised(plainServer())
    const descriptions$ = state$.pipe(
      filter(({ status }) => status.state === 'ready'),
      map(({ lists }) => lists?.tools[0]?.description),
    )
    const both = firstValueFrom(descriptions$.pipe(take(2), toArray()), { defaultValue: [] })
    await firstValueFrom(peer.callTool('change', {}, caller), { defaultValue: undefined })
    expect(await both).toEqual(['echo 1', 'echo 2'])
  })
})
