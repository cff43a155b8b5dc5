// Tests the step that compacts: what it asks of a summariser, when it emits, and how it fails.
import { of, lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { compact } from '../../../lib/operators/compaction/compact.ts'
import type { CompactionOutcome, CompactionRequest, CompactOptions } from '../../../lib/operators/compaction/compact.ts'
import type { PlannedEntry } from '../../../lib/operators/compaction/find-cut.ts'
import type { Message } from '../../../lib/streams/messages/message.ts'
import type { Summariser, Summary, SummaryProgress, SummaryRequest } from '../../../lib/streams/ports/agent-context.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { marbles } from '../../../lib/testing/marbles.ts'
import { anAnswer } from '../../providers/adapter/messages.ts'
import { answerOf, entriesOf, inputOf, resultOf, userOf } from './planned-entries.ts'

const turns = (count: number): Message[] => Array.from({ length: count }, () => [userOf(50), answerOf(50)]).flat()
const requestOf = (entries: readonly PlannedEntry[], fields: Partial<CompactionRequest> = {}): CompactionRequest => ({
  ...inputOf(entries, { window: 1_200 }),
  ...fields,
})
const full = requestOf(entriesOf(turns(10)))
const long = [...turns(2), userOf(50), anAnswer('c1'), resultOf('c1', 500), anAnswer('c2'), resultOf('c2', 300)]

function outcomesOf(request: CompactionRequest, summary: (request: SummaryRequest) => string, options = {}) {
  const requests: SummaryRequest[] = []
  const outcomes: CompactionOutcome[] = []
  const summariser$: Summariser = (next) => {
    requests.push(next)
    return of(summary(next))
  }
  compact({ summariser: summariser$, ...options })(request).subscribe((outcome) => outcomes.push(outcome))
  return { sentRequests: requests, outcomes, draft: outcomes.find(({ type }) => type === 'compaction') }
}

describe('compact', () => {
  it('emits nothing and asks nobody if nothing is due, or if it is switched off', () => {
    for (const [request, options] of [
      [requestOf(entriesOf(turns(2))), {}],
      [full, { enabled: false }],
    ] as const) {
      const { sentRequests: requests, outcomes } = outcomesOf(request, () => 'Never', options)
      expect([requests, outcomes]).toEqual([[], []])
    }
  })

  it('fails if the window has no room for a summary', async () => {
    const outcome$ = compact({ summariser: () => of('A summary of some words. '.repeat(20)) })
    const request = requestOf(entriesOf(turns(9)), { reason: 'manual', window: 40 })
    const emitted = lastValueFrom(outcome$(request), { defaultValue: undefined })
    await expect(emitted).rejects.toMatchObject({ code: 'internal' })
  })

  it('works as a person asked although it is switched off', () => {
    const { draft } = outcomesOf({ ...full, reason: 'manual' }, () => 'Short.', { enabled: false })
    expect(draft).toMatchObject({ reason: 'manual' })
  })

  it('continues the earlier summary and its files, and passes the focus on', () => {
    const details = { readFiles: ['/a'], modifiedFiles: [] }
    const previous = { summary: 'Before.\n\n## Files\nRead: /a', details }
    const entries = entriesOf([userOf(50), ...turns(9), anAnswer('c1'), resultOf('c1', 50)], {
      0: { kind: 'compaction' },
    })
    const { sentRequests: requests, draft } = outcomesOf(
      requestOf(entries, { previous, focus: 'the tests' }),
      () => 'After.',
    )
    expect(requests).toMatchObject([{ part: 'history', previous: 'Before.', focus: 'the tests', mostTokens: 150 }])
    expect(requests[0]?.messages).not.toContain(entries[0]?.message)
    expect(draft).toMatchObject({ summary: 'After.\n\n## Files\nRead: /a', details, focus: 'the tests' })
  })

  it('summarises a split turn in two parts, half as long each', () => {
    const { sentRequests: requests, draft } = outcomesOf(requestOf(entriesOf(long)), ({ part }) => `The ${part}.`)
    expect(requests.map(({ part, mostTokens }) => [part, mostTokens])).toEqual([
      ['history', 75],
      ['turn', 75],
    ])
    expect(draft).toMatchObject({ carriedEntryIds: ['e4'], firstKeptEntryId: 'e7' })
    expect(draft).toMatchObject({
      summary: 'The history.\n\n## The current turn so far\nThe turn.\n\n## Files\nRead: a',
    })
  })

  it('puts the earlier summary before the turn, if nothing lies between them', () => {
    const entries = entriesOf([userOf(20), ...long.slice(4)], { 0: { kind: 'compaction' } })
    const { sentRequests: requests, draft } = outcomesOf(
      requestOf(entries, { previous: { summary: 'Before.' }, window: 1_100 }),
      () => 'Now.',
    )
    expect(requests).toMatchObject([{ part: 'turn', mostTokens: 137 }])
    expect(draft).toMatchObject({
      summary: expect.stringMatching(/^Before\.\n\n## The current turn so far\nNow\./) as string,
    })
  })

  it('cuts a summary that is too long, and keeps its files', () => {
    const entries = entriesOf([anAnswer('c1'), resultOf('c1', 50), ...turns(10)])
    const { draft } = outcomesOf(requestOf(entries), () => '😀'.repeat(5_000))
    if (draft?.type !== 'compaction') throw new Error('no compaction')
    expect(draft.summary).toMatch(/ \[…\]\n\n## Files\nRead: a$/)
    expect(draft.summary.isWellFormed()).toBe(true)
    expect(draft.summary.length / 4).toBeLessThan(150)
    expect(draft.tokensAfter).toBeLessThanOrEqual(900)
  })

  it('emits only edits if they save enough', () => {
    const output = [...turns(2), anAnswer('c1'), resultOf('c1', 900), ...turns(4)]
    const { sentRequests: requests, outcomes } = outcomesOf(
      requestOf(entriesOf(output), { window: 1_600 }),
      () => 'Never',
    )
    expect(outcomes.map(({ type }) => type)).toEqual(['context_edit'])
    expect(requests).toEqual([])
  })
})

type Value = string | Summary | SummaryProgress

describe('in time', () => {
  const step = (summary$: Observable<Value>, fields: Partial<CompactOptions> = {}) =>
    compact({ summariser: () => summary$, ...fields })
  const progress = (characters: number) => ({
    type: 'compaction_progress',
    reason: 'threshold',
    tokensBefore: 1_000,
    characters,
  })
  const draft = expectedDraft()

  it('emits progress at once and as it comes, and the compaction with the summary', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const summary$ = cold<Value>('-p--s---|', { p: { characters: 7 }, s: 'Short.' })
      expectObservable(step(summary$)(full)).toBe('ab--(d|)', { a: progress(0), b: progress(7), d: draft })
      expectSubscriptions(summary$.subscriptions).toBe('^---!') // the first summary counts
    })
  })

  it('asks for the second part when it has the first, and counts on', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const first$ = cold<Value>('--s|', { s: { text: 'First' } })
      const second$ = cold<Value>('-p-#', { p: { characters: 2 } }, new Failure('provider_error', 'no'))
      const summariser$: Summariser = ({ part }) => (part === 'turn' ? second$ : first$)
      const outcome$ = compact({ summariser: summariser$ })(requestOf(entriesOf(long), { reason: 'manual' }))
      const at = (characters: number) => ({ ...progress(characters), reason: 'manual', tokensBefore: 1_068 })
      expectObservable(outcome$).toBe('a--b-#', { a: at(0), b: at(7) }, new Failure('provider_error', 'no'))
      expectSubscriptions(second$.subscriptions).toBe('--^--!')
    })
  })

  it('warns and goes on before a request, and fails otherwise', () => {
    const failure = new Failure('provider_error', 'no')
    marbles(({ cold, expectObservable }) => {
      const warning = {
        type: 'warning',
        code: 'compaction_failed',
        message: 'The conversation was not compacted, and is as it was: no',
        context: { code: 'provider_error' },
        recoverable: true,
      }
      const summary$ = cold<Value>('--#', {}, failure)
      expectObservable(step(summary$)(full)).toBe('a-(w|)', { a: progress(0), w: warning })
      for (const reason of ['manual', 'overflow'] as const) {
        const expected = { a: { ...progress(0), reason } }
        expectObservable(step(summary$)({ ...full, reason })).toBe('a-#', expected, failure)
      }
    })
  })

  it.each<[string, string]>([
    ['completes without a summary', '--|'],
    ['returns an empty one', '--(e|)'],
  ])('fails if the summariser %s', (_, marble) => {
    marbles(({ cold, flush }) => {
      const failures: unknown[] = []
      step(cold<Value>(marble, { e: ' ' }))({ ...full, reason: 'manual' }).subscribe({
        error: (thrown: unknown) => failures.push(thrown),
      })
      flush()
      expect(failures).toMatchObject([{ code: 'internal' }])
    })
  })

  it('cancels the summariser when it is unsubscribed, and asks anew at each subscription', () => {
    marbles(({ cold, expectObservable, expectSubscriptions }) => {
      const summary$ = cold<Value>('---s|', { s: 'Short.' })
      const outcome$ = step(summary$)(full)
      expectObservable(outcome$, '^-!').toBe('a', { a: progress(0) })
      expectObservable(outcome$, '------^').toBe('------a--(d|)', { a: progress(0), d: draft })
      expectSubscriptions(summary$.subscriptions).toBe(['^-!', '------^--!'])
    })
  })
})

function expectedDraft(): CompactionOutcome {
  return {
    type: 'compaction',
    summary: 'Short.',
    tokensBefore: 1_000,
    tokensAfter: 424,
    details: { readFiles: [], modifiedFiles: [] },
    firstKeptEntryId: 'e12',
    reason: 'threshold',
  }
}
