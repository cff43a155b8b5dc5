// Compacts an open session: gives the step its context, and places what it returns in the tree.
import { EMPTY, asyncScheduler, catchError, concat, defer, filter, mergeMap, of, take, tap, throwError } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'
import { compactionWarning } from '../../operators/compaction/compact.ts'
import type { CompactionDraft, CompactionStep } from '../../operators/compaction/compact.ts'
import { answeredTokens, contextTokens } from '../../operators/compaction/context-tokens.ts'
import type { PlannedEntry } from '../../operators/compaction/find-cut.ts'
import { compactionLimits } from '../../operators/compaction/plan-compaction.ts'
import type { CompactionReason } from '../../operators/compaction/plan-compaction.ts'
import { modelMessage } from '../../operators/run/conversation.ts'
import type { Conversation, MakeRoom, RoomEvent } from '../../operators/ports/run-ports.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import { contextCharacters, growingCharacters } from '../../streams/ports/token-estimate.ts'
import { contextEntries, contextMessages } from '../../streams/state/context-messages.ts'
import type { ContextEntry } from '../../streams/state/context-messages.ts'
import type { Message } from '../../streams/messages/message.ts'
import type { SessionState, SummaryNode } from '../../streams/state/fold-session.ts'
import type { Model } from '../../streams/models/model.ts'
import { Failure } from '../../streams/values/failure.ts'
import { roleUnusable, stepOf } from './summariser-of.ts'
import type { SessionParts } from '../contract/session-parts.ts'
import type { SessionSettings } from './session-settings.ts'

export interface SessionCompaction {
  /** The ports of one run. */
  forRun(): { compactFirst(): Observable<RoomEvent> | undefined; readonly makeRoom: MakeRoom }
  /** Compacts as a person asked. Fails with a Failure, `bad_request` if there is nothing to compact. */
  compactNow(focus: string | undefined): Observable<RoomEvent>
}

export interface CompactionParts {
  readonly parts: Pick<SessionParts, 'options' | 'log' | 'roles'>
  readonly conversation: Conversation
  readonly settings: Pick<SessionSettings, 'current' | 'thaw'>
  readonly state$: Behavior<SessionState>
}

interface Purpose {
  readonly reason: CompactionReason
  readonly focus?: string | undefined
  /** The model of the request. Default: the session's. */
  readonly model?: Model
}

export function sessionCompaction(options: CompactionParts): SessionCompaction {
  const { conversation, state$ } = options
  const step$ = stepOf(options.parts, options.settings.current)
  // a log that takes time folds an event later than the conversation has its message
  const atHead$ = defer(() =>
    state$.pipe(
      filter(({ headEntryId }) => headEntryId === conversation.headEntryId),
      take(1),
    ),
  )
  const compactState$ = (purpose: Purpose): Observable<RoomEvent> =>
    atHead$.pipe(mergeMap((state) => runStep(state, purpose, { ...options, step$ })))
  return {
    forRun: () => {
      let hasFailed = false // a summariser that fails would fail before each request of the run
      return {
        compactFirst: () => {
          if (hasFailed || !mayBeDue(options)) return undefined
          return compactState$({ reason: 'threshold' }).pipe(
            catchError((thrown: unknown) => of(compactionWarning(Failure.from(thrown)))),
            tap((event) => {
              hasFailed ||= event.type === 'warning' && event.code !== roleUnusable
            }),
          )
        },
        makeRoom: ({ failure, model }) => {
          const room$ = compactState$({ reason: 'overflow', model })
          const unfit = failure ?? (model.local === true ? tooLongFailure(model) : undefined)
          // an estimate alone refuses no request; but a local endpoint may cut one that is too long, and not say so
          const madeRoom$ = unfit === undefined ? room$ : room$.pipe(failIfUnchanged(() => unfit))
          if (failure !== undefined) return madeRoom$
          // the estimate goes by the last answer's usage, which is too high if older messages were summarised since
          return atHead$.pipe(mergeMap((state) => (isWithinWindow(state, model, options) ? EMPTY : madeRoom$)))
        },
      }
    },
    compactNow: (focus) => compactState$({ reason: 'manual', focus }).pipe(failIfUnchanged(nothingFailure)),
  }
}

/**
 * False if the context leaves room: by the last answer's usage and one token for each character behind it. The costly look at
 * all entries is then saved, and a turn costs what it adds. False too if the log is damaged: the request reports that.
 */
function mayBeDue({ conversation, settings, parts: { options } }: CompactionParts): boolean {
  const { system, tools, model } = settings.current()
  const { contextWindow } = model
  if (contextWindow === undefined) return false
  const messages = readableMessages(conversation)
  const at = messages.findLastIndex(({ role }) => role === 'assistant')
  const last = messages[at]
  const { trigger } = compactionLimits(contextWindow, options.compaction)
  const { convertToLlm = (list: readonly Message[]) => list.flatMap((message) => modelMessage(message) ?? []) } =
    options
  if (last?.role === 'assistant' && last.usage.input + last.usage.cacheRead + last.usage.cacheWrite > 0) {
    const added = contextCharacters({ system: '', tools: [], messages: convertToLlm(messages.slice(at + 1)) })
    return answeredTokens(last.usage) + added > trigger
  }
  const all = options.convertToLlm === undefined ? conversation.modelMessages : convertToLlm(messages)
  return contextCharacters({ system, tools, messages: [] }) + growingCharacters(all) > trigger
}

