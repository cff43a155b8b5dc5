// Tests the record appender: its order of writing, its joined checkpoints and its failures.
// Over 250 lines: one appender, whose writing, joining and failing share one clock and one disk.
import { EMPTY, Subject, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createRecordAppender } from '../../../lib/operators/record/record-appender.ts'
import type { AppendedRecord, RecordAppenderOptions } from '../../../lib/operators/record/record-appender.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import type { PendingRecord } from '../../../lib/streams/log/log-line.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { everyEvent, sampleEvents } from '../../streams/events/samples.ts'

const full = new Failure('storage', 'ENOSPC: no space left')

interface SceneOptions {
  readonly head?: number
  readonly append?: RecordAppenderOptions['log']['append']
  onAppended?(record: AppendedRecord): void
}

/** A log whose disk can be full; `steps` lists every action in order. */
function scene({ head = 0, append: write, onAppended }: SceneOptions = {}) {
  const steps: string[] = []
  const disk = { full: false }
  const attempt = (what: string, type: string): void => {
    steps.push(`${what} ${type}`)
    if (disk.full) throw full
  }
  const failures: Failure[] = []
  const log = {
    append: (body: string) => {
      attempt('append', typeOf(body))
      return write?.(body) ?? `${body},"crc":"sealed"}`
    },
    checkpoint: (body: string) => {
      attempt('checkpoint', body.slice(0, -1).split('"text":')[1] ?? '')
    },
    sync: () => {
      steps.push('sync')
    },
  }
  const out: AppendedRecord[] = []
  const appender = createRecordAppender({
    log,
    head,
    onWriteError: (failure) => failures.push(failure),
    onAppended: (record) => {
      steps.push(`out ${record.event.type}`)
      out.push(record)
      onAppended?.(record)
    },
  })
  const append = (pending: PendingRecord, complete?: () => void): void => {
    appender.append(pending)?.subscribe({ complete: () => complete?.() })
  }
  const push = (...events: AgentEvent[]): void => {
    for (const event of events) append({ event, runId: 'rrrrrrrr' })
  }
  const retry = (): void => {
    appender.retry()?.subscribe()
  }
  return { steps, disk, failures, out, append, push, retry, appender }
}

function typeOf(body: string): string {
  return (JSON.parse(`${body}}`) as { event: AgentEvent }).event.type
}

const { custom, status, message_update, message_end, turn_end, agent_end } = sampleEvents
const delta = (offset: number, text: string): AgentEvent => ({
  ...message_update,
  delta: { type: 'text_delta', contentIndex: 0, offset, text },
})

describe('createRecordAppender numbers', () => {
  const durable: PendingRecord = { event: custom, runId: 'rrrrrrrr', opId: 'op' }

  it.each([
    ['nothing', '', []],
    ['one event', 'd', [8]],
    ['many events, transient ones without a number', 'dtd', [8, undefined, 9]],
  ])('%s from the head on [EVENT-numbers]', (_, types, seqs) => {
    const { out, push } = scene({ head: 7 })
    for (const type of types) push(type === 'd' ? custom : status)
    expect(out.map(({ seq }) => seq)).toEqual(seqs)
  })

  it('each event with its time, and keeps its runId and opId', () => {
    marbles(({ cold, flush }) => {
      const { out, append } = scene()
      cold('---d', { d: durable }).subscribe((pending) => {
        append(pending)
      })
      flush()
      const { event, runId, opId } = durable
      expect(out).toMatchObject([{ pending: durable, event, runId, opId, at: 3, seq: 1 }])
    })
  })

  it('exactly the durable events [EVENT-numbers]', () => {
    const { out, push } = scene()
    push(...everyEvent)
    const uncounted = out.flatMap(({ event, seq }) => (seq === undefined ? [event.type] : []))
    expect(uncounted).toEqual([
      'message_update',
      'tool_execution_update',
      'job_update',
      'compaction_progress',
      'mcp_status',
      'surface',
      'status',
    ])
    expect(everyEvent.filter((event) => !isDurable(event)).map(({ type }) => type)).toEqual(uncounted)
  })
})

describe('createRecordAppender', () => {
  it('writes a durable event before it passes it on, with its line [LOG-written]', () => {
    const { steps, out, push } = scene()
    push(custom)
    expect(steps).toEqual(['append custom', 'out custom'])
    const { seq, at = 0, line } = out[0] ?? {}
    expect(seq).toBe(1)
    expect(line).toBe(`{"seq":1,"at":${at},"runId":"rrrrrrrr","event":${JSON.stringify(custom)},"crc":"sealed"}`)
  })

  it('passes transient events on at once, without a line', () => {
    const { steps, out, push } = scene()
    push(status)
    expect(steps).toEqual(['out status'])
    expect([out[0]?.seq, out[0]?.line]).toEqual([undefined, undefined])
  })

  it('starts a sync after the end of a message, turn or run, before it passes the event on [LOG-sync]', () => {
    const { steps, push } = scene()
    push(message_end, turn_end, agent_end, custom)
    const ends = ['message_end', 'turn_end', 'agent_end'].flatMap((type) => [`append ${type}`, 'sync', `out ${type}`])
    expect(steps).toEqual([...ends, 'append custom', 'out custom'])
  })

  it('retries nothing if nothing waits', () => {
    const { steps, appender } = scene()
    expect([appender.retry(), steps]).toEqual([undefined, []])
  })
})

