// Tests a full disk: commands and users are notified, the run ends, and nothing is lost.
// Over 250 lines: one disk that fills up at each moment of a run, in the order of the run.
import { interval } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import { shortName } from '../../../lib/testing/short-name.ts'
import { fakeTool } from '../../../lib/testing/fake-tool.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import type { Disk } from '../../support/faulty-log.ts'
import { faultsOfRun } from '../../support/laws.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'

const streaming = { text: 'abcd', pieceLength: 1, pieceDelayMs: 10 }

/** A scene whose disk is full between two times, in milliseconds. */
function fullBetween(from: number, to: number, scene: SessionScene): SessionScene {
  return {
    ...scene,
    log: faultyLog(),
    at: {
      ...scene.at,
      [from]: (control) => {
        control.disk.full = true
        scene.at?.[from]?.(control)
      },
      [to]: (control) => {
        control.disk.full = false
        scene.at?.[to]?.(control)
      },
    },
  }
}

function statuses({ events }: PlayedSession): AgentEvent[] {
  return events.filter(({ type }) => type === 'status')
}

/** The log's events, and the faults of its numbering. */
function logged({ reopen }: PlayedSession) {
  const records = [...reopen().records()]
  expect(records.map(({ seq }) => seq)).toEqual(records.map((_, index) => index + 1))
  return records.map(({ event }) => shortName(event)).join(' ')
}

