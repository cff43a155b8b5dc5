// One run, printed: stdout gets what was asked for and nothing else, and the exit code says how it ended.
import {
  NEVER,
  catchError,
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
  timer,
} from 'rxjs'
import type { Observable } from 'rxjs'
import type { ClientEvent } from '../../../lib/server/protocol/server-frame.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { loadAnswerCheck } from './answer-check.ts'
import { needsPrompt } from '../../cli/command-options.ts'
import { exitCodeOfRun, signalExitCodes } from '../../process/exit-code.ts'
import { help } from '../../cli/help.ts'
import type { PrintInvocation } from '../../cli/invocation.ts'
import { isReceived } from './run-ends.ts'
import { openOrFollow } from './open-or-follow.ts'
import { paceEvents } from '../pace-events.ts'
import { reportProgress, report } from '../../process/progress.ts'
import { promptInput } from '../../cli/prompt-input.ts'
import { runPrompt } from './prompt-run.ts'
import type { PromptRun } from './prompt-run.ts'
import { runEndReason } from '../../text/run-end-reason.ts'
import type { RunEnd } from './run-ends.ts'
import type { World } from '../../process/world.ts'

/** Milliseconds that an interrupted run has to settle: its tools have 5 s, their processes 2 s more. */
const settleLimit = 10_000

/** Emits the exit code once and completes. Fails with a Failure where the run could not be started or followed. */
export function print(invocation: PrintInvocation, world: World): Observable<number> {
  return defer(() => {
    const deadline = invocation.timeoutMs === undefined ? undefined : performance.now() + invocation.timeoutMs
    const prepared$ = promptInput(invocation, world).pipe(
      mergeMap((input) => {
        if (input === undefined) return of({ code: printHelp(invocation, world) })
        return loadAnswerCheck(invocation.outputSchema).pipe(
          mergeMap((answer) => openOrFollow(invocation, world).pipe(map((found) => ({ input, answer, ...found })))),
        )
      }),
    )
    return merge(prepared$, interruptedBeforeRun(invocation, world)).pipe(
      take(1),
      mergeMap((prepared) => {
        if ('code' in prepared) return of(prepared.code)
        const { client, ...found } = prepared
        return run({ ...found, invocation, world: { ...world, client }, deadline }).pipe(
          finalize(() => {
            if (client !== world.client) client.close() // the server's own goes with it
          }),
        )
      }),
    )
  })
}

/** Nothing was asked, and nothing was piped in. @throws Failure `bad_request` where an option shows that something was meant */
function printHelp({ loneOption }: PrintInvocation, { stdout }: World): number {
  if (loneOption !== undefined) throw needsPrompt(loneOption)
  stdout.text(help('rxpi'))
  return 0
}

/** Before there is a run, there is nothing to wait for. */
function interruptedBeforeRun(
  { timeoutMs }: PrintInvocation,
  { signals$, stderr }: World,
): Observable<{ readonly code: number }> {
  const late$ =
    timeoutMs === undefined ? NEVER : timer(timeoutMs).pipe(tap(() => report(stderr, 'timed out before the run began')))
  return merge(signals$.pipe(map((signal) => signalExitCodes[signal])), late$.pipe(map(() => 124))).pipe(
    map((code) => ({ code })),
  )
}

function run(parts: PromptRun): Observable<number> {
  const { opened, invocation, world } = parts
  const { client, stdout, stderr } = world
  const fromStart = invocation.choice.from === 'new' || invocation.choice.from === 'unstored'
  // a damaged session refuses the prompt with the same words
  for (const { code, message } of opened.notices) if (code !== 'read_only') report(stderr, message)
  if (opened.model.notice !== undefined) report(stderr, opened.model.notice)
  const events$ = paceEvents({ client, stdout, session: opened.session, from: fromStart ? { after: 0 } : {} })
  const ended$ = events$.pipe(
    connect((shared$) => {
      const end$ = runPrompt(shared$, parts).pipe(map((end) => ({ end })))
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
    map((outcome) => interrupted ?? ('end' in outcome ? finish(outcome.end, parts) : outcome.code)),
  )
}

/** Line 1 and the numbered lines in JSON mode; what people are told in both. */
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

/** Fails where the log takes no more lines: the run has been stopped, and its end waits to be written, unseen. */
function failIfUnstored(events$: Observable<ClientEvent>): Observable<never> {
  return events$.pipe(
    filter(isReceived),
    map(({ event }) => {
      if (event.type === 'status' && event.code === 'storage') throw new Failure('storage', event.message)
    }),
    ignoreElements(),
  )
}

/** Why the run is to be ended from here: a signal, or that nobody reads the lines any more. */
function interruptionOf({ invocation, world }: PromptRun): Observable<number> {
  const { signals$, stdout } = world
  const signalled$ = signals$.pipe(map((signal) => signalExitCodes[signal]))
  const unread$ = stdout.broken$.pipe(map(() => 1)) // why is told when the command ends
  return merge(signalled$, invocation.format === 'json' ? unread$ : NEVER).pipe(take(1))
}

/** Asks for the run's end, which is then seen like any other; emits only where it does not come. */
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

function finish({ end, answer, isCut }: RunEnd, { invocation, world, answer: wanted }: PromptRun): number {
  const { stdout, stderr } = world
  const code = exitCodeOfRun(end)
  const document = wanted?.check(answer)
  const text = document === undefined ? answer : document.ok ? JSON.stringify(document.value) : ''
  if (invocation.format === 'text' && text !== '') stdout.text(text.endsWith('\n') ? text : `${text}\n`)
  if (isCut) report(stderr, 'the answer was cut: the model reached its output limit')
  if (answer === '' && end.terminationReason === 'completed') report(stderr, 'the model answered without a word')
  const reason = runEndReason(end)
  if (reason !== undefined) report(stderr, reason)
  if (code === 4 && invocation.choice.from !== 'unstored') report(stderr, 'rxpi -c -p "Go on" goes on from here')
  if (end.error?.data?.['kind'] === 'auth')
    report(stderr, 'rxpi auth list says where the key comes from, rxpi auth set <provider> stores another')
  if (code !== 0 || document === undefined || document.ok) return code
  report(stderr, `the answer does not fit the schema: ${document.problem}`)
  return 1
}
