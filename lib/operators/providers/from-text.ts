// Makes a provider of a stream of text.
import { concat, defer, filter, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AssistantDelta } from '../../streams/messages/delta.ts'
import { noUsage } from '../../streams/messages/message.ts'
import type { Usage } from '../../streams/messages/message.ts'
import type { Provider, ProviderRequest } from '../../streams/ports/provider.ts'

export interface FromTextOptions {
  /** Called when the text has ended. Default: no tokens, of unknown cost. */
  readonly usage?: (text: string, request: ProviderRequest) => Usage
}

/**
 * A provider whose answer is `text$`, piece by piece: one block of text and `done`. A function creates the text for
 * each request. An empty piece is left out; no text at all is an empty answer.
 *
 * Each request subscribes to the text once and ends with it. It fails with the text, or if a function throws: let it
 * fail with `provider_error` and a kind if the request may be repeated. Buffers the text for `usage` alone; on
 * unsubscribe the text is unsubscribed.
 */
export function fromText(
  text$: Observable<string> | ((request: ProviderRequest) => Observable<string>),
  { usage }: FromTextOptions = {},
): Provider {
  return (request) =>
    defer(() => {
      let text = ''
      let isOpen = false
      const delta$ = (typeof text$ === 'function' ? text$(request) : text$).pipe(
        filter((piece) => piece !== ''),
        mergeMap((piece): AssistantDelta[] => {
          if (usage !== undefined) text += piece
          const delta: AssistantDelta = { type: 'text_delta', contentIndex: 0, text: piece }
          if (isOpen) return [delta]
          isOpen = true
          return [{ type: 'text_start', contentIndex: 0 }, delta]
        }),
      )
      const end = (): AssistantDelta[] => [
        ...(isOpen ? [{ type: 'text_end', contentIndex: 0 } as const] : []),
        { type: 'done', stopReason: 'stop', usage: usage?.(text, request) ?? { ...noUsage, cost: 'unknown' } },
      ]
      return concat(of<AssistantDelta>({ type: 'start' }), delta$, defer(end))
    })
}
