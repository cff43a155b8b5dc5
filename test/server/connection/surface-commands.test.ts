// Tests the surfaces of a session at the clients of a server: sizes, keys, ends, and who may send what.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { rmSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Subject, filter, firstValueFrom, lastValueFrom, mergeMap, share } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { registry } from '../../../lib/extensions/lifecycle/contribution-registry.ts'
import { surfaceHub } from '../../../lib/extensions/surfaces/surface-hub.ts'
import type { HeldSurface } from '../../../lib/extensions/surfaces/held-surface.ts'
import type { SurfaceComponent } from '../../../lib/extensions/index.ts'
import { createServer } from '../../../lib/server/create-server.ts'
import type { Server } from '../../../lib/server/create-server.ts'
import { serve } from '../../../lib/server/serve.ts'
import { connect } from '../../../lib/server/client/client.ts'
import { connectSocket } from '../../../lib/server/socket/connect-socket.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { fakeBackend } from '../../support/fake-backend.ts'
import { fakeSession } from '../../support/fake-session.ts'
import { lineClient } from '../../support/line-client.ts'
import type { LineClient } from '../../support/line-client.ts'
import { outcome } from './connection-scene.ts'

const session = 'aaaaaaaaaaaa'

function setup() {
  const list = registry<HeldSurface>()
  const end$ = new Subject<void>()
  const surfaces = surfaceHub({ list, report: (_owner, _where, thrown) => Failure.from(thrown), end$ })
  const host = fakeBackend()
  const fake = Object.assign(fakeSession({ id: session }), { surfaces })
  host.sessionsById.set(session, fake)
  const show = (id: string, component: Partial<SurfaceComponent> = {}): HeldSurface => {
    const invalid$ = new Subject<void>()
    const held: HeldSurface = {
      id,
      component: { placement: 'widget', render: ({ columns }) => ['x'.repeat(columns)], ...component },
      invalid$,
      invalidate: () => invalid$.next(),
      end: () => registration.unregister(),
    }
    const registration = list.add({ owner: 'own', value: held, priority: 0, end$: new Subject() })
    return held
  }
  return { server: createServer({ host, version: '1' }), surfaces, show, fake }
}

function client(
  server: Server,
  { columns, isPerson = true }: { columns?: number; isPerson?: boolean } = {},
): LineClient {
  const own = lineClient(server)
  if (isPerson) own.ask('hello', { type: 'hello', ui: true })
  own.ask('open', { type: 'open_session', session, cwd: '/' })
  own.ask('attach', { type: 'attach', session })
  if (columns !== undefined) own.ask('size', { type: 'surface_resize', session, columns, rows: 24 })
  return own
}

interface SurfaceFrame {
  readonly event?: {
    readonly type: string
    readonly id: string
    readonly lines: readonly string[]
    readonly closed?: boolean
  }
}

/** `ID WIDTH` for lines, `ID closed` for an end. */
function drawn({ frames }: LineClient): string[] {
  return (frames as SurfaceFrame[]).flatMap(({ event }) =>
    event?.type === 'surface'
      ? [`${event.id} ${event.closed === true ? 'closed' : (event.lines[0]?.length ?? 0)}`]
      : [],
  )
}

const key = (surface: string, data = 'x') => ({ type: 'surface_key', session, surface, data })

describe('a client [COMMAND-surface_key, EVENT-surface]', () => {
  it('gets the surfaces for its own width, open ones first; without a width it gets none', () => {
    const { server, show } = setup()
    const first = show('a')
    const [wide, narrow, blind] = [client(server, { columns: 80 }), client(server, { columns: 20 }), client(server)]
    show('b')
    first.end()
    const late = client(server, { columns: 10 })
    narrow.ask('more', { type: 'surface_resize', session, columns: 30, rows: 24 })
    expect([drawn(wide), drawn(narrow).slice(0, 3), drawn(blind), drawn(late)]).toEqual([
      ['a 80', 'b 80', 'a closed'],
      ['a 20', 'b 20', 'a closed'],
      [],
      ['b 10'],
    ])
  })

  it('gets nothing more after it detached, and starts without a width when it attaches again', () => {
    const { server, show, surfaces } = setup()
    const held = show('a')
    const own = client(server, { columns: 80 })
    own.ask('detach', { type: 'detach', session })
    held.end()
    show('b')
    own.ask('again', { type: 'attach', session })
    expect([drawn(own), surfaces.screen()]).toEqual([['a 80'], undefined])
    own.ask('size 2', { type: 'surface_resize', session, columns: 40, rows: 24 })
    expect(drawn(own)).toEqual(['a 80', 'b 40'])
  })

  it('sends keys, gets what the surface makes of them, and closes it for all', () => {
    const { server, show } = setup()
    const keys: unknown[] = []
    show('a', { key: (press) => (keys.push(press), { taken: false, text: 'ab', submit: 'sent' }) })
    const [own, other] = [client(server, { columns: 80 }), client(server, { columns: 20 })]
    own.ask('1', { ...key('a', '\u001b[A'), name: 'up' })
    own.ask('2', { type: 'surface_close', session, surface: 'a' })
    expect([keys, own.answers('1'), own.answers('2'), drawn(other)]).toMatchObject([
      [{ data: '\u001b[A', name: 'up' }],
      [{ ok: true, result: { taken: false, text: 'ab', submit: 'sent' } }],
      [{ ok: true, result: {} }],
      ['a 20', 'a closed'],
    ])
  })

  it('gets the end of the session after its surfaces', () => {
    const { server, show, fake } = setup()
    show('a')
    const own = client(server, { columns: 80 })
    fake.close().subscribe()
    show('b')
    expect(drawn(own)).toEqual(['a 80'])
  })
})

