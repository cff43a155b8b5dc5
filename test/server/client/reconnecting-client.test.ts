// Tests in virtual time that a client with cut connections emits each log event exactly once.
import { EMPTY, NEVER, Observable, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { helloFrame } from '../../../lib/server/protocol/frame.ts'
import { linkedPair } from '../../../lib/server/protocol/linked-pair.ts'
import { reconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { Transport } from '../../../lib/server/protocol/transport.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { FailureCode } from '../../../lib/streams/values/failure.ts'
import { valuesOf } from '../../support/values-of.ts'
import { id, play, collect } from './reconnecting-scene.ts'

describe('the connection', () => {
  it.each(['', 'two words', 'a'.repeat(21)])('is refused for the name %j, which the server would refuse', (client) => {
    const made = (): unknown => reconnectingClient({ open: () => NEVER, hello: { client } })
    expect(made).toThrow(/1 to 20 letters/)
  })

  it('is opened at once, and again after longer and longer delays', () => {
    const { states } = play(
      ({ cut, away }) => ({
        100: () => {
          away(true)
          cut()
        },
        1_000: () => away(false),
      }),
      { until: 2_000 },
    )
    expect(states).toEqual([
      '0 connected',
      '100 reconnecting 1, 100 ms',
      '200 reconnecting 2, 200 ms',
      '400 reconnecting 3, 400 ms',
      '800 reconnecting 4, 800 ms',
      '1600 connected',
      '2000 closed',
      '2000 complete',
    ])
  })

  it('restarts the back-off only after it was stable for 5 s', () => {
    const { states } = play(({ cut }) => ({ 100: cut, 300: cut, 6_000: cut }), { until: 7_000 })
    expect(states.filter((state) => state.includes('reconnecting'))).toEqual([
      '100 reconnecting 1, 100 ms',
      '300 reconnecting 2, 200 ms',
      '6000 reconnecting 1, 100 ms',
    ])
  })

  it('is closed if a promise brings it after `close`', async () => {
    const { promise, resolve } = Promise.withResolvers<Transport>()
    const client = reconnectingClient({ open: () => promise })
    client.close()
    const [clientEnd, serverEnd] = linkedPair()
    resolve(clientEnd)
    expect(await valuesOf(serverEnd.lines$)).toEqual([])
  })

  it('reports a restarted server', () => {
    const { states } = play(({ cut, restart }) => ({ 100: cut, 300: restart }))
    expect(states.filter((state) => state.includes('connected'))).toEqual([
      '0 connected',
      '200 connected',
      '500 connected anew',
    ])
  })

  it('ends after the limit of attempts; waiting requests fail with the reason', () => {
    let waiting = { ends: [] as unknown[] }
    let following = { ends: [] as unknown[] }
    const { states, client } = play(
      (own) => {
        own.away(true)
        own.cut()
        return {
          1: () => {
            waiting = collect(own.client.request({ type: 'ping' }))
            following = collect(own.client.events$(id))
          },
        }
      },
      { attempts: 2 },
    )
    expect(states.at(-2)).toBe('300 closed')
    expect(client.connection$.value).toMatchObject({ failure: { message: 'nobody listens' } })
    expect([waiting.ends, following.ends]).toEqual([['disconnected'], ['disconnected']])
  })

  it.each<[FailureCode, boolean]>([
    ['unsupported_version', false],
    ['bad_config', false],
    ['disconnected', true],
    ['overloaded', true],
  ])('that fails with %s is retried: %s', (code, again) => {
    const { opened } = countingFailures(code)
    expect(opened > 1).toBe(again)
  })

  function countingFailures(code: FailureCode): { opened: number } {
    let opened = 0
    play(() => ({}), {
      open: () => {
        opened += 1
        return throwError(() => new Failure(code, 'no'))
      },
    })
    return { opened }
  }

  it('is closed if the server sends no hello, or speaks another protocol', () => {
    const silent = play(() => ({}), { open: () => of(linkedPair()[0]), greetsWithinMs: 50, until: 60 })
    expect(silent.states).toEqual(['0 connecting', '50 reconnecting 1, 100 ms', '60 closed', '60 complete'])
    const [clientEnd, serverEnd] = linkedPair()
    const hello = { server: { name: 'rxpi', version: '9', pid: 1, epoch: 'e' }, limits: {}, capabilities: [] }
    serverEnd.send(helloFrame(hello).replace('"min":1', '"min":9'))
    const later = play(() => ({}), { open: () => of(clientEnd) })
    expect(later.client.connection$.value).toMatchObject({ status: 'closed', failure: { code: 'unsupported_version' } })
  })

  it('is cancelled by close while it opens, and its transport is closed', () => {
    let isOpening = false
    const open$ = () =>
      new Observable<Transport>(() => {
        isOpening = true
        return () => {
          isOpening = false
        }
      })
    expect(play(() => ({ 10: () => expect(isOpening).toBe(true) }), { open: open$, until: 20 }).states).toEqual([
      '0 connecting',
      '20 closed',
      '20 complete',
    ])
    expect(isOpening).toBe(false)
  })
})

describe('after a restart of the server', () => {
  it('the sessions of this client are opened again first, with their folder and environment', () => {
    const { host } = play(({ client, restart }) => ({
      1: () =>
        client
          .request({ type: 'open_session', session: id, cwd: '/here', env: { KEY: 'k' }, model: 'p/m' })
          .subscribe(),
      2: () => client.events$(id).subscribe(),
      100: restart,
    }))
    const opened = { session: id, cwd: '/here', env: { KEY: 'k' } }
    expect(host.requests).toEqual([{ open: { ...opened, model: 'p/m' } }, { open: opened }])
  })

  const created = 'bbbbbbbbbbbb'
  it.each([
    ['again if no prompt was sent', [], { model: 'p/m' }],
    ['no more after a prompt, as the log names it', [{ type: 'prompt' as const, session: created, text: 'Hi' }], {}],
  ])('the model of a new session is named %s', (_, commands, model) => {
    const { host } = play(({ client, restart }) => ({
      1: () => client.request({ type: 'new_session', cwd: '/here', model: 'p/m' }).subscribe(),
      2: () => {
        for (const command of commands) client.request(command).subscribe()
      },
      100: restart,
    }))
    expect(host.requests.at(-1)).toEqual({ open: { session: created, cwd: '/here', ...model } })
  })

  it.each([
    ['of the opening', [], 'auto'],
    [
      'that this client set last',
      [{ type: 'set_approval_mode' as const, session: created, mode: 'ask' as const }],
      'ask',
    ],
  ])('with the approval mode %s', (_, commands, approve) => {
    const { host } = play(({ client, restart, session }) => ({
      1: () => client.request({ type: 'new_session', cwd: '/here', approve: 'auto' }).subscribe(),
      2: () => {
        session.send = () => EMPTY
        for (const command of commands) client.request(command).subscribe()
      },
      100: restart,
    }))
    expect(host.requests.at(-1)).toEqual({ open: { session: created, cwd: '/here', approve } })
  })

  it('with the sandbox, the extensions, the MCP servers, the trust and the prompts of the opening', () => {
    const chosen = {
      ...{ trust: true, sandbox: 'read-only' as const, extensions: ['/gate.ts'] },
      mcpServers: { files: { command: 'npx' } },
      ...{ system: 'Be short', appendSystem: 'Please', instructions: false },
    }
    const { host } = play(({ client, restart }) => ({
      1: () => client.request({ type: 'new_session', cwd: '/here', title: 'A', ...chosen }).subscribe(),
      100: restart,
    }))
    expect(host.requests.at(-1)).toEqual({ open: { session: created, cwd: '/here', ...chosen } })
  })

  it('with the model too if an extension has handled each prompt', () => {
    const { host } = play(({ client, restart, host: own }) => ({
      1: () => client.request({ type: 'new_session', cwd: '/here', model: 'p/m' }).subscribe(),
      2: () => {
        const opened = own.sessionsById.get(created)
        if (opened !== undefined) opened.send = () => of({ status: 'handled' }) as never
        client.request({ type: 'prompt', session: created, text: '/hi' }).subscribe()
      },
      100: restart,
    }))
    expect(host.requests.at(-1)).toEqual({ open: { session: created, cwd: '/here', model: 'p/m' } })
  })

  it('deleted sessions are not opened again', () => {
    const { host } = play(({ client, restart, host: own }) => ({
      1: () => client.request({ type: 'open_session', session: id, cwd: '/here' }).subscribe(),
      2: () => {
        own.stored.deleteSession = () => of({ removed: [] })
        client.request({ type: 'delete_session', session: id }).subscribe()
      },
      100: restart,
    }))
    expect(host.requests).toHaveLength(1)
  })

  it('hello is sent again', () => {
    const answerable: number[] = []
    play(
      ({ client, session, cut }) => ({
        1: () => client.events$(id).subscribe(),
        5: () => answerable.push(session.answerers),
        10: cut,
        11: () => answerable.push(session.answerers),
        200: () => answerable.push(session.answerers),
      }),
      { hello: { client: 'test', ui: true } },
    )
    expect(answerable).toEqual([1, 0, 1])
  })
})
