// Compacts a session because a person asked; one at a time, and `abort` cancels it.
import {
  EMPTY,
  Subject,
  concat,
  defer,
  endWith,
  finalize,
  ignoreElements,
  merge,
  mergeMap,
  take,
  throwError,
  tap,
} from 'rxjs'
import type { Observable, MonoTypeOperatorFunction } from 'rxjs'
import { summarySpending } from '../../operators/request/summary-spending.ts'
import type { SummarySpending } from '../../operators/request/summary-spending.ts'
import type { RoomEvent } from '../../operators/ports/run-ports.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionCommand } from '../contract/session.ts'
import { respondWhenWritten } from '../pipeline/respond-when-durable.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCore } from '../runs/session-core.ts'
import { busyFailure } from './validate-input.ts'

type Compact = Extract<SessionCommand, { type: 'compact' }>

export interface Compactor {
  /**
   * Emits the command's result once its lines are durable. Fails as the summariser does, with `bad_request` if there is
   * nothing to compact, with `cancelled` after `cancel`; the session then is as it was.
   * @throws Failure `busy` if a run is active, or something holds the conversation
   */
  compact(command: Compact, origin: { readonly opId?: string }): Observable<object>
  cancel(): void
}

export function compactor({ core, pipeline }: { readonly core: SessionCore; readonly pipeline: Pipeline }): Compactor {
  const cancel$ = new Subject<void>()
  const cancelled$ = cancel$.pipe(mergeMap(() => throwError(() => cancelledFailure())))
  return {
    compact: ({ focus }, origin) => {
      if (core.activeRun.unsettled !== undefined) throw busyFailure('abort it, or send compact after agent_settled')
      const release = core.hold.begin('compaction')
      const changes: RoomEvent[] = []
      const spending = summarySpending()
      const collected$ = core.compaction.compactNow(focus).pipe(
        spending.watch,
        mergeMap((event) => {
          if (event.type === 'compaction_progress') pipeline.publish({ event })
          else changes.push(event)
          return EMPTY
        }),
      )
      return concat(
        merge(collected$.pipe(endWith(undefined)), cancelled$).pipe(take(1), ignoreElements()),
        defer(() => {
          const compaction = changes.find((event) => event.type === 'compaction')
          const records = changes.map((event) => ({ event, ...origin }))
          return respondWhenWritten({ pipeline }, records, compaction === undefined ? {} : compactionResult(compaction))
        }),
      ).pipe(recordSpending(spending, pipeline), finalize(release))
    },
    cancel: () => {
      cancel$.next()
    },
  }
}

/** A compaction that fails records what its summary used. */
function recordSpending(spending: SummarySpending, { publish }: Pipeline): MonoTypeOperatorFunction<object> {
  return tap({
    error: () => {
      const event = spending.take()
      if (event !== undefined) publish({ event })
    },
  })
}

function cancelledFailure(): Failure {
  return new Failure('cancelled', 'The compaction was cancelled; the conversation is as it was')
}

/** The response of a compaction. */
export function compactionResult(event: EventNamed<'compaction'>): object {
  const { entryId, tokensBefore, tokensAfter, messages } = event
  return { entryId, tokensBefore, tokensAfter, ...(messages === undefined ? {} : { messages }) }
}

/** Passes everything through. A client that did not ask has no response that would end its progress. */
export function announceCompactionEnd({ publish }: Pick<Pipeline, 'publish'>): MonoTypeOperatorFunction<object> {
  return tap({
    error: (error: unknown) => {
      const { code, message } = Failure.from(error)
      const event = { type: 'status', code: 'compaction_ended', message, context: { code }, recoverable: true } as const
      publish({ event })
    },
  })
}
