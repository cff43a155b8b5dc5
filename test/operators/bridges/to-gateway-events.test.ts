// Tests `toGatewayEvents`: names, payloads, the two counters, and that no event is lost on the way.
import { readFileSync } from 'node:fs'
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { gatewayNames } from '../../../lib/operators/bridges/gateway-names.ts'
import { toGatewayEvents } from '../../../lib/operators/bridges/to-gateway-events.ts'
import type { GatewayEvent, GatewayEventsOptions } from '../../../lib/operators/bridges/to-gateway-events.ts'
import type { RecordedEvent } from '../../../lib/operators/events/measure-events.ts'
import { isDurable } from '../../../lib/streams/events/event.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { emptySession, foldSession, transcript } from '../../../lib/streams/state/fold-session.ts'
import type { SessionState } from '../../../lib/streams/state/fold-session.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { scriptedRun } from '../../support/scripted-run.ts'
import { sampleEvents } from '../../streams/events/samples.ts'

function framesOf(events: readonly (AgentEvent | RecordedEvent)[], options?: GatewayEventsOptions): GatewayEvent[] {
  const frames: GatewayEvent[] = []
  from(events)
    .pipe(toGatewayEvents(options))
    .subscribe((frame) => frames.push(frame))
  return frames
}

const typeOf = new Map(Object.entries(gatewayNames).map(([type, name]) => [name as string, type]))

/** The event of a frame, as a front end makes it. */
function eventOf({ event, payload: { session: _, runId: _runId, at: _at, ...fields } }: GatewayEvent): AgentEvent {
  return { type: typeOf.get(event), ...fields } as AgentEvent
}

function folded(events: readonly AgentEvent[]): SessionState {
  return events.reduce((state, event) => foldSession(state, { event }), emptySession())
}

describe('toGatewayEvents', () => {
  it('has a name of its own for each event', () => {
    expect(typeOf.size).toBe(Object.keys(sampleEvents).length)
    for (const name of typeOf.keys()) expect(name).toMatch(/^session(\.[a-z_]+){1,2}$/)
  })

  it('has its names in docs/bridges.md', () => {
    const rows = readFileSync('docs/bridges.md', 'utf8').matchAll(/^\| `(\w+)`\s+\| `(session\.\S+)`\s+\|$/gm)
    expect(Array.from(rows, ([, type, name]) => [type, name])).toEqual(Object.entries(gatewayNames))
  })

  it('writes frames of a gateway', () => {
    const [frame] = framesOf([{ event: sampleEvents.label, seq: 7, at: 5, runId: 'run' }], { session: 's' })
    expect(frame).toEqual({
      type: 'event',
      event: 'session.label.changed',
      payload: { session: 's', runId: 'run', at: 5, targetEntryId: 'abcdefg2', label: 'good', by: 'client' },
      seq: 1,
      stateVersion: 7,
    })
  })

  it('raises stateVersion with durable events only, to the seq of the log if there is one', () => {
    const events = [sampleEvents.message_update, sampleEvents.label, { event: sampleEvents.label, seq: 12 }, sampleEvents.status] // prettier-ignore
    expect(framesOf(events, { stateVersion: 9 }).map(({ seq, stateVersion }) => [seq, stateVersion])).toEqual([
      [1, 9],
      [2, 10],
      [3, 12],
      [4, 12],
    ])
  })

  it('loses nothing: the frames of a run fold to the state of its events, in order', () => {
    const events = [...scriptedRun(['one ', 'two']), ...Object.values(sampleEvents)]
    const frames = framesOf(events, { session: 's' })
    expect(frames.map(eventOf)).toEqual(events)
    expect(folded(frames.map(eventOf))).toEqual(folded(events))
    expect(transcript(folded(frames.map(eventOf)))).toEqual(transcript(folded(events)))
    expect(frames.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(frames.at(-1)?.stateVersion).toBe(events.filter(isDurable).length)
  })

  it('counts anew for each subscription, fails with its source and unsubscribes it', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold('a-#', { a: sampleEvents.status })
      const frames$ = source$.pipe(toGatewayEvents())
      const { type, ...payload } = sampleEvents.status
      const values = { f: { type: 'event', event: `session.${type}`, payload, seq: 1, stateVersion: 0 } as const }
      expectObservable(frames$).toBe('f-#', values)
      expectObservable(frames$, '---^-!').toBe('---f-', values)
      expectSubscriptions(source$.subscriptions).toBe(['^-!', '---^-!'])
    })
  })
})