describe('a command is refused', () => {
  const resize = { type: 'surface_resize', session, columns: 80, rows: 24 }
  const close = { type: 'surface_close', session, surface: 'a' }

  it.each([
    ['a key for an unknown surface', key('b'), 'unknown_surface'],
    ['the end of a closed surface', { ...close, surface: 'gone' }, 'unknown_surface'],
    ['a key for a surface without keys', key('a'), 'bad_request'],
    ['an empty key', key('a', ''), 'bad_request'],
    ['a key that is too long', key('a', 'x'.repeat(65_537)), 'bad_request'],
    ['a width of 0', { ...resize, columns: 0 }, 'bad_request'],
    ['a width beyond all screens', { ...resize, columns: 10_001 }, 'bad_request'],
  ])('for %s', (_, command, code) => {
    const { server, show } = setup()
    show('a')
    show('gone').end()
    const own = client(server, { columns: 80 })
    own.ask('1', command)
    expect(outcome(own, '1')).toBe(code)
  })

  it.each([
    ['a size', resize],
    ['a key', key('a')],
    ['an end', close],
  ])('for %s of a client that is not attached', (_, command) => {
    const { server, show } = setup()
    show('a', { key: () => undefined })
    const own = lineClient(server)
    own.ask('hello', { type: 'hello', ui: true })
    own.ask('open', { type: 'open_session', session, cwd: '/' })
    own.ask('1', command)
    expect(outcome(own, '1')).toBe('bad_request')
  })

  it.each([
    ['a key', key('a')],
    ['an end', close],
  ])('for %s from a client that no person uses', (_, command) => {
    const { server, show } = setup()
    show('a', { key: () => undefined })
    const own = client(server, { isPerson: false })
    own.ask('1', command)
    expect(outcome(own, '1')).toBe('not_allowed')
  })

  it('for a session without extensions, and a size there is fine', () => {
    const { server, fake } = setup()
    Object.assign(fake, { surfaces: undefined })
    const own = client(server, { columns: 80 })
    own.ask('1', key('a'))
    expect([outcome(own, 'size'), outcome(own, '1')]).toEqual(['ok', 'unknown_surface'])
  })
})

describe('over a socket', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'rxpi-surface-'))
  })
  afterEach(() => {
    rmSync(folder, { recursive: true })
  })

  it('two clients of two widths each get their lines, and a slow one the latest', async () => {
    const { server, show } = setup()
    let frame = 0
    const held = show('a', { render: ({ columns }) => [`${columns} ${frame}`] })
    const socket = path.join(folder, 'rxpi.sock')
    const over = lastValueFrom(serve(server, { socket }), { defaultValue: undefined })
    const clients = await Promise.all([80, 20].map((columns) => attached(socket, columns)))
    const lines = clients.map((each) => each.lines)
    await vi.waitFor(
      () => {
        expect(lines.map((each) => each.at(-1))).toEqual(['80 0', '20 0'])
      },
      { timeout: 10_000 },
    )
    for (frame = 1; frame < 100; frame++) held.invalidate()
    await vi.waitFor(
      () => {
        expect(lines.map((each) => each.at(-1))).toEqual(['80 100', '20 100'])
      },
      { timeout: 10_000 },
    )
    expect(Math.max(...lines.map((each) => each.length))).toBeLessThan(5)
    for (const { close } of clients) close()
    await lastValueFrom(server.close(), { defaultValue: undefined })
    await over
  })
})

/** The first lines of surfaces that a client of this width gets. */
async function attached(socket: string, columns: number): Promise<{ lines: string[]; close: () => void }> {
  const lines: string[] = []
  const own = connect(await firstValueFrom(connectSocket(socket)))
  const events$ = own.events$(session).pipe(share())
  const size$ = events$.pipe(
    filter(({ type }) => type === 'attached'),
    mergeMap(() => own.request({ type: 'surface_resize', session, columns, rows: 24 })),
  )
  size$.subscribe()
  events$.subscribe((event) => {
    if (event.type === 'event' && event.event.type === 'surface') lines.push(event.event.lines[0] ?? '')
  })
  return { lines, close: own.close }
}
