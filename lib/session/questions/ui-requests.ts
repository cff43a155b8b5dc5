// Holds the questions to people until an answer, a timeout, or the end of their run.
import {
  NEVER,
  Observable,
  Subject,
  map,
  merge,
  of,
  timer,
  asyncScheduler,
  defer,
  startWith,
  switchMap,
  take,
} from 'rxjs'
import type { Answer } from '../../streams/ports/ask.ts'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import { outcomeProblem } from '../../streams/ports/ask.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { PendingRecord } from '../../streams/log/log-line.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { respondAfter } from '../pipeline/respond-when-durable.ts'
import { openRequest } from './open-request.ts'
import type { OpenRequest } from './open-request.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCommand } from '../contract/session.ts'
import { checkEvent } from '../../streams/validation/validators.ts'

type Response = Extract<SessionCommand, { type: 'ui_response' }>

/** A request without the fields that the session sets. */
export type QuestionRequest = Omit<EventNamed<'ui_request'>, 'type' | 'requestId'>

export interface UiRequests {
  /** As `Ask`, of any kind. Stopping the run that is on resolves it with its default. */
  ask(question: QuestionRequest): Observable<Answer>
  /**
   * Resolves an open request, and emits once the answer is durable.
   * @throws Failure `bad_request` if the request is not open any more, or the outcome does not fit it
   */
  respond(response: Response, origin: Pick<PendingRecord, 'opId'>): Observable<object>
  /** A subscription means that a client can answer, now and for 30 s after (it may reconnect). Never emits. */
  readonly answering$: Observable<never>
  /** True while a question is open. */
  readonly hasOpen$: Behavior<boolean>
  /** Resolves open questions with their default; refuses new ones. */
  close(): void
}

export interface UiRequestsOptions {
  readonly ids: Pick<Ids, 'request'>
  readonly pipeline: Pick<Pipeline, 'write' | 'durable'>
  /** A log that takes no lines refuses questions. */
  readonly log: Pick<SessionLog, 'readOnly'>
  /** Returns the run that is on. */
  running(): { readonly runId: string; readonly stop: StopSwitch } | undefined
}

/** Open questions of one session. */
const openLimit = 1_000

export function uiRequests(options: UiRequestsOptions): UiRequests {
  const { pipeline, running } = options
  const open = new Map<string, OpenRequest>()
  const resolved = new BoundedMap<string, Answer['by']>(1_000) // for the error of a late answer
  const closed$ = new Subject<void>()
  const { answering$, unattended$ } = answeringClients()
  const { behavior$: hasOpen$, set: setHasOpen } = behavior(false)
  let isClosed = false

  const openNext = (question: QuestionRequest): OpenRequest => {
    const refusal = isClosed
      ? closedFailure()
      : (options.log.readOnly ?? (open.size < openLimit ? undefined : overloadedFailure()))
    if (refusal !== undefined) throw refusal
    const own = createRequest(question, options, (requestId, by) => {
      open.delete(requestId)
      resolved.set(requestId, by)
      if (open.size === 0) setHasOpen(false)
    })
    open.set(own.request.requestId, own) // state first: the answer may come while the question is being published
    setHasOpen(true)
    return own
  }
  return {
    answering$,
    hasOpen$,
    ask: (question) =>
      new Observable((subscriber) => {
        const own = openNext(question)
        subscriber.add(() => {
          own.giveUp('default')
        })
        subscriber.add(own.answer$.subscribe(subscriber))
        own.begin(endWithoutAnswer(question, merge(unattended$, running()?.stop.stop$ ?? NEVER, closed$)))
      }),
    respond: ({ requestId, outcome, text }, origin) => {
      const own = open.get(requestId)
      if (own === undefined) throw notOpenFailure(requestId, resolved.get(requestId))
      const problem = responseProblem(own, outcome, text)
      if (problem !== undefined) throw new Failure('bad_request', `The response to ${requestId} is invalid: ${problem}`)
      const answer: Answer = { outcome, ...(text === undefined ? {} : { text }), by: 'client' }
      return respondAfter(own.settle(answer, origin), pipeline, {})
    },
    close: () => {
      isClosed = true
      closed$.next()
    },
  }
}

