// Follows one run of a session for an MCP client: what it does, what it asks, how it ends.
import {
  EMPTY,
  Observable,
  catchError,
  combineLatest,
  defer,
  filter,
  map,
  merge,
  mergeMap,
  of,
  share,
  startWith,
  take,
} from 'rxjs'
import type { ResultOf } from '../../lib/streams/commands/command.ts'
import type { EventNamed } from '../../lib/streams/events/event.ts'
import type { Client } from '../../lib/server/client/client.ts'
import type { ClientEvent, ReceivedEvent } from '../../lib/server/protocol/server-frame.ts'
import { innerCall } from '../../lib/streams/messages/inner-call.ts'
import { firstUnits } from '../../lib/streams/values/truncate.ts'
import { isReceived, toRunEnds } from '../commands/print/run-ends.ts'
import type { RunEnd } from '../commands/print/run-ends.ts'

export type Question = EventNamed<'ui_request'>

export type RunStep =
  /** One line about what the run does. */
  | { readonly type: 'progress'; readonly text: string }
  | { readonly type: 'question'; readonly question: Question }
  /** The question has an answer. */
  | { readonly type: 'resolved'; readonly requestId: string }
  /** The run is settled; `refused` are the names of the tools whose calls no client could allow. */
  | { readonly type: 'end'; readonly end: RunEnd; readonly refused: readonly string[] }
  /** A command of an extension took the prompt, and started no run. */
  | { readonly type: 'handled'; readonly text: string }

export interface RunRequest {
  readonly session: string
  /** Absent: the session goes on with what it has. */
  readonly prompt?: string | undefined
}

/** Emits the steps and completes after the last one. Fails with the server's Failure. Unsubscribing aborts the run. */
export function followRun(
  client: Pick<Client, 'events$' | 'request'>,
  { session, prompt }: RunRequest,
): Observable<RunStep> {
  return new Observable((subscriber) => {
    let isOver = false
    const events$ = client.events$(session, { deltas: false }).pipe(share())
    const started$ = events$.pipe(
      filter(({ type }) => type === 'attached'),
      take(1),
      mergeMap(() => send(client, session, prompt)),
    )
    const steps = stepsOf()
    const following = merge(
      events$.pipe(
        filter(isReceived),
        mergeMap((received) => steps.take(received)),
      ),
      endOf(events$, started$).pipe(map((end) => ('text' in end ? end : { ...end, refused: steps.refused() }))),
    ).subscribe({
      next: (step) => {
        subscriber.next(step)
        if (step.type !== 'end' && step.type !== 'handled') return
        isOver = true
        subscriber.complete()
      },
      error: (error: unknown) => {
        isOver = true
        subscriber.error(error)
      },
    })
    return () => {
      following.unsubscribe()
      if (isOver) return
      client
        .request({ type: 'abort', session })
        .pipe(catchError(() => EMPTY))
        .subscribe() // its end stands in the log
    }
  })
}

type Started = ResultOf<'prompt'> | ResultOf<'continue'>

function send(client: Pick<Client, 'request'>, session: string, text: string | undefined): Observable<Started> {
  return text === undefined
    ? client.request({ type: 'continue', session })
    : client.request({ type: 'prompt', session, text })
}

type LastStep = Omit<Extract<RunStep, { type: 'end' }>, 'refused'> | Extract<RunStep, { type: 'handled' }>

function endOf(events$: Observable<ClientEvent>, started$: Observable<Started>): Observable<LastStep> {
  const ends$ = events$.pipe(filter(isReceived), toRunEnds(), startWith(undefined))
  return defer(() => combineLatest([started$, ends$])).pipe(
    mergeMap(([started, end]): LastStep[] => {
      if (started.status === 'handled') return [{ type: 'handled', text: started.text ?? '' }]
      return end !== undefined && end.runId === started.runId ? [{ type: 'end', end }] : []
    }),
    take(1),
  )
}

interface StepReader {
  take(received: ReceivedEvent): Observable<RunStep>
  refused(): readonly string[]
}

const mostArguments = 200

function stepsOf(): StepReader {
  const calls = new Map<string, { readonly name: string; readonly args: string }>()
  const refused = new Set<string>()
  const progress$ = (text: string): Observable<RunStep> => of({ type: 'progress', text })
  const take$ = ({ event }: ReceivedEvent): Observable<RunStep> => {
    switch (event.type) {
      case 'message_end': {
        if (event.message.role !== 'assistant') return EMPTY
        calls.clear()
        for (const block of event.message.content) {
          if (block.type !== 'toolCall') continue
          const { name, arguments: args } = innerCall(block)
          calls.set(block.id, { name, args: firstUnits(JSON.stringify(args), mostArguments) })
        }
        return EMPTY
      }
      case 'turn_start':
        return progress$(`turn ${event.turnIndex + 1}`)
      case 'tool_execution_start':
        return progress$(`${event.toolName} ${calls.get(event.toolCallId)?.args ?? ''}`.trim())
      case 'policy_decision':
        if (event.by === 'unattended') refused.add(calls.get(event.toolCallId)?.name ?? event.toolCallId)
        return EMPTY
      case 'ui_request':
        return event.kind === 'notify' ? progress$(event.text) : of({ type: 'question', question: event })
      case 'ui_resolved':
        return of({ type: 'resolved', requestId: event.requestId })
      default:
        return EMPTY
    }
  }
  return { take: take$, refused: () => [...refused] }
}
