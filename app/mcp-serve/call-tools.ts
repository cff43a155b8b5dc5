// Runs the calls of the tools of `rxpi mcp serve`, each as one Observable of its outcome.
import path from 'node:path'
import { EMPTY, Observable, catchError, concat, defer, ignoreElements, map, mergeMap, of } from 'rxjs'
import type { Client } from '../../lib/server/client/client.ts'
import type { CommandNamed } from '../../lib/streams/commands/command.ts'
import { Failure } from '../../lib/streams/values/failure.ts'
import { firstUnits } from '../../lib/streams/values/truncate.ts'
import { requireWritable } from '../commands/sessions/open-session-choice.ts'
import { messageBody } from '../text/message-body.ts'
import type { Question } from './agent-run.ts'
import { readAnswer } from './approval-form.ts'
import { nobodyAnswers, refusalOf } from './run-hub.ts'
import type { OpenRun, RunHub } from './run-hub.ts'
import { answerOf, failureAnswer, runAnswer } from './tool-results.ts'
import type { ToolAnswer } from './tool-results.ts'
import type { ContinueArguments, ReadArguments, RunArguments, StatusArguments } from './tool-schemas.ts'

/** The client of a call. */
export interface CallContext {
  /** True if the client shows questions to a person. */
  readonly canElicit: boolean
  /** @param count grows over all rounds of a call */
  onProgress(text: string, count: number): void
  /** The run that an earlier round of this call left waiting, and what the person answered; untrusted. */
  readonly round?: { readonly runId: string; readonly responses: Readonly<Record<string, unknown>> }
}

/** The result, or the questions that the client has to answer first. */
export type CallOutcome =
  | { readonly type: 'answer'; readonly answer: ToolAnswer }
  | { readonly type: 'questions'; readonly run: OpenRun; readonly questions: readonly Question[] }

export interface ServedTools {
  run(args: RunArguments, context: CallContext): Observable<CallOutcome>
  continue(args: ContinueArguments, context: CallContext): Observable<CallOutcome>
  status(args: StatusArguments): Observable<CallOutcome>
  readSession(args: ReadArguments): Observable<CallOutcome>
}

export interface ServedToolsOptions {
  readonly client: Pick<Client, 'request'>
  readonly hub: RunHub
  readonly env: Readonly<Record<string, string>>
  /** The folder of sessions without one. */
  readonly cwd: string
}

/** Each call emits once and fails with a Failure. Unsubscribing from a run before it has an outcome aborts it. */
export function servedTools({ client, hub, env, cwd }: ServedToolsOptions): ServedTools {
  const { create, open } = sessionOpeners(client, env)
  let isAttended = false
  /** From the first client that asks a person on, questions wait for an answer; those of other clients are refused. */
  const attend$ = (canElicit: boolean): Observable<never> =>
    defer(() => {
      if (!canElicit || isAttended) return EMPTY
      isAttended = true
      return client.request({ type: 'hello', ui: true }).pipe(ignoreElements())
    })
  const begin$ = (session: string, prompt: string | undefined, context: CallContext): Observable<CallOutcome> =>
    defer(() => {
      context.onProgress(`session ${session}`, 0)
      const run = hub.start({ session, prompt })
      return followRun(run, context)
    }).pipe(catchError((thrown: unknown) => of(answered(failureAnswer(thrown, session)))))
  const goOn$ = (round: NonNullable<CallContext['round']>, context: CallContext): Observable<CallOutcome> => {
    const run = hub.find(round.runId)
    if (run === undefined) throw new Failure('bad_request', 'The run that asked has ended; status shows its session')
    return followRun(run, context, round.responses)
  }
  return {
    run: ({ prompt, cwd: folder, model, thinking, session }, context) =>
      defer(() => {
        if (context.round !== undefined) return goOn$(context.round, context)
        if (folder !== undefined && !path.isAbsolute(folder))
          throw new Failure(
            'bad_request',
            `cwd has to be an absolute path, not ${JSON.stringify(folder.slice(0, 200))}`,
          )
        const chosen = {
          ...(model === undefined ? {} : { model }),
          ...(thinking === undefined ? {} : { thinkingLevel: thinking }),
        }
        const opened$ = session === undefined ? create({ cwd: folder ?? cwd, ...chosen }) : open(session, folder ?? cwd)
        return concat(attend$(context.canElicit), opened$).pipe(mergeMap((id) => begin$(id, prompt, context)))
      }),
    continue: ({ session, prompt }, context) =>
      defer(() => {
        if (context.round !== undefined) return goOn$(context.round, context)
        return concat(attend$(context.canElicit), open(session, cwd)).pipe(
          mergeMap((id) => begin$(id, prompt, context)),
        )
      }),
    status: ({ session }) =>
      (session === undefined ? listSessions(client, hub) : readState(client, session)).pipe(map(answered)),
    readSession: (args) => readEntries(client, args).pipe(map(answered)),
  }
}

interface SessionOpeners {
  create(setup: Pick<CommandNamed<'new_session'>, 'cwd' | 'model' | 'thinkingLevel'>): Observable<string>
  open(session: string, cwd: string): Observable<string>
}

