// Tests `createPipeline`: the order of its steps, failed writes, checkpoints and its close.
import { Observable, config, throwError } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createPipeline } from '../../../lib/session/pipeline/pipeline.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { SessionRecord } from '../../../lib/streams/log/log-line.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { emptySession } from '../../../lib/streams/state/fold-session.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { assistant, sampleEvents } from '../../streams/events/samples.ts'

const { custom, label } = sampleEvents
const entryId = 'entryaaa'
const opened: AgentEvent[] = [
  { type: 'message_start', entryId, parentId: null, message: assistant() },
  { type: 'message_update', entryId, delta: { type: 'text_start', contentIndex: 0 } },
  { type: 'message_update', entryId, delta: { type: 'text_delta', contentIndex: 0, offset: 0, text: 'ab' } },
]

function scene(writeRetry$?: Observable<unknown>) {
  const disk = faultyLog()
  const retry = writeRetry$ === undefined ? {} : { writeRetry$ }
  const pipeline = createPipeline({ log: disk.log, head: disk.log.head, initial: emptySession(), ...retry })
  const notices: string[] = []
  const report = (name: string) => ({
    next: () => void notices.push(name),
    error: ({ message }: Error) => void notices.push(`${name} failed: ${message}`),
    complete: () => void notices.push(`${name} complete`),
  })
  return { ...disk, pipeline, reported: notices, notify: report }
}

const full = 'ENOSPC: no space left on device'

afterEach(() => {
  vi.useRealTimers()
  config.onUnhandledError = null
})

