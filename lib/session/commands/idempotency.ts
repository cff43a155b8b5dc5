// Runs a command once per `opId`; a repeated one gets the response of the first.
import { Observable, ReplaySubject, defer, finalize, map, mergeMap, of, throwError } from 'rxjs'
import { modelName } from '../../streams/models/model.ts'
import { respondWhenDurable } from '../pipeline/respond-when-durable.ts'
import { findModel } from './change-session.ts'
import { opIdReused, replayResponse } from './replay-response.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCore } from '../runs/session-core.ts'
import type { SessionCommand } from '../contract/session.ts'
import type { Blobs } from '../../streams/log/blobs.ts'
import { externaliseImage } from '../../streams/log/externalise-content.ts'
import type { CommandTrace } from '../../streams/state/fold-inputs.ts'
import { mapParts } from '../../streams/events/map-parts.ts'
import type { ImageContent } from '../../streams/messages/message.ts'

export interface IdempotencyOptions {
  readonly core: SessionCore
  readonly pipeline: Pick<Pipeline, 'state$' | 'durable'>
}

/**
 * Runs each command once for its `opId` and kind, in the call itself, and replays the result to every subscriber. A
 * refused command is forgotten: a repeated one runs. Fails with `bad_request` if the `opId` named a command with
 * another body.
 */
export type IdempotentCommands = (
  command: SessionCommand,
  opId: string,
  act: () => Observable<object>,
) => Observable<object>

export function idempotentCommands({ core, pipeline }: IdempotencyOptions): IdempotentCommands {
  const pending = new Map<string, { readonly body: string; readonly answer$: Observable<object> }>()

  /** Emits the response once its line is durable: the process that wrote the line may have ended before its sync. */
  const respondFromLog$ = (answer: object): Observable<object> => {
    const durable$ = respondWhenDurable(pipeline, answer)
    if (!('chosen' in answer)) return durable$
    const { model } = core.settings.current()
    const chosen = String(answer.chosen)
    const model$ = chosen === modelName(model) ? of({ model }) : findModel(chosen, { core })
    return durable$.pipe(
      mergeMap(() => model$),
      map((found) => ({ model: found.model })),
    )
  }
  return (command, opId, act) => {
    const key = `${command.type} ${opId}`
    const body = JSON.stringify(command)
    const same = pending.get(key)
    if (same !== undefined) return same.body === body ? same.answer$ : throwError(() => opIdReused(command, opId))
    const replayed$ = new ReplaySubject<object>(1)
    const answer$ = new Observable<object>((subscriber) => replayed$.subscribe(subscriber))
    pending.set(key, { body, answer$ })
    defer(() => {
      const traces = pipeline.state$.value.commands.get(opId)
      const { blobs } = core.parts.log
      const answer = replayResponse(withImagesOnLine(command, blobs), opId, traces && tracesOnLine(traces, blobs))
      return answer === undefined ? act() : respondFromLog$(answer)
    })
      .pipe(finalize(() => pending.delete(key)))
      .subscribe(replayed$)
    return answer$
  }
}

/** The command with its images as log lines have them; the command itself if the log externalises nothing. */
function withImagesOnLine(command: SessionCommand, blobs: Blobs | undefined): SessionCommand {
  if (blobs === undefined || !('images' in command)) return command
  return { ...command, images: imagesOnLine(command.images, blobs) }
}

/** The events of the command as log lines have them, also if this process wrote them. */
function tracesOnLine(traces: readonly CommandTrace[], blobs: Blobs | undefined): readonly CommandTrace[] {
  if (blobs === undefined) return traces
  return traces.map((trace) => ({
    ...trace,
    event: mapParts(trace.event, (part) => (part.type === 'image' ? externaliseImage(part, blobs) : part)),
  }))
}

function imagesOnLine(images: readonly ImageContent[] | undefined, blobs: Blobs): readonly ImageContent[] {
  return images?.map((image) => externaliseImage(image, blobs)) ?? []
}
