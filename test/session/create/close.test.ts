// Tests that closing a session ends its work, writes the end, and leaves nothing behind.
import { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scope } from '../../../lib/streams/rx/scope.ts'
import { openSession } from '../../../lib/session/create/open-session.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { shortNotation } from '../../../lib/testing/short-name.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { SessionControl } from '../../support/virtual-session.ts'

const streaming = { text: 'abcd', pieceLength: 1, pieceDelayMs: 10 }

/** Closes the session and records what it emits, with the time. */
function closing(notices: unknown[]): (control: SessionControl) => void {
  return ({ session, now }) => {
    session.close().subscribe({
      error: (error: unknown) => notices.push(error),
      complete: () => notices.push(`closed at ${now()}`),
    })
  }
}

describe('close', () => {
  it('of an idle session closes its log and completes', () => {
    const notices: unknown[] = []
    const log = faultyLog()
    const { events } = playSession({ script: [], log, at: { 1: closing(notices) } })
    expect([notices, log.sentRequests, events]).toEqual([['closed at 1'], ['close'], []])
  })

  it('closes the log also if the state snapshot cannot be written, and reports that', () => {
    const notices: unknown[] = []
    const log = faultyLog()
    const keep = (): never => {
      throw new Error('broken')
    }
    Object.assign(log.log, { keep, unkept: 2 ** 30 })
    playSession({ script: [], log, at: { 1: closing(notices) } })
    expect(log.sentRequests).toEqual(['close'])
    expect(notices).toMatchObject([{ code: 'storage', message: 'broken' }])
  })

  it('during a message ends the run as server_shutdown, with its events in the log [LOOP-26f]', () => {
    const notices: unknown[] = []
    const log = faultyLog()
    const { events } = playSession({ script: [streaming], log, prompt: 'Hi', at: { 15: closing(notices) } })
    expect(shortNotation(events)).toBe('AS TS ms(user) me(user) ms(asst) mu me(asst) TE AE SET')
    expect(events.find((event) => event.type === 'agent_end')).toMatchObject({ terminationReason: 'server_shutdown' })
    expect([...log.reopen().records()]).toHaveLength(9)
    expect([notices, log.sentRequests.at(-1)]).toEqual([['closed at 15'], 'close'])
  })

  it('waits two seconds for a tool that received its signal, then unsubscribes it', () => {
    const notices: unknown[] = []
    let live = 0
    const stubborn$ = new Observable<never>(() => {
      live += 1
      return () => {
        live -= 1
      }
    })
    const { events } = playSession({
      script: [{ toolCalls: [{ name: 'a' }] }],
      tools: [fakeTool('a', ({ context }) => (context.signal.aborted ? 'no' : stubborn$))],
      prompt: 'Hi',
      at: { 5: closing(notices) },
    })
    expect([notices, live]).toEqual([['closed at 2005'], 0])
    expect(faultsOfRun(events)).toEqual([])
  })

  it('waits for a result within that time', () => {
    const notices: unknown[] = []
    const { events } = playSession(({ cold }) => ({
      script: [{ toolCalls: [{ name: 'a' }] }],
      tools: [
        fakeTool('a', ({ context }) => (context.signal.aborted ? 'no' : cold('100ms r', { r: textResult('kept') }))),
      ],
      prompt: 'Hi',
      at: { 5: closing(notices) },
    }))
    expect(notices).toEqual(['closed at 100'])
    expect(JSON.stringify(events)).toContain('kept')
  })

  it('completes events, records and state', () => {
    const notices: string[] = []
    playSession({
      script: [streaming],
      prompt: 'Hi',
      at: {
        1: ({ session }) => {
          session.events$.subscribe({ complete: () => notices.push('events') })
          session.records$.subscribe({ complete: () => notices.push('records') })
          session.state$.subscribe({ complete: () => notices.push('state') })
          session.events({ after: 0 }).subscribe({ complete: () => notices.push('events from') })
        },
        5: closing([]),
      },
    })
    expect(notices.sort()).toEqual(['events', 'events from', 'records', 'state'])
  })

  it('waits until the log is closed', () => {
    marbles(({ cold, flush }) => {
      const notices: unknown[] = []
      const { log } = faultyLog()
      const session = opened({ ...log, close: () => cold<never>('20ms |') })
      session.close().subscribe({ complete: () => notices.push('closed') })
      expect(notices).toEqual([])
      flush()
      expect(notices).toEqual(['closed'])
    })
  })

  it('with two subscribers closes once, and completes for both', () => {
    const notices: unknown[] = []
    const log = faultyLog()
    playSession({
      script: [streaming],
      log,
      prompt: 'Hi',
      at: { 5: closing(notices), 6: closing(notices), 50: closing(notices) },
    })
    expect([notices, log.sentRequests.filter((what) => what === 'close')]).toEqual([
      ['closed at 5', 'closed at 6', 'closed at 50'],
      ['close'],
    ])
  })

  it('does nothing before it is subscribed', () => {
    const log = faultyLog()
    playSession({ script: [], log, at: { 1: ({ session }) => void session.close() } })
    expect(log.sentRequests).toEqual([])
  })

  it('within an event emits the run’s end to all subscribers first', () => {
    const notices: unknown[] = []
    const log = faultyLog()
    const { events } = playSession({
      script: [streaming],
      log,
      prompt: 'Hi',
      onRecord: ({ event }, control) => {
        if (event.type === 'message_update' && notices.length === 0) {
          notices.push('closing')
          closing(notices)(control)
        }
      },
    })
    expect(faultsOfRun(events)).toEqual([])
    expect(notices).toEqual(['closing', 'closed at 0'])
    expect([...log.reopen().records()].at(-1)?.event.type).toBe('agent_settled')
  })

  it('within an event writes the events that were caused before', () => {
    const log = faultyLog()
    const { sent } = playSession({
      script: [streaming],
      log,
      prompt: 'Hi',
      onRecord: ({ event }, control) => {
        if (event.type !== 'turn_start') return
        control.send({ type: 'follow_up', text: 'later' })
        closing([])(control)
      },
    })
    expect(sent[1]?.failure).toBeUndefined()
    expect([...log.reopen().records()].map(({ event }) => event.type)).toContain('queue_update')
  })

  it("ends the scope of the session's parts", () => {
    const life = scope()
    const session = opened(faultyLog().log, life)
    expect(life.ended).toBe(false)
    session.close().subscribe()
    expect(life.ended).toBe(true)
  })

  it('unsubscribes a provider that never answers', () => {
    let live = 0
    const never$ = new Observable<never>(() => {
      live += 1
      return () => {
        live -= 1
      }
    })
    playSession({ script: [{ deltas$: never$ }], prompt: 'Hi', at: { 5: closing([]) } })
    expect(live).toBe(0)
  })

  it('responds to pending commands', () => {
    const { sent } = playSession({
      script: [streaming],
      prompt: 'Hi',
      at: {
        4: ({ send }) => send({ type: 'abort' }),
        5: closing([]),
      },
    })
    expect(sent.every(({ completed }) => completed)).toBe(true)
  })
})

function opened(log: ReturnType<typeof faultyLog>['log'], life = scope()): Session {
  return openSession({
    log,
    settings: () => ({ model: scriptedModel, provider: scripted([]), system: '', thinkingLevel: 'off', tools: [] }),
    tools: { cwd: '/', env: {} },
    options: {},
    scope: life,
  })
}