function readableMessages(conversation: Conversation): readonly Message[] {
  try {
    return conversation.messages
  } catch {
    return []
  }
}

interface StepParts extends CompactionParts {
  readonly step$: CompactionStep
}

/** Emits progress and warnings as they come, and the changes together when the step has completed. */
function runStep(state: SessionState, { reason, focus, model }: Purpose, parts: StepParts): Observable<RoomEvent> {
  const { settings, step$ } = parts
  const entries = contextEntries(state)
  const first = entries[0]
  const previous = first?.kind === 'compaction' ? state.summaries.get(first.entryId)?.event : undefined
  const current = settings.current()
  const { system, tools } = current
  const request = {
    entries: plannedEntries(entries, parts),
    system,
    tools,
    window: (model ?? current.model).contextWindow,
    pins: state.pins,
    reason,
    ...(previous?.type === 'compaction' ? { previous } : {}),
    ...(focus === undefined ? {} : { focus }),
  }
  const changes: Change[] = []
  return concat(
    defer(() => step$(request)).pipe(
      mergeMap((outcome): RoomEvent[] => {
        if (outcome.type === 'warning' || outcome.type === 'compaction_progress') return [outcome]
        changes.push(outcome)
        return []
      }),
    ),
    defer(() => (changes.length === 0 ? EMPTY : of(...applyChanges(changes, state, parts)))),
  )
}

function isWithinWindow(state: SessionState, { contextWindow }: Model, parts: CompactionParts): boolean {
  const { system, tools } = parts.settings.current()
  const entries = plannedEntries(contextEntries(state), parts)
  return contextWindow === undefined || contextTokens({ system, tools, entries }).total <= contextWindow
}

function plannedEntries(entries: readonly ContextEntry[], { parts }: Pick<CompactionParts, 'parts'>): PlannedEntry[] {
  return entries.flatMap(entryForModel(parts.options.convertToLlm))
}

/** The messages that the model receives of an entry: none, one, or those of the session's own conversion. */
function entryForModel(convert: SessionParts['options']['convertToLlm']) {
  const messagesOf = (message: Message): readonly Message[] => {
    if (convert !== undefined) return convert([message])
    const own = modelMessage(message)
    return own === undefined ? [] : [own]
  }
  return (entry: ContextEntry): PlannedEntry[] =>
    messagesOf(entry.message).map((message) =>
      message === entry.message ? entry : { ...entry, message, isNote: message.role !== entry.message.role },
    )
}

type Change = CompactionDraft | EventNamed<'context_edit'>

/** State first: the conversation has the new messages when the events are emitted. @throws Failure `busy` */
function applyChanges(
  changes: readonly Change[],
  state: SessionState,
  { conversation, settings }: Pick<CompactionParts, 'conversation' | 'settings'>,
): RoomEvent[] {
  const parentId = state.headEntryId
  if (conversation.headEntryId !== parentId)
    throw new Failure('busy', 'The session changed while it was compacted; send compact again')
  const edits = new Map(state.edits)
  const summaries = new Map<string, SummaryNode>()
  let head = parentId
  const events = changes.map((change): RoomEvent => {
    if (change.type === 'context_edit') {
      edits.set(change.targetEntryId, { replacement: change.replacement, seq: state.seq })
      return change
    }
    const entryId = conversation.nextEntryId()
    const event = { ...change, ...withLatePins(change, state), entryId, parentId: head }
    summaries.set(entryId, { parentId: head, event, seq: state.seq, at: asyncScheduler.now() })
    head = entryId
    return event
  })
  const changed = { ...state, edits, summaries: { get: (id: string) => summaries.get(id) ?? state.summaries.get(id) } }
  conversation.moveTo(head, contextMessages(changed, head))
  if (summaries.size > 0) settings.thaw()
  return events
}

/** Also carries what a person has pinned while the summary was written: a later compaction would not find it. */
function withLatePins(draft: CompactionDraft, state: SessionState): Pick<CompactionDraft, 'carriedEntryIds'> {
  const { carriedEntryIds = [] } = draft
  const entries = contextEntries(state)
  const cut = entries.findIndex(({ entryId }) => entryId === draft.firstKeptEntryId)
  const isCarried = ({ entryId, kind }: ContextEntry): boolean =>
    carriedEntryIds.includes(entryId) || ((kind === 'entry' || kind === 'carried') && state.pins.has(entryId))
  const carried = (cut === -1 ? entries : entries.slice(0, cut)).filter(isCarried)
  return carried.length > carriedEntryIds.length ? { carriedEntryIds: carried.map(({ entryId }) => entryId) } : {}
}

/** Fails at the end if no change was among the events. */
function failIfUnchanged(failure: () => Failure): MonoTypeOperatorFunction<RoomEvent> {
  return (event$) =>
    defer(() => {
      let isChanged = false
      return concat(
        event$.pipe(
          tap(({ type }) => {
            isChanged ||= type === 'compaction' || type === 'context_edit'
          }),
        ),
        defer(() => (isChanged ? EMPTY : throwError(() => failure()))),
      )
    })
}

function nothingFailure(): Failure {
  return new Failure('bad_request', 'There is nothing to compact yet: the conversation has no older messages')
}

function tooLongFailure({ contextWindow }: Model): Failure {
  const message = `The request exceeds the model's window of ${contextWindow} tokens, and nothing can be summarised`
  return new Failure('provider_error', message, { data: { kind: 'context_overflow' } })
}
