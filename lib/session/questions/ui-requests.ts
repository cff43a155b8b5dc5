// Holds the questions to people until an answer, a timeout, or the end of their run.
import { EMPTY, NEVER, Observable, Subject, concat, defer, ignoreElements, map, merge, of, tap, timer } from 'rxjs'
import type { Answer } from '../../streams/ports/ask.ts'
import { behavior } from '../../streams/rx/behavior.ts'
import type { Behavior } from '../../streams/rx/behavior.ts'
import { BoundedMap } from '../../streams/values/bounded-map.ts'
import type { EventNamed } from '../../streams/events/event.ts'
import type { QuestionOutcome } from '../../streams/events/feature-event-fields.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Ids } from '../../streams/values/identifiers.ts'
import type { SessionLog } from '../../streams/ports/session-log.ts'
import type { PendingRecord } from '../../streams/log/log-line.ts'
import type { StopSwitch } from '../../streams/rx/stop-switch.ts'
import { respondAfter } from '../pipeline/respond-when-durable.ts'
import { answeringClients } from './answering-clients.ts'
import type { AnsweringClients } from './answering-clients.ts'
import { answerProblem, checkRequest } from './check-request.ts'
import type { QuestionRequest } from './check-request.ts'
import { openRequest } from './open-request.ts'
import type { OpenRequest, RequestEvent, Settlement } from './open-request.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCommand } from '../contract/session.ts'

type Response = Extract<SessionCommand, { type: 'ui_response' }>

/** A `question` without the fields that the session sets. */
export interface RichQuestion extends Omit<EventNamed<'question'>, 'type' | 'requestId'> {
  /** Applies a client's answer before it counts; a failure is the client's response, and the question stays open. */
  accept?(outcome: QuestionOutcome): Observable<void>
  /** Ends the question as `once` by `policy`: no answer is needed any more. */
  readonly allowed$?: Observable<unknown>
}

/** The end of a `question`. */
export interface QuestionAnswer extends Pick<Settlement, 'by' | 'client'> {
  readonly outcome: QuestionOutcome
}

export interface UiRequests extends Pick<
  AnsweringClients,
  'answering$' | 'answeringQuestions$' | 'attended$' | 'form'
> {
  /** As `Ask`, of any kind. Stopping the active run resolves it with its default. */
  ask(question: QuestionRequest): Observable<Answer & Pick<Settlement, 'client'>>
  /** As `ask`, by the event `question`. Only clients that show it count as able to answer. */
  askQuestion(question: RichQuestion): Observable<QuestionAnswer>
  /**
   * Resolves an open request, and emits once the answer is durable. `client` is the name of the client.
   * @throws Failure `bad_request` if the request is not open any more, or the outcome does not fit it
   */
  respond(response: Response, origin: Pick<PendingRecord, 'opId'>, client?: string): Observable<object>
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
  /** Returns the active run. */
  running(): { readonly runId: string; readonly stop: StopSwitch } | undefined
}

/** Open questions of one session. */
const openLimit = 1_000

/** A question with the effect of its answer. */
interface Waiting extends OpenRequest {
  accept: RichQuestion['accept']
  /** True while the effect of an answer is being applied. */
  isAnswered: boolean
}

type Ended$ = Parameters<OpenRequest['begin']>[0]

export function uiRequests(options: UiRequestsOptions): UiRequests {
  const { pipeline, running, ids } = options
  const closed$ = new Subject<void>()
  const { unattended, ...clients } = answeringClients()
  const waiting = waitingQuestions(options)
  const end$ = (request: RequestEvent): Ended$ =>
    endWithoutAnswer(request, merge(unattended(request.type), running()?.stop.stop$ ?? NEVER, closed$))
  /** Each subscription asks once. */
  const ask$ = (create: () => RequestEvent, question: Pick<RichQuestion, 'accept' | 'allowed$'> = {}) =>
    new Observable<Settlement>((subscriber) => {
      const request = create()
      const own = waiting.add(request, question.accept)
      subscriber.add(() => {
        own.giveUp('default')
      })
      subscriber.add(own.answer$.subscribe(subscriber))
      const allowed$ = (question.allowed$ ?? NEVER).pipe(map(() => byPolicy))
      own.begin(merge(end$(request), allowed$))
    })
  return {
    ...clients,
    hasOpen$: waiting.hasOpen$,
    ask: (question) => ask$(() => ({ type: 'ui_request', requestId: ids.request(), ...question })).pipe(map(asAnswer)),
    askQuestion: ({ accept, allowed$, ...question }) =>
      ask$(() => ({ type: 'question', requestId: ids.request(), ...question }), {
        ...(accept && { accept }),
        ...(allowed$ && { allowed$ }),
      }).pipe(map((answer) => ({ ...answer, outcome: answer.outcome as QuestionOutcome }))), // a question settles with one
    respond: ({ requestId, outcome, text }, origin, client) => {
      const own = waiting.find(requestId)
      const problem = answerProblem(own.request, outcome, text)
      if (problem !== undefined) throw new Failure('bad_request', `The response to ${requestId} is invalid: ${problem}`)
      const words = text === undefined ? {} : { text }
      const answer: Settlement = { outcome, ...words, by: 'client', ...(client === undefined ? {} : { client }) }
      return concat(
        applyAnswer(own, outcome),
        defer(() => {
          if (own.isSettled) waiting.find(requestId) // throws
          return respondAfter(own.settle(answer, origin), pipeline, {})
        }),
      )
    },
    close: () => {
      waiting.close()
      closed$.next()
    },
  }
}

