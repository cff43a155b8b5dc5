// Records the custom events that an extension derives from the session's events.
// Guarantees: an extension never sees its own custom events; a circle of extensions ends after eight rounds.
import { Observable, Subject, defer, filter, from, takeUntil } from 'rxjs'
import type { ObservableInput, Observer, Subscription } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isRecord } from '../../streams/values/json.ts'

/** How many custom events may follow one from another. */
const mostRounds = 8
/** UTF-16 units of the data of one event, as JSON. */
const mostData = 262_144

interface Origin {
  readonly owner: string
  readonly round: number
}

export interface EventDeriver {
  /** Gets the session's events. */
  readonly relay: Observer<AgentEvent>
  /** The events without the custom ones of this extension; the caller ends it with the extension. */
  eventsFor(owner: string): Observable<AgentEvent>
  /**
   * Subscribes what `project` returns, and publishes it.
   * @param onFault called with what it throws, with a failure of the stream, and with an event that is not `custom`
   */
  derive(
    owner: string,
    project: (event$: Observable<AgentEvent>) => ObservableInput<EventNamed<'custom'>>,
    onFault: (thrown: unknown) => void,
  ): Subscription
}

export interface DeriverOptions {
  /** Ends every derived stream. */
  readonly end$: Observable<unknown>
  publish(event: AgentEvent): void
}

export function eventDeriver({ end$, publish }: DeriverOptions): EventDeriver {
  const origins = new WeakMap<AgentEvent, Origin>()
  const delivered = { event: undefined as AgentEvent | undefined } // the event that is being delivered
  // most events are deltas, and no extension's own: they reach each subscriber without a step between
  const others$ = new Subject<AgentEvent>()
  const customs$ = new Subject<AgentEvent>()
  const eventsFor$ = (owner: string): Observable<AgentEvent> =>
    new Observable((subscriber) => {
      subscriber.add(
        withoutOwn(customs$, delivered, (event) => origins.get(event)?.owner === owner).subscribe({
          next: (event) => subscriber.next(event),
        }),
      )
      return others$.subscribe(subscriber)
    })
  const publishDerived = (owner: string, value: unknown): void => {
    const event = checkCustom(value)
    const cause = delivered.event === undefined ? undefined : origins.get(delivered.event)
    const round = (cause?.round ?? 0) + 1
    if (round > mostRounds) {
      throw new Failure(
        'bad_request',
        `custom events of extensions follow one another in a circle (${mostRounds} rounds)`,
      )
    }
    origins.set(event, { owner, round })
    publish(event)
  }
  return {
    relay: relayTo(customs$, others$),
    eventsFor: eventsFor$,
    derive: (owner, project, onFault) =>
      defer(() => from(project(eventsFor$(owner))))
        .pipe(
          filter((value) => {
            try {
              publishDerived(owner, value)
            } catch (thrown) {
              onFault(thrown)
            }
            return false
          }),
          takeUntil(end$),
        )
        .subscribe({ error: onFault }),
  }
}

function relayTo(customs$: Subject<AgentEvent>, others$: Subject<AgentEvent>): Observer<AgentEvent> {
  return {
    next: (event) => {
      if (event.type === 'custom') customs$.next(event)
      else others$.next(event)
    },
    error: () => undefined, // a session's events never fail
    complete: () => {
      customs$.complete()
      others$.complete()
    },
  }
}

interface Delivered {
  event: AgentEvent | undefined
}

/** The custom events that are not of one extension; notes in `delivered` which one its subscriber gets. */
function withoutOwn(
  customs$: Observable<AgentEvent>,
  delivered: Delivered,
  isOwn: (event: AgentEvent) => boolean,
): Observable<AgentEvent> {
  return new Observable((subscriber) =>
    customs$.subscribe((event) => {
      if (isOwn(event)) return
      const outer = delivered.event
      delivered.event = event
      subscriber.next(event)
      delivered.event = outer
    }),
  )
}

/** A copy, so that the extension cannot change it afterwards. @throws Failure `bad_request` */
function checkCustom(value: unknown): EventNamed<'custom'> {
  if (!isRecord(value) || value['type'] !== 'custom' || typeof value['customType'] !== 'string') {
    throw new Failure(
      'bad_request',
      'a derived stream emits events of the type "custom" only; make them with custom(type, data)',
    )
  }
  const json = JSON.stringify(value['data'] ?? null)
  if (json.length > mostData) {
    throw new Failure(
      'bad_request',
      `the data of ${value['customType']} has ${json.length} characters, at most ${mostData} are recorded`,
    )
  }
  return { type: 'custom', customType: value['customType'], data: JSON.parse(json) as unknown }
}
