// Tests that the tokens of summaries count that no compaction records: they failed, or were cancelled.
import { NEVER, concat, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { replayLog } from '../../../lib/session/recovery/replay-log.ts'
import { addUsage, noUsage } from '../../../lib/streams/messages/message.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'
import type { Summariser, SummaryProgress } from '../../../lib/streams/ports/agent-context.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { foldStats, noStats } from '../../../lib/streams/state/session-stats.ts'
import { playSession } from '../../support/virtual-session.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'

const usage: Usage = { input: 1_000, output: 7, cacheRead: 0, cacheWrite: 0, totalTokens: 1_007, cost: 'unknown' }
const progress: SummaryProgress = { characters: 5, usage }
const failing$: Summariser = () =>
  concat(
    of(progress),
    throwError(() => new Failure('provider_error', 'no')),
  )
const endless$: Summariser = () => concat(of(progress), NEVER)
const long = (word: string): string => `${word} `.repeat(400)

function play(summariser$: Summariser, at: SessionScene['at'], window?: number): PlayedSession {
  return playSession({
    script: [long('one'), long('two'), long('three'), 'Last answer'],
    prompt: 'First',
    options: { summariser: summariser$, compaction: { enabled: true } },
    ...(window === undefined ? {} : { model: { ...scriptedModel, contextWindow: window } }),
    at: {
      20: ({ send }) => void send({ type: 'prompt', text: 'Second' }),
      40: ({ send }) => void send({ type: 'prompt', text: 'Third' }),
      ...at,
    },
  })
}
const spent = ({ events }: PlayedSession) => events.filter(({ type }) => type === 'summary_usage')
const sumOfTurns = ({ events }: PlayedSession): Usage =>
  events.reduce((sum, event) => (event.type === 'turn_end' ? addUsage(sum, event.usage) : sum), noUsage)
/** The totals of the state, of the log when it is read again, and of the statistics. */
function expectTotal(played: PlayedSession, expected: Usage): void {
  expect(played.session.state$.value.usage).toEqual(expected)
  expect(replayLog(played.log).usage).toEqual(expected)
  expect(played.events.reduce(foldStats, noStats()).usage).toEqual(expected)
}

describe('a command compact', () => {
  it.each<[string, Summariser, SessionScene['at']]>([
    ['that fails', failing$, {}],
    ['that is cancelled', endless$, { 120: ({ send }) => void send({ type: 'abort' }) }],
  ])('%s counts what its summary used', (_, summariser$, at) => {
    const played = play(summariser$, { 100: ({ send }) => void send({ type: 'compact' }), ...at })
    expect(spent(played)).toEqual([{ type: 'summary_usage', reason: 'manual', usage }])
    expectTotal(played, addUsage(sumOfTurns(played), usage))
  })

  it('counts the usage of a summary once, in its compaction [EVENT-compaction_reason]', () => {
    const summariser$: Summariser = () => concat(of(progress), of({ text: 'Short.', usage }))
    const played = play(summariser$, { 100: ({ send }) => void send({ type: 'compact' }) })
    expect(spent(played)).toEqual([])
    const [compaction] = played.events.flatMap((event) => (event.type === 'compaction' ? [event] : []))
    expectTotal(played, addUsage(sumOfTurns(played), compaction?.usage ?? noUsage))
  })
})

describe('a compaction of a run', () => {
  it.each<[string, Summariser, SessionScene['at']]>([
    ['that fails', failing$, {}],
    ['that a stop cancels', endless$, { 120: ({ send }) => void send({ type: 'abort' }) }],
  ])('%s counts in the usage of the run', (_, summariser$, at) => {
    const played = play(summariser$, { 100: ({ send }) => void send({ type: 'prompt', text: 'Fourth' }), ...at }, 1_200)
    expect(spent(played)).toContainEqual({ type: 'summary_usage', reason: 'threshold', usage })
    const ends = played.events.flatMap((event) => (event.type === 'agent_end' ? [event] : []))
    const total = spent(played).reduce((sum) => addUsage(sum, usage), sumOfTurns(played))
    expect(ends.map((end) => end.usage).reduce(addUsage)).toEqual(total)
    expectTotal(played, total)
  })
})

describe('the summary of a branch', () => {
  const leave: SessionScene['at'] = {
    100: ({ session, send }) => {
      const [entryId = ''] = session.state$.value.entries.keys()
      send({ type: 'branch_session', entryId, summarise: true })
    },
  }
  const written$: Summariser = () => of({ text: 'Short.', usage })
  it.each<[string, Summariser]>([
    ['counts', written$],
    ['counts if it fails', failing$],
  ])('%s', (_, summariser$) => {
    const played = play(summariser$, leave)
    expect(spent(played)).toEqual([{ type: 'summary_usage', reason: 'branch', usage }])
    expectTotal(played, addUsage(sumOfTurns(played), usage))
  })
})
