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
  const told: string[] = []
  const tell = (name: string) => ({
    next: () => void told.push(name),
    error: ({ message }: Error) => void told.push(`${name} failed: ${message}`),
    complete: () => void told.push(`${name} complete`),
  })
  return { ...disk, pipeline, told, tell }
}

const full = 'ENOSPC: no space left on device'

afterEach(() => {
  vi.useRealTimers()
  config.onUnhandledError = null
})

describe('createPipeline', () => {
  it('publishes a record, its event and the state, then resolves the write', () => {
    const { pipeline, told, tell } = scene()
    pipeline.records$.subscribe(tell('record'))
    pipeline.events$.subscribe(tell('event'))
    pipeline.state$.subscribe(({ seq }) => told.push(`state ${seq}`))
    pipeline.write({ event: custom }).subscribe(tell('write'))
    expect(told).toEqual(['state 0', 'record', 'event', 'state 1', 'write', 'write complete'])
  })

  it('resolves a write that a record causes after its own record', () => {
    const { pipeline, told, tell } = scene()
    const onRecord = ({ event }: SessionRecord): void => {
      told.push(event.type)
      if (event.type === 'custom') pipeline.write({ event: label }).subscribe(tell('write'))
    }
    pipeline.records$.subscribe(onRecord)
    pipeline.publish({ event: custom })
    expect(told).toEqual(['custom', 'label', 'write', 'write complete'])
  })

  it('resolves `next` with durable records alone', () => {
    const { pipeline, told, tell } = scene()
    pipeline.next(() => true).subscribe(tell('next'))
    pipeline.publish({ event: sampleEvents.status })
    expect(told).toEqual([])
    pipeline.publish({ event: custom })
    expect(told).toEqual(['next', 'next complete'])
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
    await vi.waitFor(() => {
      expect(unhandled).toEqual([new Error('broken'), new Error('broken')])
    })
  })

  it('rejects writes while the log fails, reports the first failure of a row, and writes all after `recover`', () => {
    const { pipeline, told, tell, disk, log } = scene()
    const statuses: AgentEvent[] = []
    pipeline.events$.subscribe((event) => event.type === 'status' && statuses.push(event))
    pipeline.writeError$.subscribe(tell('error'))
    const fail = (): void => {
      disk.full = true
      for (const name of ['a', 'b']) pipeline.write({ event: custom }).subscribe(tell(name))
    }
    fail()
    expect(told).toEqual([`a failed: ${full}`, 'error', `b failed: ${full}`])
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
    const { pipeline, disk, log, asked } = scene(tick$)
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
    expect([ticks.length, asked.filter((call) => call.startsWith('append'))]).toEqual([
      0,
      ['append 1', 'append 1', 'append 1', 'append 1', 'append 2', 'append 3', 'append 3'],
    ])
  })

  it('reports a failed sync like a failed write', () => {
    const { pipeline, told, tell, disk } = scene()
    pipeline.writeError$.subscribe(tell('error'))
    disk.broken = true
    pipeline.durable().subscribe(tell('durable'))
    expect(told).toEqual(['error', 'durable failed: EIO: sync'])
  })

  it('starts a sync after a message, and reports its failure once', async () => {
    const unhandled: unknown[] = []
    config.onUnhandledError = (error) => unhandled.push(error)
    const { pipeline, told, tell, disk, asked } = scene()
    pipeline.writeError$.subscribe(tell('error'))
    pipeline.publish({ event: sampleEvents.message_end })
    expect([asked.filter((call) => call === 'durable').length, told]).toEqual([1, []])
    disk.broken = true
    pipeline.publish({ event: sampleEvents.message_end })
    await new Promise((resolve) => setTimeout(resolve))
    expect([told, unhandled]).toEqual([['error'], []])
  })

  it('fails a command whose sync found no descriptor, and blocks no other [SOCKET-descriptors]', () => {
    const { told, tell, log } = scene()
    const short$ = throwError(() => new Failure('overloaded', 'too many files are open'))
    const pipeline = createPipeline({ log: { ...log, durable: () => short$ }, head: 0, initial: emptySession() })
    pipeline.writeError$.subscribe(tell('error'))
    pipeline.durable().subscribe(tell('durable'))
    expect(told).toEqual(['durable failed: too many files are open'])
    expect(pipeline.recover).not.toThrow()
  })

  it('writes a checkpoint of an open message after a while, and none after its close', () => {
    const checkpointsOf = (act: (pipeline: ReturnType<typeof scene>['pipeline']) => void): number => {
      vi.useFakeTimers()
      const { pipeline, asked } = scene()
      for (const event of opened) pipeline.publish({ event })
      act(pipeline)
      vi.advanceTimersByTime(60_000)
      return asked.filter((call) => call === 'checkpoint').length
    }
    expect(checkpointsOf(() => undefined)).toBe(1)
    expect(checkpointsOf((pipeline) => pipeline.close())).toBe(0)
  })

  it('completes all its streams at its close, and records nothing later', () => {
    const { pipeline, told, tell, log } = scene()
    pipeline.records$.subscribe(tell('records'))
    pipeline.events$.subscribe(tell('events'))
    pipeline.state$.subscribe({ complete: () => told.push('state complete') })
    pipeline.writeError$.subscribe(tell('errors'))
    pipeline.close()
    pipeline.publish({ event: custom })
    expect([told, log.head]).toEqual([['records complete', 'events complete', 'state complete', 'errors complete'], 0])
  })

  it('completes `handled` when the events before are recorded', () => {
    const { pipeline, told, tell } = scene()
    const onRecord = ({ event }: SessionRecord): void => {
      told.push(event.type)
      if (event.type !== 'custom') return
      pipeline.publish({ event: label })
      pipeline.handled().subscribe(tell('handled'))
    }
    pipeline.records$.subscribe(onRecord)
    pipeline.publish({ event: custom })
    expect(told).toEqual(['custom', 'label', 'handled complete'])
  })
})
