// Runs one prompt of an editor, and answers it when its run is over.
import type { PromptResponse } from '@agentclientprotocol/sdk'
import { EMPTY, catchError, combineLatest, defaultIfEmpty, mergeMap, of, startWith, take, tap, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import type { RequestOptions } from '../../../lib/server/client/client-requests.ts'
import type { ReconnectingClient } from '../../../lib/server/client/reconnecting-client.ts'
import type { ReceivedEvent } from '../../../lib/server/protocol/server-frame.ts'
import type { Usage } from '../../../lib/streams/messages/message.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { toRunEnds } from '../../commands/print/run-ends.ts'
import type { PromptContent } from './read-blocks.ts'
import { stopReasonOf } from './stop-reason.ts'

export interface PromptSurroundings {
  readonly client: Pick<ReconnectingClient, 'request'>
  readonly session: string
  /** The events of the session, live; completes when the editor closes it. */
  readonly received$: Observable<ReceivedEvent>
  /** Gets the text of a command that has no run. */
  onHandled(text: string): void
}

export class RunningPrompt {
  /** Marks the message of the prompt in the events. */
  readonly opId = crypto.randomUUID()
  readonly #surroundings: PromptSurroundings
  #isCancelled = false

  constructor(surroundings: PromptSurroundings) {
    this.#surroundings = surroundings
  }

  /** Emits once and completes. Fails with the server's Failure or the error of the run. Unsubscribing stops no run. */
  run({ text, images }: PromptContent): Observable<PromptResponse> {
    const { client, session, received$, onHandled } = this.#surroundings
    const pictures = images.length === 0 ? {} : { images }
    const started$ = client.request({ type: 'prompt', session, text, ...pictures }, { opId: this.opId }).pipe(
      tap((started) => {
        if (started.status === 'handled' && started.text !== undefined) onHandled(started.text)
      }),
    )
    const ends$ = received$.pipe(toRunEnds(), startWith(undefined))
    return combineLatest([ends$, started$]).pipe(
      mergeMap(([end, { status, runId }]): PromptResponse[] => {
        if (status === 'handled') return [{ stopReason: this.#isCancelled ? 'cancelled' : 'end_turn' }]
        if (end === undefined || end.runId !== runId) return []
        return [{ stopReason: stopReasonOf(end), ...promptUsage(end.end.usage) }]
      }),
      take(1),
      defaultIfEmpty<PromptResponse, PromptResponse>({ stopReason: 'cancelled' }), // the session was closed
      catchError((error: unknown) => {
        const failure = Failure.from(error)
        const wasStopped = this.#isCancelled && failure.code === 'cancelled'
        return wasStopped ? of<PromptResponse>({ stopReason: 'cancelled' }) : throwError(() => failure)
      }),
    )
  }

  /** Stops the run. One that has not begun does not begin. After a lost connection the abort follows the prompt again. */
  cancel(): void {
    this.#isCancelled = true
    abortRun(this.#surroundings, { opId: crypto.randomUUID() })
  }
}

/** The tokens of a run. `usage` is no stable field of ACP yet: an editor that does not know it leaves it out. */
export function promptUsage({ input, output, reasoning, cacheRead, cacheWrite, totalTokens }: Usage): {
  readonly usage: object
} {
  return {
    usage: {
      totalTokens,
      inputTokens: input,
      outputTokens: output,
      ...(reasoning === undefined ? {} : { thoughtTokens: reasoning }),
      cachedReadTokens: cacheRead,
      cachedWriteTokens: cacheWrite,
    },
  }
}

/** Stops the active run of the session, whoever began it. */
export function abortRun(
  { client, session }: Pick<PromptSurroundings, 'client' | 'session'>,
  options: RequestOptions = {},
): void {
  client
    .request({ type: 'abort', session }, options)
    .pipe(catchError(() => EMPTY)) // it has ended by itself
    .subscribe()
}
