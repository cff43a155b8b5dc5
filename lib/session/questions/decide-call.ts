// Decides about each tool call by the policy, after the hooks; asks a person if the policy says so.
// Guarantees: one `policy_decision` a call, written before the call runs; an answer holds for the call as it was shown.
import {
  EMPTY,
  catchError,
  concat,
  defaultIfEmpty,
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  mergeMap,
  of,
  switchMap,
  take,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { CallPorts, FinalCall } from '../../operators/ports/run-ports.ts'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { QuestionOutcome } from '../../streams/events/feature-event-fields.ts'
import type { ApprovalMode, Policy, PolicyRequest, PolicyVerdict } from '../../streams/ports/policy.ts'
import type { SessionSandbox } from '../../streams/ports/sandbox.ts'
import type { WorkingContext, ToolContext } from '../../streams/ports/tool.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import {
  approvalQuestion,
  fallbackQuestion,
  personsRefusal,
  refusalText,
  unattendedReason,
} from './approval-question.ts'
import type { QuestionedCall } from './approval-question.ts'
import { previewDiff } from './preview-diff.ts'
import type { QuestionAnswer, UiRequests } from './ui-requests.ts'

type Decision = EventNamed<'policy_decision'>

export interface PolicyGateOptions {
  readonly policy: Policy
  /** It is ready. */
  readonly sandbox: Pick<SessionSandbox, 'confines' | 'insideFolders'> | undefined
  /** The session's folder. */
  readonly cwd: string
  /** As in `ToolContext`. Default: none. */
  readonly clientFiles?: ToolContext['clientFiles']
  readonly requests: Pick<UiRequests, 'ask' | 'askQuestion' | 'form'>
  /** The session's live events: a new mode or rule may allow the call of an open question. */
  readonly events$: Observable<AgentEvent>
  /** The mode of the next decision. */
  mode(): ApprovalMode
  /** The phase of the next decision. Default: none. */
  phase?(): PolicyRequest['phase']
  /** Completes when the event is written. */
  record(decision: Decision): Observable<void>
}

/** Emits why a call may not run, or undefined; never before its decision is written. */
export function decideCall(options: PolicyGateOptions): NonNullable<CallPorts['refusalOf']> {
  const decide$ = (call: FinalCall): Observable<string | undefined> =>
    defer(() => {
      const request = requestOf(call, options)
      return judge(request, options).pipe(
        mergeMap((verdict) =>
          verdict.decision === 'ask'
            ? askPerson({ call, request, verdict }, options, () => decide$(call))
            : settle(call, verdict, options),
        ),
      )
    })
  return decide$
}

/** Whether the sandbox confines the call counts when it is decided. */
function requestOf(final: FinalCall, { sandbox, cwd, mode, phase: phaseNow }: PolicyGateOptions): PolicyRequest {
  const { tool, args, hook } = final
  const working = contextOf(final, cwd)
  const isSandboxed = sandbox?.confines(tool, args) === true
  const phase = phaseNow?.()
  const escalates = !isSandboxed && args['escalate'] !== undefined && sandbox?.confines(tool, {}) === true
  return {
    tool,
    args,
    cwd: working.cwd,
    ...(working.changed.length === 0 ? {} : { changed: working.changed }),
    mode: mode(),
    ...(phase === undefined ? {} : { phase }),
    isSandboxed,
    ...(isSandboxed ? { inside: sandbox.insideFolders } : {}),
    ...(escalates ? { escalates } : {}),
    ...(hook === undefined ? {} : { hook }),
  }
}

function contextOf({ tool, args, call }: FinalCall, cwd: string): WorkingContext {
  return tool.workingContext?.(args as never, { cwd, toolCallId: call.id }) ?? { cwd, changed: [] }
}

function judge(request: PolicyRequest, { policy }: PolicyGateOptions): Observable<PolicyVerdict> {
  return defer(() => policy.decide(request)).pipe(
    take(1),
    catchError((thrown: unknown) => of(noVerdict(describeThrown(thrown)))),
    defaultIfEmpty(noVerdict('it completed without a verdict')),
  )
}

function noVerdict(why: string): PolicyVerdict {
  return { decision: 'deny', by: 'protected', reason: `The policy could not decide: ${why}.` }
}

/** Writes the decision, then emits the call's refusal or undefined. `text` is the refusal in a person's words. */
function settle(
  { call, tool }: FinalCall,
  settled: Settled,
  { record }: PolicyGateOptions,
): Observable<string | undefined> {
  const { pattern: _pattern, asksEachTime: _each, text, ...decision } = settled
  const refused = text === undefined ? refusalText(tool.name, decision) : personsRefusal(tool.name, text)
  const refusal = decision.decision === 'allow' ? undefined : refused
  return concat(
    record({ type: 'policy_decision', toolCallId: call.id, ...decision }).pipe(ignoreElements()),
    of(refusal),
  )
}

interface Settled extends PolicyVerdict {
  readonly client?: string
  readonly text?: string
}

