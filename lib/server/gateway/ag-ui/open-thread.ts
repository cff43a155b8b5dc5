// Opens the session of an AG-UI thread and stays attached to it between the requests of the front end.
import { BehaviorSubject, asapScheduler, defer, filter, finalize, map, mergeMap, observeOn, take, tap } from 'rxjs'
import type { Observable, Subscription } from 'rxjs'
import type { ResultOf } from '../../../streams/commands/command.ts'
import type { AgentEvent } from '../../../streams/events/event.ts'
import { Failure } from '../../../streams/values/failure.ts'
import type { Client } from '../../client/client.ts'
import type { ReceivedEvent } from '../../protocol/server-frame.ts'
import type { OpenQuestion } from './answer-interrupt.ts'
import { frontEndCalls } from './front-end-calls.ts'
import type { FrontEndCalls } from './front-end-calls.ts'
import { runRequestOf } from './read-run-input.ts'
import type { RunOptions } from './read-run-input.ts'
import type { RunInput } from './run-schemas.ts'
import { frontEndName, runTranslator } from './run-translator.ts'
import { answers$, prompt$ } from './claim-run.ts'
import type { StoredRun } from './stored-run.ts'

export interface AgUiThread {
  /** Emits the run of a request: the one that it starts, or that its answers continue. Fails as the session does. */
  startRun(input: RunInput, options: RunOptions): Observable<StoredRun>
  /** Aborts the run of the session, and emits true; false if none is on. */
  cancel(): Observable<boolean>
  /** Calls `onEnd` once the thread cannot go on: the session was closed, or the server has ended. */
  onEnd(onEnd: () => void): void
  /** Leaves the session; its run goes on. */
  close(): void
}

export interface OpenThreadOptions {
  /** The thread's own connection. */
  readonly client: Client
  readonly input: RunInput
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** Emits the thread once it is attached. The thread closes the client, also if it cannot be opened. */
export function openThread({ client, input, cwd, env }: OpenThreadOptions): Observable<AgUiThread> {
  const { threadId } = input
  const isSession = /^[a-z2-7]{12}$/.test(threadId)
  const opened$ = isSession
    ? client.request({ type: 'open_session', session: threadId, cwd, env })
    : client.request({ type: 'new_session', cwd, env }, { opId: `${frontEndName}:${threadId}` })
  return client.request({ type: 'hello', client: frontEndName, ui: true, questions: true }).pipe(
    mergeMap(() => opened$),
    mergeMap(({ session }) =>
      client.request({ type: 'get_state', session }).pipe(map((status) => ({ session, status }))),
    ),
    mergeMap(({ session, status }) => attachThread(client, session, { threadId, status, tools: input.tools ?? [] })),
    tap({ error: () => client.close() }),
  )
}

interface ThreadStart {
  readonly threadId: string
  readonly status: ResultOf<'get_state'>
  readonly tools: NonNullable<RunInput['tools']>
}

function attachThread(client: Client, session: string, start: ThreadStart): Observable<AgUiThread> {
  const calls = frontEndCalls()
  const runs = runTranslator({ ...start, calls })
  const state = threadState(start.status)
  const ends: (() => void)[] = []
  let starting = 0
  const attachment = toolAttachment(client, session, {
    calls,
    isBusy: () => starting > 0 || state.isRunning || calls.hasOpen,
    onTools: runs.setTools,
    onEvent: (received) => {
      state.apply(received.event)
      calls.apply(received.event)
      runs.next(received)
    },
    onEnd: (failure) => {
      runs.fail(failure)
      client.close()
      for (const onEnd of ends.splice(0)) onEnd()
    },
  })
  attachment.offer(start.tools)
  const thread: AgUiThread = {
    startRun: (input, { whileRunning }) =>
      defer(() => {
        const request = runRequestOf(input)
        if (request.type === 'answers')
          return answers$(client, { session, request, runs, calls, questions: state.questions })
        attachment.offer(input.tools ?? [])
        starting += 1
        return attachment.ready$.pipe(
          mergeMap(() => prompt$(client, { session, ids: input, whileRunning, request, runs })),
          finalize(() => (starting -= 1)),
        )
      }),
    cancel: () => defer(() => abortRun(client, session, state.isRunning)),
    onEnd: (onEnd) => void ends.push(onEnd),
    close: () => {
      const failure = new Failure('disconnected', 'The gateway has left the session of this thread.')
      attachment.end(failure)
      runs.fail(failure)
      client.close()
    },
  }
  return attachment.ready$.pipe(map(() => thread))
}

function abortRun(client: Client, session: string, isRunning: boolean): Observable<boolean> {
  return client.request({ type: 'abort', session }).pipe(map(() => isRunning))
}

/** The open questions of the session, and whether a run is on. */
function threadState(status: ThreadStart['status']) {
  const open = [...status.requests, ...(status.questions ?? [])]
  const questions = new Map<string, OpenQuestion>(open.map((question) => [question.requestId, question]))
  let isRunning = status.running !== undefined
  return {
    questions,
    get isRunning() {
      return isRunning
    },
    apply: (event: AgentEvent): void => {
      if (event.type === 'ui_request' || event.type === 'question') questions.set(event.requestId, event)
      if (event.type === 'ui_resolved' || event.type === 'question_resolved') questions.delete(event.requestId)
      if (event.type === 'agent_start') isRunning = true
      if (event.type === 'agent_settled') isRunning = false
    },
  }
}

interface AttachmentParts {
  readonly calls: Pick<FrontEndCalls, 'toolsOf'>
  isBusy(): boolean
  onTools(names: readonly string[]): void
  onEvent(received: ReceivedEvent): void
  onEnd(failure: Failure): void
}

/** Attaches with the front end's tools. They change between runs alone: leaving for a moment would end their calls. */
function toolAttachment(client: Client, session: string, parts: AttachmentParts) {
  let attachment: Subscription | undefined
  let offered = ''
  const isAttached$ = new BehaviorSubject(false)
  const end = (error?: unknown): void => {
    const failure = error === undefined ? new Failure('disconnected', 'The session was closed.') : Failure.from(error)
    isAttached$.error(failure)
    parts.onEnd(failure)
  }
  return {
    /**
     * Emits once the session has the tools that were offered last; a run that starts before lacks them, and its events
     * do not come here. Fails when the attachment ends.
     */
    ready$: isAttached$.pipe(
      filter((isAttached) => isAttached),
      take(1),
      // the server subscribes the attachment right after its response, which comes within this call
      observeOn(asapScheduler),
    ),
    offer: (tools: ThreadStart['tools']): void => {
      const text = JSON.stringify(tools)
      if (attachment !== undefined && (text === offered || parts.isBusy())) return
      offered = text
      attachment?.unsubscribe()
      isAttached$.next(false)
      parts.onTools(tools.map(({ name }) => name))
      attachment = client.events$(session, { tools: parts.calls.toolsOf(tools) }).subscribe({
        next: (received) => {
          if (received.type === 'attached') isAttached$.next(true)
          else if (received.type === 'event') parts.onEvent(received)
        },
        error: end,
        complete: end,
      })
    },
    end: (failure: Failure): void => {
      attachment?.unsubscribe()
      isAttached$.error(failure)
    },
  }
}
