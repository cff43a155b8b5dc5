// Compacts a context: cheap edits first, then a summary in place of the older messages.
import { EMPTY, catchError, concat, defer, mergeMap, of, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { EventNamed } from '../../streams/events/event.ts'
import { addUsage } from '../../streams/messages/message.ts'
import type { Message, Usage } from '../../streams/messages/message.ts'
import { isSummary } from '../../streams/ports/agent-context.ts'
import type { Summariser, Summary, SummaryProgress, SummaryRequest } from '../../streams/ports/agent-context.ts'
import { summaryMessage } from '../../streams/state/context-messages.ts'
import { Failure } from '../../streams/values/failure.ts'
import { takeThrough } from '../core/take-through.ts'
import { firstUnits } from '../../streams/values/truncate.ts'
import { filesText, mergeFiles, withoutFiles } from './file-lists.ts'
import type { FileLists } from './file-lists.ts'
import { planCompaction } from './plan-compaction.ts'
import type { CompactionInput, CompactionPlan, CompactionSettings, SummaryPlan } from './plan-compaction.ts'

export interface CompactionRequest extends CompactionInput {
  /** The last compaction of the branch: its summary and its file lists are carried along. */
  readonly previous?: Pick<EventNamed<'compaction'>, 'summary' | 'details'>
  /** The words of a person about what matters. */
  readonly focus?: string
}

/** A compaction before it has its place in the tree. */
export type CompactionDraft = Omit<EventNamed<'compaction'>, 'entryId' | 'parentId'>

export type CompactionOutcome =
  | CompactionDraft
  | EventNamed<'context_edit'>
  | EventNamed<'compaction_progress'>
  | EventNamed<'warning'>

/**
 * Shortens a context: emits progress, then edits and at most one compaction, all at once, and completes. Emits nothing
 * if nothing is due. Fails with a Failure and changes nothing. Unsubscribing cancels it. The `usage` of its last
 * progress counts for the session unless a compaction follows.
 */
export type CompactionStep = (request: CompactionRequest) => Observable<CompactionOutcome>

export interface CompactOptions extends CompactionSettings {
  readonly summariser: Summariser
}

/**
 * The step that sessions use. Before a request (`threshold`) a failure of the summariser becomes a `warning`, and the
 * request goes on with the context as it is; for `overflow` and `manual` the step fails with it. Buffers one summary.
 */
export function compact({ summariser, ...settings }: CompactOptions): CompactionStep {
  return (request) =>
    defer(() => {
      const { reason } = request
      if (reason === 'threshold' && settings.enabled === false) return EMPTY
      const plan = planCompaction(request, settings)
      if (plan === undefined) return EMPTY
      const { summary } = plan
      if (summary === undefined) return of(...plan.edits)
      return summarise(summary, plan, request, summariser).pipe(
        catchError((thrown: unknown) => {
          const failure = Failure.from(thrown)
          return reason === 'threshold' ? of(compactionWarning(failure)) : throwError(() => failure)
        }),
      )
    })
}

function summarise(
  parts: SummaryPlan,
  plan: CompactionPlan,
  request: CompactionRequest,
  summariser: Summariser,
): Observable<CompactionOutcome> {
  const { reason } = request
  const { tokensBefore } = plan
  const written: Summary[] = []
  const progress = ({ characters, usage: latest }: SummaryProgress): CompactionOutcome => {
    const earlier = written.reduce((sum, { text }) => sum + text.length, 0)
    const usage = usageOf(latest === undefined ? written : [...written, { usage: latest }])
    const event = { type: 'compaction_progress', reason, tokensBefore, characters: earlier + characters } as const
    return usage === undefined ? event : { ...event, usage }
  }
  const each = summaryRequests(parts, request).map((summaryRequest) =>
    defer(() => summariser(summaryRequest)).pipe(
      takeThrough(isSummary),
      mergeMap((value) => {
        if (!isSummary(value)) return of(progress(value))
        const part: Summary = typeof value === 'string' ? { text: value } : value
        written.push(part)
        const used$ = part.usage === undefined ? EMPTY : of(progress({ characters: 0 }))
        return part.text.trim() === ''
          ? concat(
              used$,
              throwError(() => emptyFailure()),
            )
          : used$
      }),
    ),
  )
  return concat(
    of(progress({ characters: 0 })),
    ...each,
    defer(() => {
      if (written.length < each.length) throw new Failure('internal', 'The summariser completed without a summary')
      return of(...plan.edits, draftOf({ written, parts, plan, request }))
    }),
  )
}

/** One request, or two if the cut splits a turn. A previous summary that nothing followed stays as it is. */
function summaryRequests(
  { history, turn, mostTokens }: SummaryPlan,
  { previous, focus }: CompactionRequest,
): SummaryRequest[] {
  const most = Math.floor(history.length > 0 && turn.length > 0 ? mostTokens / 2 : mostTokens)
  const shared = { reason: 'compaction', mostTokens: most, ...(focus === undefined ? {} : { focus }) } as const
  const earlier = previous === undefined ? {} : { previous: previousText(previous) }
  return [
    ...(history.length === 0 ? [] : [{ ...shared, messages: history, part: 'history', ...earlier } as const]),
    ...(turn.length === 0 ? [] : [{ ...shared, messages: turn, part: 'turn' } as const]),
  ]
}

function previousText({ summary, details }: NonNullable<CompactionRequest['previous']>): string {
  return details === undefined ? summary : withoutFiles(summary, details)
}

interface Written {
  readonly written: readonly Summary[]
  readonly parts: SummaryPlan
  readonly plan: CompactionPlan
  readonly request: CompactionRequest
}

function draftOf({ written, parts, plan, request }: Written): CompactionDraft {
  const { reason, focus, previous } = request
  const { history, turn, firstKeptEntryId, carriedEntryIds, mostTokens } = parts
  const details = mergeFiles(previous?.details, [...history, ...turn])
  const texts = written.map(({ text }) => text.trim())
  const before = history.length === 0 && previous !== undefined ? [previousText(previous)] : []
  const [first = '', ...rest] = [...before, ...texts]
  const text = [first, ...rest.map((part) => `## The current turn so far\n${part}`)].join('\n\n')
  const fits = (content: string): boolean => plan.tokensOf(asMessage(content)) <= mostTokens
  const summary = fitted(text, details, fits)
  const usage = usageOf(written)
  const model = written.find((part) => part.model !== undefined)?.model
  return {
    type: 'compaction',
    summary,
    tokensBefore: plan.tokensBefore,
    tokensAfter: plan.tokensAfter + plan.tokensOf(asMessage(summary)),
    details,
    firstKeptEntryId,
    reason,
    ...(carriedEntryIds.length === 0 ? {} : { carriedEntryIds: [...carriedEntryIds] }),
    ...(usage === undefined ? {} : { usage }),
    ...(model === undefined ? {} : { model }),
    ...(focus === undefined ? {} : { focus }),
  }
}

function usageOf(parts: readonly Pick<Summary, 'usage'>[]): Usage | undefined {
  const usages = parts.flatMap(({ usage }) => usage ?? [])
  return usages.length === 0 ? undefined : usages.reduce(addUsage)
}

function emptyFailure(): Failure {
  return new Failure('internal', 'The summariser returned an empty summary')
}

function asMessage(summary: string): Message {
  return summaryMessage({ event: { type: 'compaction', summary }, at: 0 })
}

/**
 * A model may ignore the limit of the request. Then the end of its text is cut, and the older half of long lists of
 * files.
 */
function fitted(text: string, details: FileLists, fits: (text: string) => boolean): string {
  let most = text.length
  let files = filesText(details)
  while (files !== '' && !fits(files.repeat(2))) files = filesText(details, files.length / 2)
  const whole = (): string => `${firstUnits(text, most)}${most < text.length ? ' […]' : ''}${files}`
  while (most > 0 && !fits(whole())) most = Math.floor(most * 0.8)
  if (most === 0) throw new Failure('internal', 'The window of the model has no room for a summary')
  return whole()
}

/** A compaction before a request failed: the request goes on with the context as it is. */
export function compactionWarning({ code, message }: Failure): EventNamed<'warning'> {
  return {
    type: 'warning',
    code: 'compaction_failed',
    message: `The conversation was not compacted, and is as it was: ${message}`,
    context: { code },
    recoverable: true,
  }
}