/** The decision of a person's answer, or of the lack of one. */
type Outcome = Pick<Settled, 'decision' | 'reason' | 'by' | 'client' | 'text'>

/** @param again decides anew: the mode, the rules or the sandbox have changed */
function askPerson(
  subject: QuestionedCall,
  options: PolicyGateOptions,
  again: () => Observable<string | undefined>,
): Observable<string | undefined> {
  const { call, verdict } = subject
  let isOpen = true
  const end$ = (outcome: Outcome): Observable<string | undefined> => {
    isOpen = false
    return settle(call, { ...verdict, ...outcome }, options)
  }
  const apply$ = (answer: QuestionAnswer): Observable<string | undefined> => {
    const isAnother = answer.by === 'policy' || (answer.outcome.choice !== 'deny' && !isUnchanged(subject, options))
    if (!isAnother) return end$(outcomeOf(answer, verdict))
    isOpen = false
    return again()
  }
  /** The run has stopped, and the question has its default. */
  const onEnd = (): void => {
    if (isOpen) end$(stopped).subscribe({ error: () => undefined })
  }
  return defer(() => {
    const form = options.requests.form()
    if (form === undefined) return end$(unattended(verdict))
    const answer$ = previewDiff(call, options).pipe(
      switchMap((diff) => (form === 'question' ? askQuestion : askFallback)({ ...subject, diff }, options)),
    )
    return answer$.pipe(mergeMap(apply$), finalize(onEnd))
  })
}

function outcomeOf({ outcome, by, client }: QuestionAnswer, verdict: PolicyVerdict): Outcome {
  if (by !== 'client') return unattended(verdict)
  const { choice, text } = outcome
  const named = client === undefined ? {} : { client }
  if (choice !== 'deny')
    return { decision: 'allow', by, reason: consents.get(choice) ?? 'A person allowed this call.', ...named }
  const words = text === undefined ? {} : { text }
  return {
    decision: 'deny',
    by,
    reason: `A person refused it. It had asked because: ${verdict.reason}`,
    ...named,
    ...words,
  }
}

const consents: ReadonlyMap<string, string> = new Map([
  ['once', 'A person allowed this call once.'],
  ['session', 'A person allowed such calls for the session.'],
  ['always', 'A person allowed such calls always.'],
])

function unattended(verdict: PolicyVerdict): Outcome {
  return { decision: 'deny', by: 'unattended', reason: unattendedReason(verdict) }
}

const stopped: Outcome = { decision: 'deny', by: 'abort', reason: 'The run stopped before a person answered.' }

/**
 * True if the call would run as it was shown, in the same phase; its arguments cannot change
 * (docs/design/security.md#S5).
 */
function isUnchanged({ request, call }: QuestionedCall, options: PolicyGateOptions): boolean {
  const now = requestOf(call, options)
  const changed = ({ changed: names = [] }: PolicyRequest): string => names.join(' ')
  return (
    request.phase === now.phase &&
    request.isSandboxed === now.isSandboxed &&
    request.cwd === now.cwd &&
    changed(request) === changed(now)
  )
}

function askQuestion(subject: QuestionedCall, options: PolicyGateOptions): Observable<QuestionAnswer> {
  const { policy, requests, events$ } = options
  const { call, request, verdict } = subject
  return requests.askQuestion({
    ...approvalQuestion(subject, policy),
    accept: (outcome) => grant(outcome, { policy, request, verdict }),
    allowed$: events$.pipe(
      filter(mayLoosen),
      switchMap(() => judge(requestOf(call, options), options)),
      filter(({ decision }) => decision === 'allow'),
    ),
  })
}

/** True if other calls may be allowed now: a person changed the mode, or made an answer last. */
function mayLoosen(event: AgentEvent): boolean {
  if (event.type === 'approval_mode_change') return true
  return event.type === 'question_resolved' && (event.outcome.choice === 'session' || event.outcome.choice === 'always')
}

/** Makes an answer last, before it counts. Fails with `bad_request` if its pattern is not a rule. */
function grant(
  { choice, pattern }: QuestionOutcome,
  { policy, request, verdict }: Pick<QuestionedCall, 'request' | 'verdict'> & Pick<PolicyGateOptions, 'policy'>,
): Observable<void> {
  const rule = choice === 'always' ? (pattern ?? verdict.pattern) : pattern
  if ((choice === 'session' || choice === 'always') && rule !== undefined)
    return policy.addPattern?.(rule, choice, request) ?? EMPTY
  if (choice === 'session') policy.rememberCall?.(request)
  return EMPTY
}

function askFallback(subject: QuestionedCall, { requests }: PolicyGateOptions): Observable<QuestionAnswer> {
  return requests.ask(fallbackQuestion(subject)).pipe(
    map(({ outcome, text, by, client }) => ({
      outcome: { choice: outcome === 'once' ? 'once' : 'deny', ...(text === undefined ? {} : { text }) },
      by,
      ...(client === undefined ? {} : { client }),
    })),
  )
}
