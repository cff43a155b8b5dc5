// Over 250 lines: one operator, whose writing, joining and failing share one clock and one disk.
import { Subject, map, of, take, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { number } from '../../../lib/operators/record/number.ts'
import { record } from '../../../lib/operators/record/record.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { PendingRecord, SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const full = new Failure('storage', 'ENOSPC: no space left')

/** A log whose disk may be full; everything that happens is told in order. */
function scene() {
  const told: string[] = []
  const place = { full: false }
  const attempt = (what: string, type: string): void => {
    told.push(`${what} ${type}`)
    if (place.full) throw full
  }
  const retry$ = new Subject<void>()
  const failures: Failure[] = []
  const log = {
    append: (body: string) => {
      attempt('append', typeOf(body))
      return `${body},"crc":"sealed"}`
    },
    checkpoint: (body: string) => {
      attempt('checkpoint', body.slice(0, -1).split('"text":')[1] ?? '')
    },
    sync: () => {
      told.push('sync')
    },
  }
  const pending$ = new Subject<PendingRecord>()
  const out: SessionRecord[] = []
  const subscription = pending$
    .pipe(number(0), record({ log, retry$, failed: (failure) => failures.push(failure) }))
    .subscribe({
      next: (recorded) => {
        told.push(`out ${recorded.event.type}`)
        out.push(recorded)
      },
      complete: () => told.push('complete'),
      error: () => told.push('error'),
    })
  const push = (...events: AgentEvent[]): void => {
    for (const event of events) pending$.next({ event, runId: 'rrrrrrrr' })
  }
  return { told, place, retry$, failures, pending$, out, push, subscription, log }
}

function typeOf(body: string): string {
  return (JSON.parse(`${body}}`) as { event: AgentEvent }).event.type
}

const { custom, status, message_update, message_end, turn_end, agent_end } = sampleEvents
const delta = (offset: number, text: string): AgentEvent => ({
  ...message_update,
  delta: { type: 'text_delta', contentIndex: 0, offset, text },
})

describe('record', () => {
  it('writes a durable event before it passes it on, with its line [LOG-written]', () => {
    const { told, out, push } = scene()
    push(custom)
    expect(told).toEqual(['append custom', 'out custom'])
    const { seq, at = 0, line } = out[0] ?? {}
    expect(seq).toBe(1)
    expect(line).toBe(`{"seq":1,"at":${at},"runId":"rrrrrrrr","event":${JSON.stringify(custom)},"crc":"sealed"}`)
  })

  it('passes transient events on at once, without a line', () => {
    const { told, out, push } = scene()
    push(status)
    expect(told).toEqual(['out status'])
    expect([out[0]?.seq, out[0]?.line]).toEqual([undefined, undefined])
  })

  it('starts a sync where a message, a turn or a run has ended, before it passes that on [LOG-sync]', () => {
    const { told, push } = scene()
    push(message_end, turn_end, agent_end, custom)
    const steps = ['message_end', 'turn_end', 'agent_end'].flatMap((type) => [`append ${type}`, 'sync', `out ${type}`])
    expect(told).toEqual([...steps, 'append custom', 'out custom'])
  })

  it('passes nothing on and completes where nothing comes', () => {
    const { told, pending$ } = scene()
    expect(told).toEqual([])
    pending$.complete()
    expect(told).toEqual(['complete'])
  })

  it('fails with its source', () => {
    marbles(({ cold, expectObservable }) => {
      const { log, retry$ } = scene()
      const numbered$ = cold<PendingRecord>('-c-#', { c: { event: custom } }).pipe(number(0))
      const types$ = numbered$.pipe(
        record({ log, retry$, failed: () => undefined }),
        map(({ event }) => event.type),
      )
      expectObservable(types$).toBe('-c-#', { c: 'custom' })
    })
  })

  it('lets go of source and retries when it is unsubscribed, and writes nothing more', () => {
    const { told, subscription, pending$, retry$, push } = scene()
    subscription.unsubscribe()
    push(custom)
    expect([told, pending$.observed, retry$.observed]).toEqual([[], false, false])
  })

  it('writes nothing more when it is unsubscribed within an event', () => {
    const { log, retry$, told } = scene()
    of<PendingRecord[]>({ event: custom }, { event: custom })
      .pipe(number(0), record({ log, retry$, failed: () => undefined }), take(1))
      .subscribe()
    expect(told).toEqual(['append custom'])
  })
})

describe('record of deltas', () => {
  it('passes them on at once and writes them joined, later', () => {
    marbles(({ flush }) => {
      const { told, push } = scene()
      push(delta(0, 'a'), delta(1, 'b'))
      expect(told).toEqual(['out message_update', 'out message_update'])
      flush()
      expect(told.slice(2)).toEqual(['checkpoint "ab"}'])
    })
  })

  it('writes none of them when the message has ended meanwhile', () => {
    marbles(({ flush }) => {
      const { told, push } = scene()
      push(delta(0, 'a'), message_end)
      flush()
      expect(told).toEqual(['out message_update', 'append message_end', 'sync', 'out message_end'])
    })
  })

  it('writes none of them after unsubscribe or completion', () => {
    marbles(({ flush }) => {
      const [one, two] = [scene(), scene()]
      for (const { push } of [one, two]) push(delta(0, 'a'))
      one.subscription.unsubscribe()
      two.pending$.complete()
      flush()
      expect([one.told, two.told]).toEqual([['out message_update'], ['out message_update', 'complete']])
    })
  })

  it('tells a failed checkpoint', () => {
    marbles(({ flush }) => {
      const { failures, place, push } = scene()
      push(delta(0, 'a'))
      place.full = true
      flush()
      expect(failures).toEqual([full])
    })
  })
})

describe('record on a full disk', () => {
  it('tells the failure and passes nothing durable on', () => {
    const { told, failures, place, push } = scene()
    place.full = true
    push(custom)
    expect([told, failures]).toEqual([['append custom'], [full]])
  })

  it('makes a storage failure of anything that the log throws', () => {
    const { failures, retry$ } = scene()
    const broken = {
      append: (): string => {
        throw new TypeError('EBADF')
      },
      checkpoint: () => undefined,
      sync: () => undefined,
    }
    of<PendingRecord>({ event: custom })
      .pipe(number(0), record({ log: broken, retry$, failed: (failure) => failures.push(failure) }))
      .subscribe()
    expect(failures).toMatchObject([{ code: 'storage', message: 'EBADF' }])
  })

  it('drops what is transient meanwhile, but for a status', () => {
    const { told, place, push } = scene()
    place.full = true
    push(custom, delta(0, 'a'), sampleEvents.tool_execution_update, status)
    expect(told).toEqual(['append custom', 'out status'])
  })

  it('writes what waits in order, without a hole, when the next event finds space', () => {
    const { out, place, push } = scene()
    push(custom)
    place.full = true
    push(custom, turn_end)
    place.full = false
    push(agent_end)
    expect(out.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'custom'],
      [2, 'custom'],
      [3, 'turn_end'],
      [4, 'agent_end'],
    ])
  })

  it('tries again when it is told to', () => {
    const { told, place, push, retry$ } = scene()
    place.full = true
    push(custom, custom)
    retry$.next()
    place.full = false
    retry$.next()
    expect(told.slice(3)).toEqual(['append custom', 'out custom', 'append custom', 'out custom'])
  })

  it('takes a transient event again when all is written', () => {
    const { told, place, push, retry$ } = scene()
    place.full = true
    push(custom)
    place.full = false
    retry$.next()
    push(sampleEvents.tool_execution_update)
    expect(told.at(-1)).toBe('out tool_execution_update')
  })

  it('drops what waits when it is unsubscribed', () => {
    const { told, place, push, retry$, subscription } = scene()
    place.full = true
    push(custom)
    place.full = false
    subscription.unsubscribe()
    retry$.next()
    expect(told).toEqual(['append custom'])
  })

  it('never fails for a failing log', () => {
    const { told, place, push, pending$ } = scene()
    place.full = true
    push(custom, custom)
    pending$.complete()
    expect(told.at(-1)).toBe('complete')
  })

  it('keeps a source’s own error apart from the log’s', () => {
    const { log, retry$, failures } = scene()
    const told: unknown[] = []
    throwError(() => new Error('source'))
      .pipe(record({ log, retry$, failed: (failure) => failures.push(failure) }))
      .subscribe({ error: (error: unknown) => told.push(error) })
    expect([told, failures]).toEqual([[new Error('source')], []])
  })
})
