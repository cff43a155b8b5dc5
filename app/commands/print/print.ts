// Runs `rxpi -p`: one run, its answer on stdout, its end as the exit code.
import {
  NEVER,
  catchError,
  concat,
  connect,
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  of,
  take,
  tap,
  throwError,
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { loadAnswerCheck } from './answer-check.ts'
import { promptRequired } from '../../cli/command-options.ts'
import { exitCodeOfRun, signalExitCodes } from '../../process/exit-code.ts'
import { help } from '../../cli/help/help.ts'
import type { PrintInvocation } from '../../cli/invocation.ts'
import { drawEvents } from './draw-events.ts'
import { endJobs, followJobs } from './end-jobs.ts'
import type { RunningJobs } from './end-jobs.ts'
import { isReceived } from './run-ends.ts'
import { followRefusals, reportRefusals } from './refused-calls.ts'
import type { RefusedCalls } from './refused-calls.ts'
import { checkNamedExtensions, requireNamedExtensions } from './named-extensions.ts'
import { openOrFollow } from './open-or-follow.ts'
import { paceEvents } from '../pace-events.ts'
import { report } from '../../process/progress.ts'
import { reportProgress } from '../../text/run-progress.ts'
import { readPromptInput } from '../../cli/input/prompt-input.ts'
import { runPrompt } from './prompt-run.ts'
import type { HandledPrompt, PromptRun } from './prompt-run.ts'
import { describeRunEnd } from '../../text/run-end-reason.ts'
import type { RunEnd } from './run-ends.ts'
import type { World } from '../../process/world.ts'

/** Milliseconds for an interrupted run to settle: its tools have 5 s, their processes 2 s more. */
const settleLimit = 10_000

/**
 * Emits the exit code once and completes. Fails with a Failure if the run cannot start or its events cannot be read.
 */
export function print(invocation: PrintInvocation, world: World): Observable<number> {
  return defer(() => {
    const deadline = invocation.timeoutMs === undefined ? undefined : performance.now() + invocation.timeoutMs
    const prepared$ = readPromptInput(invocation, world).pipe(
      mergeMap((input) => {
        if (input === undefined) return of({ code: printHelp(invocation, world) })
        return loadAnswerCheck(invocation.outputSchema).pipe(
          mergeMap((answerCheck) =>
            concat(
              checkNamedExtensions(invocation.choice, world),
              openOrFollow(invocation, world).pipe(requireNamedExtensions(invocation.choice)),
            ).pipe(map((found) => ({ input, answerCheck, ...found }))),
          ),
        )
      }),
    )
    return merge(prepared$, exitBeforeRun(invocation, world)).pipe(
      take(1),
      mergeMap((prepared) => {
        if ('code' in prepared) return of(prepared.code)
        const { client, ...found } = prepared
        return runSession({ ...found, invocation, world: { ...world, client }, deadline }).pipe(
          finalize(() => {
            if (client !== world.client) client.close() // the embedded server closes its own client
          }),
        )
      }),
    )
  })
}

/**
 * Prints the help if there is no prompt.
 * @throws Failure `bad_request` if an option needs a prompt
 */
function printHelp({ loneOption }: PrintInvocation, { stdout }: World): number {
  if (loneOption !== undefined) throw promptRequired(loneOption)
  stdout.text(help('rxpi'))
  return 0
}

/** Ends the command at a signal or time-out before the run begins. */
function exitBeforeRun(
  { timeoutMs }: PrintInvocation,
  { signals$, stderr }: World,
): Observable<{ readonly code: number }> {
  const late$ =
    timeoutMs === undefined ? NEVER : timer(timeoutMs).pipe(tap(() => report(stderr, 'timed out before the run began')))
  return merge(signals$.pipe(map((signal) => signalExitCodes[signal])), late$.pipe(map(() => 124))).pipe(
    map((code) => ({ code })),
  )
}

function runSession(parts: PromptRun): Observable<number> {
  const { opened, invocation, world } = parts
  const { client, stdout, stderr } = world
  const fromStart = invocation.choice.from === 'new' || invocation.choice.from === 'unstored'
  // a damaged session rejects the prompt with the same text
  for (const { code, message } of opened.notices) if (code !== 'read_only') report(stderr, message)
  if (opened.model?.notice !== undefined) report(stderr, opened.model.notice)
  const events$ = paceEvents({ client, stdout, session: opened.session, from: fromStart ? { after: 0 } : {} })
  const jobs: RunningJobs = new Map()
  const endJobs$ = endJobs({ jobs, session: opened.session, client, stderr })
  const refusals: RefusedCalls = { refused: [], calls: new Map() }
  const { refused } = refusals
  const drawing = drawEvents(world, opened.session)
  const refusals$ = reportRefusals({
    refused,
    cwd: opened.header.cwd,
    sandbox: invocation.choice.sandbox,
    env: world.env,
    client,
    stderr,
  })
  const ended$ = events$.pipe(
    tap((event) => {
      if (invocation.format === 'text') drawing.follow(event)
      followJobs(jobs, event)
      followRefusals(refusals, event)
    }),
    connect((shared$) => {
      // the ends of the jobs are printed too
      const end$ = runPrompt(shared$, parts).pipe(
        mergeMap((end) => concat(endJobs$, refusals$, drawing.settled$, of({ end }))),
      )
      return merge(printEvents(shared$, parts), end$, failIfUnstored(shared$))
    }),
  )
  let interrupted: number | undefined
  const interruption$ = interruptionOf(parts).pipe(
    tap((code) => (interrupted = code)),
    mergeMap((code) => abortRun(parts, code)),
  )
  return merge(ended$, interruption$).pipe(
    take(1),
    catchError((error: unknown) => endBeforeRun(error, interrupted)),
    map((outcome) => {
      if (interrupted === unreadCode) return unreadCode // no reader: the end of the command reports why
      const code = 'end' in outcome ? printOutcome(outcome.end, parts) : outcome.code
      return interrupted ?? (code === 0 && refused.length > 0 ? refusedCode : code)
    }),
  )
}

/** No error if the abort of an interrupted command came before the run had started. */
function endBeforeRun(error: unknown, code: number | undefined): Observable<{ readonly code: number }> {
  const failure = Failure.from(error)
  return code !== undefined && failure.code === 'cancelled' ? of({ code }) : throwError(() => failure)
}

/** Writes the log's lines in JSON mode, and progress on stderr in both modes. */
function printEvents(events$: Observable<ClientEvent>, { invocation, world }: PromptRun): Observable<never> {
  const { stdout, stderr } = world
  const watch = reportProgress(stderr)
  const write = invocation.format === 'json' ? stdout.json : () => undefined
  return events$.pipe(
    tap((event) => {
      if (event.type === 'attached') write(JSON.stringify(event.header))
      if (event.type !== 'event') return
      if (event.line !== undefined) write(event.line)
      watch(event.event)
    }),
    ignoreElements(),
  )
}

/** Fails if the log takes no more lines: the run has stopped, and its end cannot be written. */
function failIfUnstored(events$: Observable<ClientEvent>): Observable<never> {
  return events$.pipe(
    filter(isReceived),
    map(({ event }) => {
      if (event.type === 'status' && event.code === 'storage') throw new Failure('storage', event.message)
    }),
    ignoreElements(),
  )
}

/** Exit code if a call of a run that ended well was refused, because no person could answer. */
const refusedCode = 1

/** Exit code if stdout has no reader any more. */
const unreadCode = 1

/** Emits the exit code if a signal comes or, in JSON mode, stdout has no reader any more. */
function interruptionOf({ invocation, world }: PromptRun): Observable<number> {
  const { signals$, stdout } = world
  const signalled$ = signals$.pipe(map((signal) => signalExitCodes[signal]))
  const unread$ = stdout.broken$.pipe(map(() => unreadCode))
  return merge(signalled$, invocation.format === 'json' ? unread$ : NEVER).pipe(take(1))
}

/** Asks the server to abort the run; emits only if the run does not end in time. */
function abortRun({ opened, world }: PromptRun, code: number): Observable<{ readonly code: number }> {
  const { client, stderr } = world
  const failed$ = client.request({ type: 'abort', session: opened.session }).pipe(
    ignoreElements(),
    catchError((error: unknown) => of(Failure.from(error).message)),
  )
  const late$ = timer(settleLimit).pipe(map(() => `the run did not end within ${settleLimit / 1_000} s`))
  return merge(failed$, late$).pipe(
    map((message) => {
      report(stderr, message)
      return { code }
    }),
  )
}

function printOutcome(outcome: RunEnd | HandledPrompt, parts: PromptRun): number {
  if (!('handled' in outcome)) return printEnd(outcome, parts)
  const { stdout } = parts.world
  const { handled } = outcome
  if (parts.invocation.format === 'text' && handled !== '') stdout.text(`${handled}\n`)
  return 0
}

function printEnd({ end, answer, isCut }: RunEnd, { invocation, world, answerCheck }: PromptRun): number {
  const { stdout, stderr } = world
  const code = exitCodeOfRun(end)
  const document = answerCheck?.check(answer)
  const text = document === undefined ? answer : document.ok ? JSON.stringify(document.value) : ''
  if (invocation.format === 'text' && text !== '') stdout.text(text.endsWith('\n') ? text : `${text}\n`)
  if (isCut) report(stderr, 'the answer was cut: the model reached its output limit')
  if (answer === '' && end.terminationReason === 'completed') report(stderr, 'the answer of the model is empty')
  const reason = describeRunEnd(end)
  if (reason !== undefined) report(stderr, reason)
  if (code === 4 && invocation.choice.from !== 'unstored') report(stderr, 'to continue: rxpi -c -p "Go on"')
  if (end.error?.data?.['noCredit'] === true) report(stderr, 'add credit at the provider, or choose another --model')
  else if (end.error?.data?.['kind'] === 'auth')
    report(stderr, 'rxpi auth list prints the source of the key; rxpi auth set <provider> stores another')
  if (code !== 0 || document === undefined || document.ok) return code
  report(stderr, `the answer does not fit the schema: ${document.problem}`)
  return 1
}