function sessionOpeners(client: Pick<Client, 'request'>, env: Readonly<Record<string, string>>): SessionOpeners {
  const common = { env: { ...env }, requireModel: true }
  return {
    create: (setup) => {
      const command: CommandNamed<'new_session'> = { type: 'new_session', ...common, ...setup }
      return client.request(command).pipe(map(({ session }) => session))
    },
    open: (session, cwd) =>
      client
        .request({ type: 'open_session', session, cwd, ...common })
        .pipe(map((opened) => requireWritable(opened).session)),
  }
}

function answered(answer: ToolAnswer): CallOutcome {
  return { type: 'answer', answer }
}

function followRun(
  run: OpenRun,
  { canElicit, onProgress }: CallContext,
  responses: Readonly<Record<string, unknown>> = {},
): Observable<CallOutcome> {
  return new Observable((subscriber) => {
    let hasOutcome = false
    const release = run.hold()
    const finish = (outcome: CallOutcome): void => {
      hasOutcome = true
      subscriber.next(outcome)
      subscriber.complete()
    }
    const shown = run.progress$.subscribe(({ text, count }) => {
      onProgress(text, count)
    })
    const pauses = run.pause$.subscribe((pause) => {
      if (hasOutcome) return
      if (pause.type !== 'questions') {
        finish(answered(pause.type === 'over' ? runAnswer(run, pause.last) : failureAnswer(pause.failure, run.session)))
        return
      }
      const open = pause.questions.filter((question) => !answerNow(run, question, canElicit, responses))
      if (open.length > 0) finish({ type: 'questions', run, questions: open })
    })
    return () => {
      pauses.unsubscribe()
      shown.unsubscribe()
      release()
      if (!hasOutcome) run.abort()
    }
  })
}

/** True if the question has an answer: the person's, or the refusal for a client without one. */
function answerNow(
  run: OpenRun,
  question: Question,
  canElicit: boolean,
  responses: Readonly<Record<string, unknown>>,
): boolean {
  const { requestId, kind } = question
  if (Object.hasOwn(responses, requestId)) {
    const { outcome, text } = readAnswer(question, responses[requestId])
    run.answer(requestId, outcome, text)
    return true
  }
  if (!canElicit) run.answer(requestId, refusalOf(kind), nobodyAnswers)
  return !canElicit
}

const mostListed = 20

function listSessions(client: Pick<Client, 'request'>, hub: RunHub): Observable<ToolAnswer> {
  return client.request({ type: 'list_sessions', all: true, limit: mostListed }).pipe(
    map(({ sessions, total }) => {
      const rows = sessions.map(({ id, cwd, title, firstWords, updatedAt }) => ({
        ...{ session: id, cwd, updatedAt },
        ...(title === undefined ? {} : { title }),
        ...(firstWords === undefined ? {} : { firstWords: firstUnits(firstWords, 200) }),
      }))
      const running = [...hub.sessions()]
      const lines = rows.map(({ session, cwd, title, firstWords = '' }) => `${session} ${cwd} ${title ?? firstWords}`)
      const runs = running.length === 0 ? 'No run is open here.' : `Runs here: ${running.join(', ')}`
      return answerOf([runs, ...lines].join('\n'), { running, sessions: rows, total })
    }),
  )
}

function readState(client: Pick<Client, 'request'>, session: string): Observable<ToolAnswer> {
  return client.request({ type: 'get_state', session }).pipe(
    map(({ header, seq, title, model, running, tools, requests, plan }) => {
      const state = {
        ...{ session, cwd: header.cwd, seq, running: running !== undefined },
        ...(title === undefined ? {} : { title }),
        ...(model === undefined ? {} : { model }),
        ...(tools.length === 0 ? {} : { tools: tools.map(({ toolName }) => toolName) }),
        ...(requests.length === 0 ? {} : { questions: requests.map(({ text }) => firstUnits(text, 1_000)) }),
        ...(plan === undefined ? {} : { plan: plan.map((item) => `${item.state}: ${item.text}`) }),
      }
      return answerOf(JSON.stringify(state, undefined, 1), state)
    }),
  )
}

const mostEntries = 50
/** UTF-16 units of one message. */
const longestMessage = 8_000
/** UTF-16 units of all; the first message is always whole. */
const longestPage = 45_000

function readEntries(
  client: Pick<Client, 'request'>,
  { session, from = 0, limit = mostEntries }: ReadArguments,
): Observable<ToolAnswer> {
  return client.request({ type: 'get_entries', session, branch: 'head', after: from, limit }).pipe(
    map(({ entries, more }) => {
      const messages: { seq: number; role: string; text: string }[] = []
      let length = 0
      for (const { seq, message } of entries) {
        const body = messageBody(message)
        const text =
          body.length > longestMessage ? `${firstUnits(body, longestMessage)}\n[cut: ${body.length} characters]` : body
        length += text.length
        if (messages.length > 0 && length > longestPage) break
        messages.push({ seq, role: message.role, text })
      }
      const last = messages.at(-1)?.seq
      const hasMore = more || messages.length < entries.length
      const next = hasMore && last !== undefined ? { next: last } : {}
      const shown = messages.map(({ seq, role, text }) => `#${seq} ${role}\n${text}`).join('\n\n')
      return answerOf(shown === '' ? 'No messages.' : shown, { session, messages: messages.length, ...next })
    }),
  )
}