describe('createRecordAppender of deltas', () => {
  it('passes them on at once and writes them joined, later', () => {
    marbles(({ flush }) => {
      const { steps, push } = scene()
      push(delta(0, 'a'), delta(1, 'b'))
      expect(steps).toEqual(['out message_update', 'out message_update'])
      flush()
      expect(steps.slice(2)).toEqual(['checkpoint "ab"}'])
    })
  })

  it('writes none of them when the message has ended meanwhile', () => {
    marbles(({ flush }) => {
      const { steps, push } = scene()
      push(delta(0, 'a'), message_end)
      flush()
      expect(steps).toEqual(['out message_update', 'append message_end', 'sync', 'out message_end'])
    })
  })

  it('writes none of them after it is closed', () => {
    marbles(({ flush }) => {
      const { steps, push, appender } = scene()
      push(delta(0, 'a'))
      appender.close()
      flush()
      expect(steps).toEqual(['out message_update'])
    })
  })

  it('reports a failed checkpoint', () => {
    marbles(({ flush }) => {
      const { failures, disk, push } = scene()
      push(delta(0, 'a'))
      disk.full = true
      flush()
      expect(failures).toEqual([full])
    })
  })
})

describe('createRecordAppender on a full disk', () => {
  it('reports the failure and passes no durable event on', () => {
    const { steps, failures, disk, push } = scene()
    disk.full = true
    push(custom)
    expect([steps, failures]).toEqual([['append custom'], [full]])
  })

  it('reports any throw of the log as a storage failure', () => {
    const { failures, push } = scene({
      append: () => {
        throw new TypeError('EBADF')
      },
    })
    push(custom)
    expect(failures).toMatchObject([{ code: 'storage', message: 'EBADF' }])
  })

  it('drops transient events meanwhile, except status', () => {
    const { steps, disk, push } = scene()
    disk.full = true
    push(custom, delta(0, 'a'), sampleEvents.tool_execution_update, status)
    expect(steps).toEqual(['append custom', 'out status'])
  })

  it('writes waiting events in order, without a hole, when the next event finds space', () => {
    const { out, disk, push } = scene()
    push(custom)
    disk.full = true
    push(custom, turn_end)
    disk.full = false
    push(agent_end)
    expect(out.map(({ seq, event }) => [seq, event.type])).toEqual([
      [1, 'custom'],
      [2, 'custom'],
      [3, 'turn_end'],
      [4, 'agent_end'],
    ])
  })

  it('lets no event overtake one that could not be written', () => {
    const { steps, disk, push } = scene()
    disk.full = true
    push(turn_end, custom)
    expect(steps).toEqual(['append turn_end', 'append turn_end'])
  })

  it('tries again on retry', () => {
    const { steps, disk, push, retry } = scene()
    disk.full = true
    push(custom, custom)
    retry()
    disk.full = false
    retry()
    expect(steps.slice(3)).toEqual(['append custom', 'out custom', 'append custom', 'out custom'])
  })

  it('passes transient events on again when all is written', () => {
    const { steps, disk, push, retry } = scene()
    disk.full = true
    push(custom)
    disk.full = false
    retry()
    push(sampleEvents.tool_execution_update)
    expect(steps.at(-1)).toBe('out tool_execution_update')
  })

  it('drops waiting events when it is closed', () => {
    const { steps, disk, push, retry, appender } = scene()
    disk.full = true
    push(custom)
    disk.full = false
    appender.close()
    retry()
    expect(steps).toEqual(['append custom'])
  })

  it('handles 20,000 waiting events in linear time', () => {
    const { out, disk, push, retry } = scene()
    disk.full = true
    for (let count = 1; count <= 20_000; count++) push(custom)
    disk.full = false
    retry()
    expect([out.length, out[0]?.seq, out.at(-1)?.seq]).toEqual([20_000, 1, 20_000])
  })
})

describe('createRecordAppender on a log that takes time', () => {
  function slow() {
    const lines: Subject<string>[] = []
    const write$ = (): Observable<string> => {
      const line$ = new Subject<string>()
      lines.push(line$)
      return line$
    }
    return { ...scene({ append: write$ }), lines }
  }

  it('passes a durable event on when the log has emitted its line, and then completes', () => {
    const { append, lines, out } = slow()
    const ends: string[] = []
    append({ event: custom }, () => ends.push('complete'))
    expect([out, ends]).toEqual([[], []])
    lines[0]?.next('line 1')
    expect([out.map(({ line }) => line), ends]).toEqual([['line 1'], ['complete']])
  })

  it('retains the event of a line that fails, and writes it first at the next attempt', () => {
    const { append, lines, out, failures } = slow()
    append({ event: turn_end })
    lines[0]?.error(full)
    expect([out, failures]).toEqual([[], [full]])
    append({ event: custom })
    lines[1]?.next('line 1')
    lines[2]?.next('line 2')
    expect(out.map(({ seq, line, event }) => [seq, line, event.type])).toEqual([
      [1, 'line 1', 'turn_end'],
      [2, 'line 2', 'custom'],
    ])
  })

  it.each([
    ['fails', () => throwError(() => new Error('EIO')), 'EIO'],
    ['completes without a line', () => EMPTY, 'The log completed without the written line'],
  ])('never fails itself if the log %s', (_, write$, message) => {
    const { append, failures } = scene({ append: write$ })
    const ends: string[] = []
    append({ event: custom }, () => ends.push('complete'))
    expect([ends, failures]).toMatchObject([['complete'], [{ code: 'storage', message }]])
  })

  it('is synchronous if the log emits in the call', () => {
    const { append, out } = scene({ append: () => of('line') })
    append({ event: custom })
    expect(out.map(({ line }) => line)).toEqual(['line'])
  })
})
