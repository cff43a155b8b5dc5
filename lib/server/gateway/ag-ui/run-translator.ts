// Cuts the AG-UI events of a session into runs, which requests claim.
import { Subject } from 'rxjs'
import type { Observable } from 'rxjs'
import { toAgUi } from '../../../services/bridges/ag-ui.ts'
import type { AgUiEvent } from '../../../services/bridges/ag-ui.ts'
import type { ResultOf } from '../../../streams/commands/command.ts'
import type { AgentEvent } from '../../../streams/events/event.ts'
import type { Failure } from '../../../streams/values/failure.ts'
import type { ReceivedEvent } from '../../protocol/server-frame.ts'
import type { FrontEndCalls } from './front-end-calls.ts'
import { StoredRun } from './stored-run.ts'

/** The name in `hello`, which is part of the names of the front end's tools. */
export const frontEndName = 'agui'

export interface RunTranslator {
  next(received: ReceivedEvent): void
  /** Ends an open run with this failure; no run starts any more. */
  fail(failure: Failure): void
  /** Hot: each run when it starts. Fails once no run can start. */
  readonly started$: Observable<StoredRun>
  readonly latest: StoredRun | undefined
  /** The front end's own names of its tools. */
  setTools(names: readonly string[]): void
}

export interface RunTranslatorOptions {
  readonly threadId: string
  readonly status: ResultOf<'get_state'>
  readonly calls: Pick<FrontEndCalls, 'expect' | 'hasEarly'>
}

export function runTranslator({ threadId, status, calls }: RunTranslatorOptions): RunTranslator {
  const source$ = new Subject<AgentEvent>()
  const started$ = new Subject<StoredRun>()
  const names = toolNames()
  const { frontEndTools } = names
  let latest: StoredRun | undefined
  let paused: StoredRun | undefined
  let seq = status.seq
  let cause: ReceivedEvent | undefined

  const begin = (): void => {
    latest?.close() // ended already, unless it waited for `agent_settled`
    latest = new StoredRun({ sessionRunId: cause?.runId, parent: paused })
    paused = undefined
  }
  const put = (event: AgUiEvent): void => {
    if (event.type === 'RUN_STARTED') begin()
    if (event.type === 'TOOL_CALL_START' && frontEndTools.has(event.toolCallName)) calls.expect(event.toolCallId)
    const run = latest
    if (run === undefined || run.isOver) return
    run.add(seq, names.translate(event))
    if (event.type === 'RUN_STARTED') started$.next(run)
    if (event.type !== 'RUN_FINISHED' && event.type !== 'RUN_ERROR') return
    for (const id of pendingCallsOf(event)) calls.expect(id)
    if (isPause(event)) paused = run
    // the next prompt of a front end must not meet a run that is still ending
    if (cause?.event.type !== 'agent_end') run.close()
  }
  /** The run of a call whose result is here does not pause. */
  const isAnsweredCall = (event: AgentEvent): boolean =>
    event.type === 'tool_execution_start' && frontEndTools.has(event.toolName) && calls.hasEarly(event.toolCallId)
  source$.pipe(toAgUi({ threadId, frontEndTools, status })).subscribe(put)
  return {
    started$: started$.asObservable(),
    get latest() {
      return latest
    },
    setTools: names.set,
    next: (received) => {
      cause = received
      seq = received.seq ?? seq
      if (!isOwnPrompt(received) && !isAnsweredCall(received.event)) source$.next(received.event)
      if (received.event.type === 'agent_settled') latest?.close()
    },
    fail: (failure) => {
      const { code, message } = failure
      if (latest?.isOver === false) latest.add(seq, { type: 'RUN_ERROR', code, message })
      latest?.close()
      started$.error(failure)
    },
  }
}

/** The front end shows the messages of its requests already. */
function isOwnPrompt({ event, opId }: ReceivedEvent): boolean {
  return event.type === 'message_end' && event.message.role === 'user' && opId?.startsWith(`${frontEndName}:`) === true
}

/** The front end's tools, by their names in the session. */
function toolNames() {
  const own = new Map<string, string>()
  const frontEndTools = new Set<string>()
  return {
    frontEndTools,
    set: (names: readonly string[]): void => {
      own.clear()
      frontEndTools.clear()
      for (const name of names) {
        const inSession = `channel_${frontEndName}_${name}`
        own.set(inSession, name)
        frontEndTools.add(inSession)
      }
    },
    translate: (event: AgUiEvent): AgUiEvent => {
      if (event.type !== 'TOOL_CALL_START') return event
      return { ...event, toolCallName: own.get(event.toolCallName) ?? event.toolCallName }
    },
  }
}

function pendingCallsOf(event: AgUiEvent): readonly string[] {
  if (event.type !== 'RUN_FINISHED' || event.outcome.type !== 'success') return []
  return event.outcome.pendingToolCallIds ?? []
}

function isPause(event: AgUiEvent): boolean {
  return openItemsOf(event).length > 0
}

/** True if the front end knows the end of the run, and nothing of it waits for an answer. */
export function hasEnded({ isBeside, last }: StoredRun): boolean {
  const isLast = last?.type === 'RUN_FINISHED' || last?.type === 'RUN_ERROR'
  return isBeside || (isLast && openItemsOf(last).length === 0)
}

/** The calls and questions that wait for the front end after the end of a run. */
export function openItemsOf(event: AgUiEvent | undefined): readonly string[] {
  if (event?.type !== 'RUN_FINISHED') return []
  if (event.outcome.type === 'interrupt') return event.outcome.interrupts.map(({ id }) => id)
  return pendingCallsOf(event)
}
