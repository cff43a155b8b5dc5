// A command acts in the call itself, and is answered when what it asked for is on disk; the answer is kept for whoever asks later.
import { Observable, ReplaySubject, concat, defer, ignoreElements, of } from 'rxjs'
import { Failure } from '../streams/failure.ts'
import type { QueuedInput } from '../streams/fold-session.ts'
import type { UserContent } from '../streams/message.ts'
import type { SessionLog } from '../streams/session-log.ts'
import type { RunInput } from '../operators/run-ports.ts'
import { checkLimits } from './check-limits.ts'
import type { Pipeline } from './pipeline.ts'
import { isEndOf } from './run-starter.ts'
import type { RunStarter } from './run-starter.ts'
import type { SessionCore } from './session-parts.ts'
import type { Session, SessionCommand } from './session.ts'

export interface SenderOptions {
  readonly core: SessionCore
  readonly log: SessionLog
  readonly pipeline: Pipeline
  readonly starter: RunStarter
}

export interface CommandSender {
  readonly send: Session['send']
  /** From here on every command is refused. */
  close(): void
}

type Prompt = Extract<SessionCommand, { type: 'prompt' }>
type Origin = { readonly opId?: string }

export function commandSender(options: SenderOptions): CommandSender {
  let closed = false

  const act = (command: SessionCommand, origin: Origin): Observable<object> => {
    if (closed) throw new Failure('unknown_session', 'The session was closed; open it again')
    options.pipeline.recover()
    switch (command.type) {
      case 'prompt':
        return prompt(options, command, origin)
      case 'steer':
        return enqueue(options, 'steering', command, origin)
      case 'follow_up':
        return enqueue(options, 'followUp', command, origin)
      case 'abort':
        return abort(options)
    }
  }
  const send = (command: SessionCommand, origin: Origin = {}): Observable<object> => {
    const answer$ = new ReplaySubject<object>(1)
    defer(() => act(command, origin)).subscribe(answer$)
    return new Observable((subscriber) => answer$.subscribe(subscriber))
  }
  return {
    send: send as Session['send'], // each command's answer is made by the function of its name above
    close: () => {
      closed = true
    },
  }
}

function prompt(options: SenderOptions, command: Prompt, origin: Origin): Observable<object> {
  const { core, log, pipeline, starter } = options
  if (starter.running() !== undefined) return promptWhileRunning(options, command, origin)
  checkLimits(command.limits)
  const runId = core.ids.short()
  const delivered$ = pipeline.next((record) => record.runId === runId && record.event.type === 'message_end')
  starter.start({ runId, ...origin, prompt: inputOf(command), limits: command.limits })
  return answerAfter(delivered$, log, { status: 'started', runId })
}

function promptWhileRunning(options: SenderOptions, command: Prompt, origin: Origin): Observable<object> {
  const { whileRunning } = command
  if (whileRunning !== undefined) {
    const queue = whileRunning === 'steer' ? 'steering' : 'followUp'
    return enqueue(options, queue, command, origin, { status: 'queued' })
  }
  const hint = 'send steer or follow_up, or the prompt with whileRunning: "steer" or "follow_up"'
  throw new Failure('busy', `A run is on in this session; ${hint}`)
}

type Input = Pick<Prompt, 'text' | 'images'>

/** State first: the input waits in the queue before anybody is told. */
function enqueue(
  { core, log, pipeline }: SenderOptions,
  queue: QueuedInput['queue'],
  input: Input,
  origin: Origin,
  more: object = {},
): Observable<object> {
  const queueId = core.ids.short()
  const event = core.queues.add({ queueId, queue, ...inputOf(input) })
  const written$ = new ReplaySubject<void>(1)
  pipeline.write({ event, ...origin }).subscribe(written$)
  return answerAfter(written$, log, { ...more, queueId })
}

function abort({ pipeline, starter }: SenderOptions): Observable<object> {
  const current = starter.unsettled()
  if (current === undefined) return of({})
  const settled$ = pipeline.next(isEndOf(current))
  current.stop.stop('aborted')
  return concat(settled$.pipe(ignoreElements()), of({}))
}

function inputOf({ text, images = [] }: Input): RunInput {
  return { content: images.length === 0 ? text : [...(text === '' ? [] : [textOf(text)]), ...images] }
}

function textOf(text: string): UserContent {
  return { type: 'text', text }
}

/** The result, once what it speaks of is written and synced. */
function answerAfter(written$: Observable<void>, log: SessionLog, result: object): Observable<object> {
  return concat(written$.pipe(ignoreElements()), defer(() => log.durable()).pipe(ignoreElements()), of(result))
}