interface WaitingQuestions {
  readonly hasOpen$: Behavior<boolean>
  /** @throws Failure if the question is invalid or the session takes none */
  add(request: RequestEvent, accept: RichQuestion['accept']): Waiting
  /** @throws Failure `bad_request` if it is not open, or being answered */
  find(requestId: string): Waiting
  /** Refuses new ones. */
  close(): void
}

function waitingQuestions(options: UiRequestsOptions): WaitingQuestions {
  const open = new Map<string, Waiting>()
  const resolved = new BoundedMap<string, string>(1_000) // for the error of a late answer
  const { behavior$: hasOpen$, set: setHasOpen } = behavior(false)
  let isClosed = false
  const refusal = (): Failure | undefined => {
    if (isClosed) return closedFailure()
    return options.log.readOnly ?? (open.size < openLimit ? undefined : overloadedFailure())
  }
  return {
    hasOpen$,
    add: (request, accept) => {
      const refused = refusal()
      if (refused !== undefined) throw refused
      const { requestId } = request
      const own = createRequest(request, options, ({ by }) => {
        open.delete(requestId)
        resolved.set(requestId, by)
        if (open.size === 0) setHasOpen(false)
      })
      const added: Waiting = Object.assign(own, { accept, isAnswered: false })
      open.set(requestId, added) // state first: the answer may come while the question is being published
      setHasOpen(true)
      return added
    },
    find: (requestId) => {
      const own = open.get(requestId)
      if (own === undefined) throw notOpenFailure(requestId, resolved.get(requestId))
      if (own.isAnswered) throw notOpenFailure(requestId, 'client')
      return own
    },
    close: () => {
      isClosed = true
    },
  }
}

const byPolicy = { by: 'policy', outcome: { choice: 'once' } } as const

/** Applies the effect of an answer; meanwhile no other answer counts. Emits nothing. */
function applyAnswer(own: Waiting, outcome: unknown): Observable<never> {
  return defer(() => {
    const { accept } = own
    if (accept === undefined) return EMPTY
    own.isAnswered = true
    // the outcome of a question was checked
    return accept(outcome as QuestionOutcome).pipe(tap({ error: () => (own.isAnswered = false) }), ignoreElements())
  })
}

function asAnswer({ by, ...answer }: Settlement): Answer & Pick<Settlement, 'client'> {
  return { ...answer, by: by === 'policy' ? 'default' : by } // only a `question` is answered by the policy
}

function createRequest(
  request: RequestEvent,
  { pipeline, running }: UiRequestsOptions,
  onSettled: (answer: Settlement) => void,
): OpenRequest {
  checkRequest(request)
  return openRequest({ request, runId: running()?.runId, write: pipeline.write, onSettled })
}

/** Emits what ends a question without an answer. A notice ends at once. */
function endWithoutAnswer({ kind, timeoutMs }: RequestEvent, end$: Observable<void>): Ended$ {
  if (kind === 'notify') return of({ by: 'default' })
  const late$ = timeoutMs === undefined ? NEVER : timer(timeoutMs).pipe(map(() => ({ by: 'timeout' }) as const))
  return merge(late$, end$.pipe(map(() => ({ by: 'default' }) as const)))
}

function notOpenFailure(requestId: string, by: string | undefined): Failure {
  if (by === undefined) return new Failure('bad_request', `The session has no open request ${requestId}`)
  return new Failure('bad_request', `${requestId} was already resolved by ${by}`, { data: { resolvedBy: by } })
}

function closedFailure(): Failure {
  return new Failure('unknown_session', 'The session was closed; open it again')
}

function overloadedFailure(): Failure {
  return new Failure('overloaded', `${openLimit} questions of this session are open; ask again when some are answered`)
}
