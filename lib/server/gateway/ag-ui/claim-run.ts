// Sends the prompt or the answers of a request to the session, and finds the run that they lead to.
import {
  ReplaySubject,
  concat,
  defer,
  filter,
  ignoreElements,
  mergeMap,
  of,
  take,
  tap,
  throwError,
  timeout,
} from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../../streams/values/failure.ts'
import type { Client } from '../../client/client.ts'
import { interruptOutcome } from './answer-interrupt.ts'
import type { OpenQuestion } from './answer-interrupt.ts'
import type { FrontEndCalls } from './front-end-calls.ts'
import type { RunOptions, RunRequest } from './read-run-input.ts'
import type { RunInput } from './run-schemas.ts'
import { frontEndName, openItemsOf } from './run-translator.ts'
import type { RunTranslator } from './run-translator.ts'
import { StoredRun } from './stored-run.ts'

/** Milliseconds until a prompt that was accepted must have a run; after the first ones the session is asked for it. */
const asksAfterMs = 1_000
const startsWithinMs = 10_000

interface PromptParts {
  readonly session: string
  readonly ids: Pick<RunInput, 'threadId' | 'runId'>
  readonly whileRunning: RunOptions['whileRunning']
  readonly request: Extract<RunRequest, { type: 'prompt' }>
  readonly runs: RunTranslator
}

/** Sends the prompt, and emits the run that the session says it has started; of a prompt beside a run, one of its own. */
export function prompt$(
  client: Client,
  { session, ids, whileRunning, request, runs }: PromptParts,
): Observable<StoredRun> {
  const text = request.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const images = request.content.flatMap((part) => (part.type === 'image' ? [part] : []))
  const more = { ...(images.length === 0 ? {} : { images }), ...(whileRunning === undefined ? {} : { whileRunning }) }
  return client.request({ type: 'prompt', session, text, ...more }, { opId: `${frontEndName}:${ids.runId}` }).pipe(
    mergeMap((result) => {
      if (result.status === 'handled') return of(besideRun(ids, 'rxpi.prompt_handled', { text: result.text ?? '' }))
      if (result.status === 'queued') return of(besideRun(ids, 'rxpi.prompt_queued', { queueId: result.queueId }))
      return runWithId(client, session, runs, result.runId)
    }),
  )
}

/** Emits the run once it has started. Fails with `bad_request` if it was over before: the prompt was a repeated one. */
function runWithId(
  client: Client,
  session: string,
  runs: RunTranslator,
  runId: string | undefined,
): Observable<StoredRun> {
  const isOwn = (run: StoredRun): boolean => run.sessionRunId === runId
  const own$ = defer(() => {
    const { latest } = runs
    return latest !== undefined && isOwn(latest) ? of(latest) : runs.started$.pipe(filter(isOwn), take(1))
  })
  const over$ = throwError(() => new Failure('bad_request', 'The run of this runId is over and not stored any more.'))
  const late$ = defer(() => client.request({ type: 'get_state', session })).pipe(
    mergeMap(({ running }) => (running?.runId === runId ? own$ : over$)),
    timeout({ first: startsWithinMs, with: () => over$ }),
  )
  return own$.pipe(timeout({ first: asksAfterMs, with: () => late$ }))
}

/** The run of a prompt that a command of an extension has handled, or that waits for the run of the session. */
function besideRun({ threadId, runId }: PromptParts['ids'], name: string, value: object): StoredRun {
  const run = new StoredRun({ isBeside: true })
  const ids = { threadId, runId }
  run.add(0, { type: 'RUN_STARTED', ...ids })
  run.add(0, { type: 'CUSTOM', name, value })
  run.add(0, { type: 'RUN_FINISHED', ...ids, outcome: { type: 'success' } })
  run.close()
  return run
}

interface AnswerParts {
  readonly session: string
  readonly request: Extract<RunRequest, { type: 'answers' }>
  readonly runs: RunTranslator
  readonly calls: FrontEndCalls
  readonly questions: ReadonlyMap<string, OpenQuestion>
}

/**
 * Answers calls and questions, and emits the run in which the session goes on. Fails with `bad_request` if the request
 * answers nothing that waits.
 */
export function answers$(
  client: Client,
  { session, request, runs, calls, questions }: AnswerParts,
): Observable<StoredRun> {
  const { answers } = request
  const results = calls.fresh(request.results)
  const commands = answers.map((answer) => {
    const question = questions.get(answer.interruptId)
    if (question === undefined)
      throw new Failure('bad_request', `No question ${JSON.stringify(answer.interruptId.slice(0, 200))} is open.`)
    return {
      type: 'ui_response',
      session,
      requestId: question.requestId,
      outcome: interruptOutcome(question, answer),
    } as const
  })
  const answered = new Set([
    ...request.results.map(({ toolCallId }) => toolCallId),
    ...answers.map(({ interruptId }) => interruptId),
  ])
  const next$ = new ReplaySubject<StoredRun>(1)
  const present = runs.latest
  const goesOn = present !== undefined && present.claimedBy === undefined && isOfUse(present, answered)
  if (results.length + answers.length === 0 && !goesOn)
    throw new Failure('bad_request', 'The results of these calls have come already, and nothing waits for them.')
  const waiting = goesOn ? of(present).subscribe(next$) : runs.started$.pipe(take(1)).subscribe(next$)
  return concat(
    defer(() => {
      calls.answer(results)
      return concat(...commands.map((command) => client.request(command).pipe(ignoreElements())))
    }),
    next$,
  ).pipe(tap({ error: () => waiting.unsubscribe() }))
}

/** Work beside the question, or something else that waits: a run that only waited for these answers is none. */
function isOfUse(run: StoredRun, answered: ReadonlySet<string>): boolean {
  const items = openItemsOf(run.last)
  return items.length === 0 || items.some((item) => !answered.has(item))
}
