// Tests that time limits and cooldowns follow the timers if the system's clock is set while they run.
import { BehaviorSubject, Subject, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { idleLimit, pausableTimer } from '../../../lib/operators/core/time-limits.ts'
import { createModelChoice } from '../../../lib/operators/request/model-choice.ts'
import { retryRequest } from '../../../lib/operators/request/retry-request.ts'
import { createKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { answeringClients } from '../../../lib/session/questions/answering-clients.ts'
import type { ProviderModel } from '../../../lib/streams/ports/provider.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

const hour = 3_600_000
const jumps = [
  ['forward', hour],
  ['back', -hour],
] as const

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Sets the clock; no timer runs. */
function jump(by: number): void {
  vi.setSystemTime(Date.now() + by)
}

/** A stream with a limit of 1 s; a value can be sent, and its end is `open` or the code of its failure. */
function limited(questionOpen$?: BehaviorSubject<boolean>): { send(): void; readonly state: () => string } {
  const values$ = new Subject<number>()
  let state = 'open'
  values$.pipe(idleLimit({ first: 1_000, each: 1_000, questionOpen$ })).subscribe({
    error: (error: unknown) => (state = Failure.from(error).code),
  })
  return { send: () => values$.next(1), state: () => state }
}

describe('an idle limit, while the clock goes an hour', () => {
  it.each(jumps)('%s, goes on while values come', (_, by) => {
    const stream = limited()
    for (let times = 0; times < 10; times++) {
      vi.advanceTimersByTime(600)
      stream.send()
      if (times === 3) jump(by)
    }
    expect(stream.state()).toBe('open')
  })

  it.each(jumps)('%s, ends a silent stream two limits later at most', (_, by) => {
    const stream = limited()
    vi.advanceTimersByTime(600)
    stream.send()
    jump(by)
    vi.advanceTimersByTime(2_000)
    expect(stream.state()).toBe('provider_error')
  })

  it.each(jumps)('%s, ends a stream without any value in time', (_, by) => {
    const stream = limited()
    vi.advanceTimersByTime(600)
    jump(by)
    vi.advanceTimersByTime(399)
    expect(stream.state()).toBe('open')
    vi.advanceTimersByTime(1)
    expect(stream.state()).toBe('provider_error')
  })

  it.each(jumps)('%s, before and during a question, counts one limit after it', (_, by) => {
    const questionOpen$ = new BehaviorSubject(false)
    const stream = limited(questionOpen$)
    vi.advanceTimersByTime(600)
    jump(by)
    questionOpen$.next(true)
    vi.advanceTimersByTime(5_000)
    jump(by)
    questionOpen$.next(false)
    vi.advanceTimersByTime(399)
    expect(stream.state()).toBe('open')
    vi.advanceTimersByTime(601)
    expect(stream.state()).toBe('provider_error')
  })
})

it.each(jumps)('a pausable limit runs at most once more in full if the clock goes an hour %s', (_, by) => {
  const waiting$ = new BehaviorSubject(false)
  let isOver = false
  pausableTimer(1_000, waiting$).subscribe(() => (isOver = true))
  vi.advanceTimersByTime(600)
  jump(by)
  waiting$.next(true)
  vi.advanceTimersByTime(5_000)
  waiting$.next(false)
  vi.advanceTimersByTime(399)
  expect(isOver).toBe(false)
  vi.advanceTimersByTime(601)
  expect(isOver).toBe(true)
})

it('a cooldown of a key ends if the clock is set back', () => {
  const memory = createKeyMemory()
  memory.cool('key', { ms: 60_000, isReported: true })
  vi.advanceTimersByTime(1_000)
  expect(memory.rest('key')).toEqual({ ms: 59_000, isReported: true })
  jump(-hour)
  expect(memory.rest('key').ms).toBe(0)
})

it('a cooldown of a model ends if the clock is set back', () => {
  const named = (id: string): ProviderModel => ({ model: { ...scriptedModel, id }, provider: scripted([]) })
  const settings = { ...named('a'), fallbacks: [named('b')], system: 's', thinkingLevel: 'low' as const, tools: [] }
  const choice = createModelChoice()
  const first = (): string => choice.candidates(settings)[0].model.id
  const [own, standIn] = choice.candidates(settings)
  choice.cool(own, new Failure('provider_error', 'limit', { data: { kind: 'rate_limit', retryAfterMs: 60_000 } }))
  choice.setAnswering(standIn ?? own)
  vi.advanceTimersByTime(1_000)
  expect(first()).toBe('b')
  jump(-hour)
  expect(first()).toBe('a')
})

it.each(jumps)('a busy provider is tried for one limit more at most if the clock goes an hour %s', (_, by) => {
  const busy = new Failure('provider_error', 'busy', { data: { kind: 'overloaded' } })
  let attempts = 0
  let state = 'waiting'
  retryRequest(
    () => {
      attempts += 1
      return throwError(() => busy)
    },
    { busyMs: 600_000, maxDelayMs: 60_000, jitter: () => 0 },
  ).subscribe({ error: (error: unknown) => (state = Failure.from(error).message) })
  vi.advanceTimersByTime(300_000)
  expect([state, attempts > 5]).toEqual(['waiting', true])
  jump(by)
  vi.advanceTimersByTime(700_000)
  expect(state).toBe('busy')
})

it('a question waits for no client that left, if the clock is set back', () => {
  const clients = answeringClients()
  clients.answering$.subscribe().unsubscribe()
  expect(clients.form()).toBe('ui_request')
  vi.advanceTimersByTime(30_000)
  expect(clients.form()).toBeUndefined()
  jump(-hour)
  expect(clients.form()).toBeUndefined()
  let isUnattended = false
  clients.unattended('ui_request').subscribe(() => (isUnattended = true))
  expect(isUnattended).toBe(true)
})