function createRequest(
  question: QuestionRequest,
  { ids, pipeline, running }: UiRequestsOptions,
  onSettled: (requestId: string, by: Answer['by']) => void,
): OpenRequest {
  const requestId = ids.request()
  const request = { type: 'ui_request', requestId, ...question } as const
  checkQuestion(request)
  return openRequest({
    request,
    runId: running()?.runId,
    write: pipeline.write,
    onSettled: ({ by }) => {
      onSettled(requestId, by)
    },
  })
}

/** Emits what ends a question without an answer. A notice ends at once. */
function endWithoutAnswer({ kind, timeoutMs }: QuestionRequest, end$: Observable<void>): Observable<Answer['by']> {
  if (kind === 'notify') return of('default')
  const late$ = timeoutMs === undefined ? NEVER : timer(timeoutMs).pipe(map(() => 'timeout' as const))
  return merge(late$, end$.pipe(map(() => 'default' as const)))
}

function responseProblem({ request }: OpenRequest, outcome: unknown, text: string | undefined): string | undefined {
  const problem = outcomeProblem(request, outcome)
  if (problem !== undefined || text === undefined) return problem
  return request.kind === 'approval' && outcome === 'deny'
    ? undefined
    : 'text is only valid with a denial: the model gets it'
}

function notOpenFailure(requestId: string, by: Answer['by'] | undefined): Failure {
  if (by === undefined) return new Failure('bad_request', `The session has no open request ${requestId}`)
  return new Failure('bad_request', `${requestId} was already resolved by ${by}`, { data: { resolvedBy: by } })
}

function closedFailure(): Failure {
  return new Failure('unknown_session', 'The session was closed; open it again')
}

function overloadedFailure(): Failure {
  return new Failure('overloaded', `${openLimit} questions of this session are open; ask again when some are answered`)
}

/** UTF-16 units of the text. */
const maxTextLength = 65_536
const maxOptions = 1_000
const maxTimeoutMs = 2 ** 31 - 1

/** @throws Failure `bad_request` naming what does not fit */
function checkQuestion(request: EventNamed<'ui_request'>): void {
  const problem = problemOf(request)
  if (problem !== undefined) throw new Failure('bad_request', `The question is invalid: ${problem}`)
}

function problemOf(request: EventNamed<'ui_request'>): string | undefined {
  const checked = checkEvent(request)
  if (!checked.ok) return checked.problem
  const { kind, text, options = [], timeoutMs = 1 } = request
  if (text.length > maxTextLength) return `text has ${text.length} characters; the limit is ${maxTextLength}`
  if (options.length > maxOptions) return `there are ${options.length} options; the limit is ${maxOptions}`
  if (kind === 'select' && options.length === 0) return 'a select needs at least one option'
  if (timeoutMs <= 0 || timeoutMs > maxTimeoutMs) return `timeoutMs is ${timeoutMs}; it must be 1 to ${maxTimeoutMs}`
  return request.default === undefined || kind === 'approval' ? undefined : outcomeProblem(request, request.default)
}

/** Milliseconds that a question waits for a client whose connection was cut. */
const reconnectGraceMs = 30_000

interface AnsweringClients {
  /** Each subscription is one client that can answer; never emits. */
  readonly answering$: Observable<never>
  /** Emits once no client has been able to answer for 30 s, and completes. */
  readonly unattended$: Observable<void>
}

function answeringClients(): AnsweringClients {
  const changed$ = new Subject<void>()
  let present = 0
  let leftAt = -Infinity
  const change = (by: 1 | -1): void => {
    present += by
    leftAt = asyncScheduler.now()
    changed$.next()
  }
  const absence$ = (): Observable<unknown> => {
    if (present > 0) return NEVER
    const waitMs = leftAt + reconnectGraceMs - asyncScheduler.now()
    return waitMs > 0 ? timer(waitMs) : of(undefined)
  }
  return {
    answering$: new Observable(() => {
      change(1)
      return () => {
        change(-1)
      }
    }),
    unattended$: defer(() =>
      changed$.pipe(
        startWith(undefined),
        switchMap(absence$),
        take(1),
        map(() => undefined),
      ),
    ),
  }
}