describe('createPipeline', () => {
  it('publishes a record, its event and the state, then resolves the write', () => {
    const { pipeline, reported: notices, notify: report } = scene()
    pipeline.records$.subscribe(report('record'))
    pipeline.events$.subscribe(report('event'))
    pipeline.state$.subscribe(({ seq }) => notices.push(`state ${seq}`))
    pipeline.write({ event: custom }).subscribe(report('write'))
    expect(notices).toEqual(['state 0', 'record', 'event', 'state 1', 'write', 'write complete'])
  })

  it('resolves a write that a record causes after its own record', () => {
    const { pipeline, reported: notices, notify: report } = scene()
    const onRecord = ({ event }: SessionRecord): void => {
      notices.push(event.type)
      if (event.type === 'custom') pipeline.write({ event: label }).subscribe(report('write'))
    }
    pipeline.records$.subscribe(onRecord)
    pipeline.publish({ event: custom })
    expect(notices).toEqual(['custom', 'label', 'write', 'write complete'])
  })

  it('resolves `next` with durable records alone', () => {
    const { pipeline, reported: notices, notify: report } = scene()
    pipeline.next(() => true).subscribe(report('next'))
    pipeline.publish({ event: sampleEvents.status })
    expect(notices).toEqual([])
    pipeline.publish({ event: custom })
    expect(notices).toEqual(['next', 'next complete'])
  })

  it('reports a throw of `matches` as unhandled, and records the next event', async () => {
    const unhandled: unknown[] = []
    config.onUnhandledError = (error) => unhandled.push(error)
    const { pipeline, log } = scene()
    void pipeline.next(() => {
      throw new Error('broken')
    })
    pipeline.publish({ event: custom })
    pipeline.publish({ event: custom })
    expect(log.head).toBe(2)
    await vi.waitFor(
      () => {
        expect(unhandled).toEqual([new Error('broken'), new Error('broken')])
      },
      { timeout: 10_000 },
    )
  })

  it('rejects writes while the log fails, reports the first failure of a row, and writes all after `recover`', () => {
    const { pipeline, reported: notices, notify: report, disk, log } = scene()
    const statuses: AgentEvent[] = []
    pipeline.events$.subscribe((event) => event.type === 'status' && statuses.push(event))
    pipeline.writeError$.subscribe(report('error'))
    const fail = (): void => {
      disk.full = true
      for (const name of ['a', 'b']) pipeline.write({ event: custom }).subscribe(report(name))
    }
    fail()
    expect(notices).toEqual([`a failed: ${full}`, 'error', `b failed: ${full}`])
    expect(statuses).toEqual([{ type: 'status', code: 'storage', message: full, recoverable: true }])
    expect(() => pipeline.recover()).toThrow(full)
    disk.full = false
    pipeline.recover()
    pipeline.recover()
    expect(log.head).toBe(2)
    fail()
    expect(statuses).toHaveLength(2)
  })

  it('retries failed writes at each tick until one succeeds, and not after its close [LOG-retry]', () => {
    const ticks: (() => void)[] = []
    const tick$ = new Observable<void>((subscriber) => {
      ticks.push(() => subscriber.next())
      return () => void ticks.pop()
    })
    const { pipeline, disk, log, sentRequests: requests } = scene(tick$)
    const fail = (): void => {
      disk.full = true
      for (let count = 0; count < 2; count += 1) pipeline.publish({ event: custom })
    }
    fail()
    expect([ticks.length, log.head]).toEqual([1, 0])
    ticks[0]?.()
    disk.full = false
    ticks[0]?.()
    expect([ticks.length, log.head]).toEqual([1, 2])
    ticks[0]?.()
    expect(ticks).toEqual([])
    fail()
    pipeline.close()
    expect([ticks.length, requests.filter((call) => call.startsWith('append'))]).toEqual([
      0,
      ['append 1', 'append 1', 'append 1', 'append 1', 'append 2', 'append 3', 'append 3'],
    ])
  })

  it('reports a failed sync like a failed write', () => {
    const { pipeline, reported: notices, notify: report, disk } = scene()
    pipeline.writeError$.subscribe(report('error'))
    disk.broken = true
    pipeline.durable().subscribe(report('durable'))
    expect(notices).toEqual(['error', 'durable failed: EIO: sync'])
  })

  it('starts a sync after a message, and reports its failure once', async () => {
    const unhandled: unknown[] = []
    config.onUnhandledError = (error) => unhandled.push(error)
    const { pipeline, reported: notices, notify: report, disk, sentRequests: requests } = scene()
    pipeline.writeError$.subscribe(report('error'))
    pipeline.publish({ event: sampleEvents.message_end })
    expect([requests.filter((call) => call === 'durable').length, notices]).toEqual([1, []])
    disk.broken = true
    pipeline.publish({ event: sampleEvents.message_end })
    await new Promise((resolve) => setTimeout(resolve))
    expect([notices, unhandled]).toEqual([['error'], []])
  })

  it('fails a command whose sync found no descriptor, and blocks no other [SOCKET-descriptors]', () => {
    const { reported: notices, notify: report, log } = scene()
    const short$ = throwError(() => new Failure('overloaded', 'too many files are open'))
    const pipeline = createPipeline({ log: { ...log, durable: () => short$ }, head: 0, initial: emptySession() })
    pipeline.writeError$.subscribe(report('error'))
    pipeline.durable().subscribe(report('durable'))
    expect(notices).toEqual(['durable failed: too many files are open'])
    expect(pipeline.recover).not.toThrow()
  })

  it('writes a checkpoint of an open message after a while, and none after its close', () => {
    const checkpointsOf = (act: (pipeline: ReturnType<typeof scene>['pipeline']) => void): number => {
      vi.useFakeTimers()
      const { pipeline, sentRequests: requests } = scene()
      for (const event of opened) pipeline.publish({ event })
      act(pipeline)
      vi.advanceTimersByTime(60_000)
      return requests.filter((call) => call === 'checkpoint').length
    }
    expect(checkpointsOf(() => undefined)).toBe(1)
    expect(checkpointsOf((pipeline) => pipeline.close())).toBe(0)
  })

  it('completes all its streams at its close, and records nothing later', () => {
    const { pipeline, reported: notices, notify: report, log } = scene()
    pipeline.records$.subscribe(report('records'))
    pipeline.events$.subscribe(report('events'))
    pipeline.state$.subscribe({ complete: () => notices.push('state complete') })
    pipeline.writeError$.subscribe(report('errors'))
    pipeline.close()
    pipeline.publish({ event: custom })
    expect([notices, log.head]).toEqual([
      ['records complete', 'events complete', 'state complete', 'errors complete'],
      0,
    ])
  })

  it('completes `handled` when the events before are recorded', () => {
    const { pipeline, reported: notices, notify: report } = scene()
    const onRecord = ({ event }: SessionRecord): void => {
      notices.push(event.type)
      if (event.type !== 'custom') return
      pipeline.publish({ event: label })
      pipeline.handled().subscribe(report('handled'))
    }
    pipeline.records$.subscribe(onRecord)
    pipeline.publish({ event: custom })
    expect(notices).toEqual(['custom', 'label', 'handled complete'])
  })
})
