// The lower bound of a run: `concatMap`, `map` and `share`, events, and a log written line by line.
import { closeSync, openSync, writeSync } from 'node:fs'
import path from 'node:path'
import { Observable, Subject, concat, concatMap, defer, map, of, share } from 'rxjs'
import type { AssistantDelta } from '../lib/streams/messages/delta.ts'

/** A part of an event's fields. */
interface BareEvent {
  readonly type: string
  readonly delta?: object
  readonly message?: object
}

/**
 * Microseconds of one run over the deltas; no limits, no abort, no failure, no checks, no state, no sync of the log.
 */
export function timedBareRun(
  folder: string,
  answer: () => Observable<AssistantDelta>,
  onEvent: (event: BareEvent) => void,
): Promise<number> {
  const log = openSync(path.join(folder, 'bare.jsonl'), 'a', 0o600)
  const prompts$ = new Subject<string>()
  const events$ = prompts$.pipe(
    concatMap((text) => run(text, answer)),
    map(recordTo(log)),
    share(),
  )
  return new Promise((resolve) => {
    let startedAt = 0
    const subscription = events$.subscribe((event) => {
      onEvent(event)
      if (event.type !== 'agent_settled') return
      resolve((performance.now() - startedAt) * 1000)
      subscription.unsubscribe()
      closeSync(log)
    })
    startedAt = performance.now()
    prompts$.next('Go on.')
  })
}

function run(text: string, answer: () => Observable<AssistantDelta>): Observable<BareEvent> {
  const prompt = { role: 'user', content: [{ type: 'text', text }] }
  return concat(
    of({ type: 'agent_start' }, { type: 'turn_start' }),
    of({ type: 'message_start', message: { role: 'user', content: [] } }, { type: 'message_end', message: prompt }),
    defer(() => answered(answer)),
    of({ type: 'turn_end' }, { type: 'agent_end' }, { type: 'agent_settled' }),
  )
}

function answered(answer: () => Observable<AssistantDelta>): Observable<BareEvent> {
  return new Observable((subscriber) => {
    const pieces: string[] = []
    let offset = 0
    subscriber.next({ type: 'message_start', message: { role: 'assistant', content: [] } })
    const subscription = answer().subscribe((delta) => {
      if (delta.type === 'text_delta') {
        const { type, contentIndex, text } = delta
        subscriber.next({ type: 'message_update', delta: { type, contentIndex, offset, text } })
        offset += text.length
        pieces.push(text)
      } else if (delta.type === 'done') {
        const message = { role: 'assistant', content: [{ type: 'text', text: pieces.join('') }] }
        subscriber.next({ type: 'message_end', message })
        subscriber.complete()
      } else subscriber.next({ type: 'message_update', delta })
    })
    return subscription
  })
}

function recordTo(log: number): (event: BareEvent) => BareEvent {
  let seq = 0
  return (event) => {
    if (event.type !== 'message_update') writeSync(log, `${JSON.stringify({ seq: ++seq, at: Date.now(), event })}\n`)
    return event
  }
}
