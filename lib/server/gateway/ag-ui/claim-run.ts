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
import type { RunRequest } from './read-run-input.ts'
import { frontEndName, openItemsOf } from './run-translator.ts'
import type { RunTranslator } from './run-translator.ts'
import { StoredRun } from './stored-run.ts'

/** Milliseconds until a prompt that was accepted must have a run. */
const startsWithinMs = 10_000

interface PromptParts {
  readonly session: string
  readonly runId: string
  readonly request: Extract<RunRequest, { type: 'prompt' }>
  readonly runs: RunTranslator
}

/** Sends the prompt, and emits the run that the session says it has started. */
export function prompt$(client: Client, { session, runId, request, runs }: PromptParts): Observable<StoredRun> {
  const text = request.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  const images = request.content.flatMap((part) => (part.type === 'image' ? [part] : []))
  const command = { type: 'prompt', session, text, ...(images.length === 0 ? {} : { images }) } as const
  return client.request(command, { opId: `${frontEndName}:${runId}` }).pipe(
    mergeMap((result) => {
      if (result.status === 'handled') return of(handledRun(result.text))
      const isOwn = (run: StoredRun): boolean => run.sessionRunId === result.runId
      const latest = runs.latest
      if (latest !== undefined && isOwn(latest)) return of(latest)
      const late$ = throwError(
        () => new Failure('bad_request', 'The run of this runId is over and not stored any more.'),
      )
      return runs.started$.pipe(filter(isOwn), take(1), timeout({ first: startsWithinMs, with: () => late$ }))
    }),
  )
}

/** The run of a prompt that a command of an extension has handled. */
function handledRun(text: string | undefined): StoredRun {
  const run = new StoredRun()
  const ids = { threadId: '', runId: '' }
  run.add(0, { type: 'RUN_STARTED', ...ids })
  run.add(0, { type: 'CUSTOM', name: 'rxpi.prompt_handled', value: { text: text ?? '' } })
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

/** Answers calls and questions, and emits the run in which the session goes on. */
export function answers$(
  client: Client,
  { session, request, runs, calls, questions }: AnswerParts,
): Observable<StoredRun> {
  const { results, answers } = request
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
    ...results.map(({ toolCallId }) => toolCallId),
    ...answers.map(({ interruptId }) => interruptId),
  ])
  const next$ = new ReplaySubject<StoredRun>(1)
  const present = runs.latest
  const goesOn = present !== undefined && present.claimedBy === undefined && isOfUse(present, answered)
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