describe('a disk that is full when a prompt comes', () => {
  const played = playSession(
    fullBetween(1, 50, {
      script: ['never asked', 'asked then'],
      at: {
        2: ({ send }) => send({ type: 'prompt', text: 'Hi' }),
        60: ({ send }) => send({ type: 'prompt', text: 'again' }),
      },
    }),
  )

  it('fails it with `storage` and the system’s message [LOG-full]', () => {
    expect(played.sent[0]).toMatchObject({
      failure: { code: 'storage', message: 'ENOSPC: no space left on device' },
      answeredAt: 2,
    })
  })

  it('causes one status event for all [EVENT-told]', () => {
    expect(statuses(played)).toEqual([
      { type: 'status', code: 'storage', message: 'ENOSPC: no space left on device', recoverable: true },
    ])
  })

  it('ends the run as an error, without a request [LOG-full]', () => {
    expect(played.events.find((event) => event.type === 'agent_end')).toMatchObject({
      terminationReason: 'error',
      error: { code: 'storage' },
    })
    expect(played.requests).toHaveLength(1)
  })

  it('writes the waiting events, in order and without a gap, with the next command that finds space', () => {
    expect(played.progress()).toBe(
      '2:status 2:1AS 2:2TS 2:3ms(user) 2:4me(user) 2:5TE 2:6AE 2:7SET ' +
        '60:8AS 60:9TS 60:10ms(user) 60:11me(user) 60:12ms(asst) 60:mu 60:mu 60:mu 60:13me(asst) 60:14TE 60:15AE 60:16SET',
    )
    expect(logged(played)).toBe('AS TS ms(user) me(user) TE AE SET AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
  })

  it('runs the next prompt as usual', () => {
    expect(played.sent[1]).toMatchObject({ result: { status: 'started' }, completed: true })
  })
})

describe('a disk that fills while a message streams', () => {
  it('ends the run for clients that only watch, once there is space [LOG-retry]', () => {
    const full = fullBetween(25, 2_500, { script: [streaming], prompt: 'Hi', writeRetry$: interval(1_000) })
    const played = playSession(full)
    expect(played.events.at(-1)).toEqual({ type: 'agent_settled' })
    expect(logged(played)).toBe('AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
    expect(faultsOfRun(played.events.filter(({ type }) => type !== 'status'))).toEqual([])
  })

  it('ends the run when a checkpoint cannot be written', () => {
    const played = playSession(
      fullBetween(100, 400, {
        script: [{ text: 'abcdefghij', pieceLength: 1, pieceDelayMs: 40 }],
        prompt: 'Hi',
        at: { 500: ({ send }) => send({ type: 'abort' }) },
      }),
    )
    expect(statuses(played)).toHaveLength(1)
    expect(played.records.find(({ event }) => event.type === 'status')?.at).toBe(250)
    expect(faultsOfRun(played.events.filter(({ type }) => type !== 'status'))).toEqual([])
    expect(played.events.find((event) => event.type === 'agent_end')).toMatchObject({ terminationReason: 'error' })
    expect(logged(played)).toBe('AS TS ms(user) me(user) ms(asst) me(asst) TE AE SET')
  })

  it('keeps the text that had arrived', () => {
    const played = playSession(
      fullBetween(25, 100, {
        script: [streaming],
        prompt: 'Hi',
        at: { 200: ({ send }) => send({ type: 'steer', text: 'x' }) },
      }),
    )
    const ends = played.events.flatMap((event) => (event.type === 'message_end' ? [event.message] : []))
    expect(ends[1]).toMatchObject({ role: 'assistant', content: [{ text: 'abcd' }] })
    expect(logged(played)).toContain('me(asst)')
  })

  it('drops no durable event, and emits no delta of a message without a start', () => {
    const played = playSession(
      fullBetween(5, 200, {
        script: [{ ...streaming, delayMs: 20 }],
        prompt: 'Hi',
        at: { 300: ({ send }) => send({ type: 'abort' }) },
      }),
    )
    expect(faultsOfRun(played.events.filter(({ type }) => type !== 'status'))).toEqual([])
    expect(played.records.filter(({ event }) => isDurable(event)).map(({ seq }) => seq)).toEqual(
      played.records.filter(({ event }) => isDurable(event)).map((_, index) => index + 1),
    )
  })
})

describe('a disk that fills while tools run', () => {
  it('stops them and ends the run; their results are written when there is space', () => {
    const played = playSession(({ cold }) =>
      fullBetween(5, 60, {
        script: [
          {
            toolCalls: [
              { name: 'a', id: 'a' },
              { name: 'b', id: 'b' },
            ],
          },
        ],
        tools: [
          fakeTool('a', cold('10ms r', { r: { type: 'result', content: [{ type: 'text', text: 'x' }] } })),
          fakeTool('b', cold('50ms r', { r: { type: 'result', content: [{ type: 'text', text: 'y' }] } })),
        ],
        prompt: 'Hi',
        at: { 70: ({ send }) => send({ type: 'follow_up', text: 'later' }) },
      }),
    )
    expect(faultsOfRun(played.events.filter(({ type }) => !['status', 'queue_update'].includes(type)))).toEqual([])
    expect(logged(played)).toBe(
      'AS TS ms(user) me(user) ms(asst) me(asst) xs xs xe xe ms(result) me(result) ms(result) me(result) TE AE SET queue_update',
    )
    const results = played.session.state$.value
    expect([...results.entries.values()].filter(({ message }) => message.role === 'toolResult')).toHaveLength(2)
  })
})

describe('commands while the disk is full', () => {
  const full = (scene: SessionScene): SessionScene => fullBetween(1, 100, scene)

  it('are all refused without an effect', () => {
    const played = playSession(
      full({
        script: ['x'],
        at: {
          2: ({ send }) => send({ type: 'steer', text: 'first' }),
          3: ({ send }) => {
            send({ type: 'steer', text: 'second' })
            send({ type: 'follow_up', text: 'third' })
            send({ type: 'prompt', text: 'fourth' })
            send({ type: 'abort' })
          },
          200: ({ send }) => send({ type: 'prompt', text: 'Hi' }),
        },
      }),
    )
    expect(played.sent.slice(0, 5).map(({ failure }) => failure)).toMatchObject(Array(5).fill({ code: 'storage' }))
    expect(statuses(played)).toHaveLength(1)
    expect(played.requests.map(({ messages }) => messages.map(({ content }) => content))).toEqual([['Hi', 'first']])
  })

  it('report the failure again when the disk fills again', () => {
    const log = faultyLog()
    const fill =
      (full: boolean) =>
      ({ disk }: { disk: Disk }) =>
        (disk.full = full)
    const played = playSession({
      script: [],
      log,
      at: {
        1: fill(true),
        2: ({ send }) => send({ type: 'steer', text: 'a' }),
        3: fill(false),
        4: ({ send }) => send({ type: 'steer', text: 'b' }),
        5: fill(true),
        6: ({ send }) => send({ type: 'steer', text: 'c' }),
        7: fill(false),
        8: ({ send }) => send({ type: 'abort' }),
      },
    })
    expect(statuses(played)).toHaveLength(2)
    expect(played.sent.map(({ failure }) => failure === undefined)).toEqual([false, true, false, true])
    expect(played.session.state$.value.queue.map(({ content }) => content)).toEqual(['a', 'b', 'c'])
  })

  it('sent within events of the recovery have one order for all subscribers', () => {
    const received: [number[], number[]] = [[], []]
    const log = faultyLog()
    const played = playSession({
      script: ['x', 'y', 'z'],
      log,
      at: {
        0: ({ session, send, disk }) => {
          session.records$.subscribe(({ seq = 0, event }) => {
            received[0].push(seq)
            if (event.type === 'turn_start' && seq < 10) send({ type: 'steer', text: 'from within' })
            if (event.type === 'status') send({ type: 'steer', text: 'from within the status' })
          })
          session.records$.subscribe(({ seq = 0 }) => received[1].push(seq))
          disk.full = true
          send({ type: 'prompt', text: 'Hi' })
        },
        1: ({ disk, send }) => {
          disk.full = false
          send({ type: 'prompt', text: 'again' })
        },
      },
    })
    expect(received[0]).toEqual(received[1])
    const numbered = received[0].filter((seq) => seq > 0)
    expect(numbered).toEqual(numbered.map((_, index) => index + 1))
    expect(replayLog(played.reopen()).queue).toEqual(played.session.state$.value.queue)
  })
})

describe('a recovery that begins within the status itself', () => {
  const received: [unknown[], unknown[]] = [[], []]
  const played = playSession({
    script: [],
    at: {
      0: ({ session, send, disk }) => {
        session.records$.subscribe(({ seq, event }) => {
          received[0].push(seq ?? event.type)
          if (event.type !== 'status') return
          disk.full = false
          send({ type: 'steer', text: 'second' })
        })
        session.records$.subscribe(({ seq, event }) => received[1].push(seq ?? event.type))
        disk.full = true
        send({ type: 'steer', text: 'first' })
      },
    },
  })

  it('has the same order for all subscribers', () => {
    expect(received).toEqual([
      ['status', 1],
      ['status', 1],
    ])
  })

  it('refuses the command that came too early', () => {
    expect(played.sent.map(({ failure }) => failure)).toMatchObject([{ code: 'storage' }, { code: 'storage' }])
    expect(played.session.state$.value.queue.map(({ content }) => content)).toEqual(['first'])
  })
})

describe('closing with a full disk', () => {
  it('closes the log, leaves nothing running, and fails with the write error', () => {
    const notices: unknown[] = []
    const log = faultyLog()
    playSession({
      script: [streaming],
      log,
      prompt: 'Hi',
      at: {
        5: ({ disk, session }) => {
          disk.full = true
          session
            .close()
            .subscribe({ error: (error: unknown) => notices.push(error), complete: () => notices.push('complete') })
        },
      },
    })
    expect(notices).toMatchObject([{ code: 'storage' }])
    expect(log.sentRequests.at(-1)).toBe('close')
  })
})
