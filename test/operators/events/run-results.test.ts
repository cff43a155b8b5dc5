// Tests `runResults`, which collects one value for each run.
import { describe, expect, it } from 'vitest'
import { runResults } from '../../../lib/operators/events/run-results.ts'
import type { RunResult } from '../../../lib/operators/events/run-results.ts'
import type { AgentEvent, EventNamed } from '../../../lib/streams/events/event.ts'
import { noUsage } from '../../../lib/streams/messages/message.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { letters, messageEnd, texts } from './event-letters.ts'

const failed: EventNamed<'agent_end'> = {
  type: 'agent_end',
  totalTurns: 0,
  usage: noUsage,
  durationMs: 5,
  terminationReason: 'error',
  error: { code: 'provider_error', message: 'The provider is down' },
}
const events = { ...letters, f: failed, E: messageEnd(texts('Ho', ' ho'), 'second') }
const { type: _, ...endOfRun } = letters.R
const { type: __, ...endOfFailure } = failed
const whole: RunResult = {
  ...endOfRun,
  messages: [letters.U.message, letters.e.message],
  message: texts('Hi'),
  text: 'Hi',
}
const results: Readonly<Record<string, RunResult>> = {
  x: whole,
  y: { ...endOfFailure, messages: [letters.U.message], text: '' },
  z: { ...endOfRun, messages: [letters.e.message], message: texts('Hi'), text: 'Hi' },
  w: { ...whole, messages: [...whole.messages, events.E.message], message: texts('Ho', ' ho'), text: 'Ho ho' },
}

describe('runResults', () => {
  it.each<[string, string, string]>([
    ['stays open if the source never emits', '---', '---'],
    ['completes with an empty source', '--|', '--|'],
    ['emits a run when it has settled', 'rtuUabeTRs|', '---------x|'],
    ['emits nothing for a run that does not settle', 'rtuUabeTR|', '---------|'],
    ['emits one result a run', 'rUeRs-rUeRs|', '----x-----x|'],
    ['takes the text of the last answer', 'rUeERs|', '-----w|'],
    ['emits a run that failed before an answer', 'rUfs|', '---y|'],
    ['has the messages since then of a run that was on', 'eRs|', '--z|'],
    ['counts no message before a run', 'E-rUeRs|', '------x|'],
    ['fails with its source', 'rUe#', '---#'],
  ])('%s', (_name, source, shows) => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>(source, events)
      expectObservable(source$.pipe(runResults())).toBe(shows, results)
      const end = /[|#]/.exec(source)
      expectSubscriptions(source$.subscriptions).toBe(end === null ? '^' : `^${'-'.repeat(end.index - 1)}!`)
    })
  })

  it('unsubscribes its source', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const source$ = cold<AgentEvent>('rUeRs', events)
      expectObservable(source$.pipe(runResults()), '^--!').toBe('---')
      expectSubscriptions(source$.subscriptions).toBe('  ^--!')
    })
  })

  it('starts anew for a run that begins while a result is delivered', () => {
    const texts: string[] = []
    marbles(({ hot }) => {
      hot<AgentEvent>('rUeRsrUERs', events)
        .pipe(runResults())
        .subscribe(({ messages, text }) => {
          texts.push(`${messages.length}: ${text}`)
        })
    })
    expect(texts).toEqual(['2: Hi', '2: Ho ho'])
  })
})
