// Adds a text from a source to each request; neither the transcript nor the next request holds it.
import { defaultIfEmpty, map, switchMap, take, takeUntil, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentContext, ContextTransform } from '../../streams/ports/agent-context.ts'
import { Failure } from '../../streams/values/failure.ts'
import { longestDelay } from '../core/time-limits.ts'

export interface InjectContextOptions {
  /**
   * `end` (default): a separate user message after all others, so that the provider's prompt cache covers everything
   * before it. `system`: a paragraph at the end of the system prompt, for text that rarely changes.
   */
  readonly place?: 'end' | 'system'
  /**
   * Milliseconds to wait for the source's first value; then the context passes without it. 0: synchronous values only.
   * Default 1,000.
   */
  readonly waitMs?: number
}

/**
 * Adds the current text of `source$`. Each request subscribes to it, takes its first value and unsubscribes. Pass a
 * source that has a value on subscription: `defer(() => of(…))` for a clock, `shareReplay({ bufferSize: 1, refCount:
 * true })` or a `Behavior` for a file watcher. An empty text, or a source that ends without one, adds nothing.
 *
 * Put it after `keepRecent` in a pipe: before it, the injected message would count as the last user message.
 *
 * Ends with its source and fails with it or `source$` (add `catchError` to `source$` if the run is to go on). A context
 * that arrives while another waits replaces it; on unsubscribe both sources are unsubscribed.
 * @throws Failure `bad_request` for a `waitMs` above 2³¹−1
 */
export function injectContext(
  source$: Observable<string>,
  { place: position = 'end', waitMs = 1_000 }: InjectContextOptions = {},
): ContextTransform {
  if (!(waitMs >= 0 && waitMs <= longestDelay)) {
    throw new Failure('bad_request', `injectContext: waitMs is ${waitMs}; give 0 to ${longestDelay}`)
  }
  const add = position === 'end' ? addMessage : addToSystem
  return switchMap((context) =>
    source$.pipe(
      take(1),
      takeUntil(timer(waitMs)),
      defaultIfEmpty(''),
      map((text) => (text === '' ? context : add(context, text))),
    ),
  )
}

/**
 * The message has the timestamp of the one before it: the current time would make the same context differ each time.
 */
function addMessage(context: AgentContext, text: string): AgentContext {
  const timestamp = context.messages.at(-1)?.timestamp ?? 0
  return { ...context, messages: [...context.messages, { role: 'user', content: text, timestamp }] }
}

function addToSystem(context: AgentContext, text: string): AgentContext {
  return { ...context, system: context.system === '' ? text : `${context.system}\n\n${text}` }
}
