// Finds the summariser of a session: its own, that of the role `summary`, or the model's.
import { EMPTY, catchError, concat, concatMap, defer, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import { compact } from '../../operators/compaction/compact.ts'
import type { CompactionRequest, CompactionStep } from '../../operators/compaction/compact.ts'
import { modelSummariser } from '../../operators/compaction/model-summariser.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { Summariser } from '../../streams/ports/agent-context.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { defaultIdleMs, defaultLocalFirstMs } from '../contract/idle-defaults.ts'
import type { SessionOptions, SessionParts } from '../contract/session-parts.ts'
import type { SessionRoles } from '../roles/roles-port.ts'

export function summariserOf(
  { summariser, aroundSummary }: Pick<SessionOptions, 'summariser' | 'aroundSummary'>,
  byModel: Summariser,
): Summariser {
  const own$ = summariser ?? byModel
  return aroundSummary === undefined
    ? own$
    : (request) =>
        aroundSummary(
          defer(() => own$(request)),
          request,
        )
}

/** The hook before a compaction is asked once, though a compaction may need two summaries. */
export function gatedSummariser(
  { reason, focus }: Pick<CompactionRequest, 'reason' | 'focus'>,
  options: Pick<SessionOptions, 'summariser' | 'aroundSummary' | 'beforeCompaction'>,
  bySession$: Summariser,
): Summariser {
  const summarise$ = summariserOf(options, bySession$)
  const { beforeCompaction } = options
  if (beforeCompaction === undefined) return summarise$
  let isAllowed = false
  const trigger = reason === 'manual' ? 'manual' : 'auto'
  const gate$ = defer(() =>
    isAllowed ? EMPTY : beforeCompaction({ trigger, ...(focus === undefined ? {} : { focus }) }),
  )
  return (request) =>
    concat(
      gate$,
      defer(() => {
        isAllowed = true
        return summarise$(request)
      }),
    )
}

/** The summariser of a model, with the retries and limits of the session. The model is read for each summary. */
export function sessionSummariser(
  { options: { retry, limits }, log }: Pick<SessionParts, 'options' | 'log'>,
  model: () => ProviderModel,
): Summariser {
  return (request) => {
    const { local = false } = model().model
    return modelSummariser({
      settings: model,
      ...(retry === undefined ? {} : { retry }),
      sessionId: log.header.id,
      idleMs: limits?.idleMs ?? (local ? defaultLocalFirstMs : defaultIdleMs),
    })(request)
  }
}

/** The code of the warning about a role whose model cannot be used. */
export const roleUnusable = 'role_unusable'

/** The model of a summary; undefined: the session's. */
export interface SummaryModel {
  readonly model: ProviderModel | undefined
}

/**
 * Emits the model of the role `summary`, with the session's as its last fallback. A model that cannot be used is a
 * warning before the session's. Never fails.
 */
export function summaryModel(
  roles: SessionRoles,
  current: () => ProviderModel,
): Observable<SummaryModel | EventNamed<'warning'>> {
  return roles.choice('summary').pipe(
    concatMap((choice) => {
      if (choice === undefined) return of({ model: undefined })
      return roles.find(choice).pipe(
        map((found) => {
          const { model, provider } = current()
          return { model: { ...found, fallbacks: [...(found.fallbacks ?? []), { model, provider }] } }
        }),
        catchError((error: unknown) => {
          const message = `${choice.setting} names ${choice.name}, which cannot be used: ${describeThrown(error)}`
          const warning = { type: 'warning', code: roleUnusable, message, recoverable: true } as const
          return of<(SummaryModel | EventNamed<'warning'>)[]>(warning, { model: undefined })
        }),
      )
    }),
  )
}

/** The step that compacts: the caller's own, or one with the summariser of the session. */
export function stepOf(
  parts: Pick<SessionParts, 'options' | 'log' | 'roles'>,
  current: () => ProviderModel,
): CompactionStep {
  const { compact: own$, compaction = {}, summariser } = parts.options
  if (own$ !== undefined) return own$
  const stepBy =
    (model: ProviderModel | undefined): CompactionStep =>
    (request) => {
      const bySession$ = sessionSummariser(parts, () => model ?? current())
      return compact({ ...compaction, summariser: gatedSummariser(request, parts.options, bySession$) })(request)
    }
  const { roles } = parts
  if (roles === undefined || summariser !== undefined) return (request) => stepBy(undefined)(request)
  return (request) =>
    summaryModel(roles, current).pipe(
      concatMap((found) => ('type' in found ? of(found) : stepBy(found.model)(request))),
    )
}
