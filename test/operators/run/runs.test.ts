// Tests `runs`, which starts one run at a time and marks its events.
import { Subject, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../lib/operators/run/runs.ts'
import type { RunRequest } from '../../../lib/operators/run/runs.ts'
import { contextMessage } from '../../../lib/streams/messages/context-message.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import type { PendingRecord } from '../../../lib/streams/log/log-line.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

const events: Record<string, AgentEvent> = { s: sampleEvents.agent_start, e: sampleEvents.agent_settled }
const requests: Record<string, RunRequest> = { a: { runId: 'a' }, b: { runId: 'b' } }
const records: Record<string, PendingRecord> = {
  1: { event: sampleEvents.agent_start, runId: 'a' },
  2: { event: sampleEvents.agent_settled, runId: 'a' },
  3: { event: sampleEvents.agent_start, runId: 'b' },
  4: { event: sampleEvents.agent_settled, runId: 'b' },
}

describe('runs', () => {
  it('run one after the other, each event marked with its run', () => {
    marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
      const request$ = hot('a-b-------|', requests)
      const one$ = cold('   s---e|     ', events)
      const two$ = cold('        s-e|  ', events)
      const expected = '    1---23-4--|'
      expectObservable(request$.pipe(runs(({ runId }) => (runId === 'a' ? one$ : two$)))).toBe(expected, records)
      expectSubscriptions(one$.subscriptions).toBe('^----!')
      expectSubscriptions(two$.subscriptions).toBe('-----^--!')
    })
  })

  it.each([
    ['-', '-'],
    ['--|', '--|'],
    ['-a|', '--1|'],
    ['-a-#', '--1#'],
  ])('of the requests %s', (marble, expected) => {
    marbles(({ cold, expectObservable }) => {
      expectObservable(cold(marble, requests).pipe(runs(() => cold('-(s|)', events)))).toBe(
        expected === '--1|' ? '--(1|)' : expected,
        records,
      )
    })
  })

  it('mark only the message_end of the prompt with the opId of the command, not a note before it', () => {
    const received: PendingRecord[] = []
    const { agent_start, message_end, agent_end } = sampleEvents
    const note = { ...message_end, message: contextMessage({ kind: 'date', digest: 'd', content: 'c', timestamp: 1 }) }
    const prompt = { ...message_end, message: { role: 'user', content: 'Hi', timestamp: 1 } as const }
    of({ runId: 'a', opId: 'op' }, { runId: 'b' })
      .pipe(runs(() => of(agent_start, note, prompt, prompt, message_end, agent_end)))
      .subscribe((record) => received.push(record))
    const none = (count: number) => Array<undefined>(count).fill(undefined)
    expect(received.map(({ opId }) => opId)).toEqual([...none(2), 'op', ...none(9)])
  })

  it('are unsubscribed with the subscription', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const request$ = cold('ab-', requests)
      const run$ = cold('    -s---e|', events)
      expectObservable(request$.pipe(runs(() => run$)), '^--!').toBe('-1-', records)
      expectSubscriptions(request$.subscriptions).toBe('^--!')
      expectSubscriptions(run$.subscriptions).toBe('^--!')
    })
  })

  it('fail if the start of one throws', () => {
    marbles(({ cold, expectObservable }) => {
      const broken$ = cold('-a', requests).pipe(
        runs(() => {
          throw new Error('no run')
        }),
      )
      expectObservable(broken$).toBe('-#', undefined, new Error('no run'))
    })
  })

  it('start within the end of the run before, 20,000 times, without growing the stack', () => {
    const request$ = new Subject<RunRequest>()
    let settled = 0
    request$.pipe(runs(() => of(sampleEvents.agent_settled))).subscribe(() => {
      settled += 1
      if (settled < 20_000) request$.next({ runId: 'r' })
    })
    request$.next({ runId: 'r' })
    expect(settled).toBe(20_000)
  })
})
