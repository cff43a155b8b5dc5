// The event bus that the modules of pi in one session share.
import { Subject, filter } from 'rxjs'
import type { Scope } from '../../../streams/rx/scope.ts'

interface BusEvent {
  readonly channel: string
  readonly data: unknown
}

const buses = new Map<string, { readonly event$: Subject<BusEvent>; users: number }>()

export interface PiEventBus {
  emit(channel: string, data: unknown): void
  on(channel: string, handler: (data: unknown) => unknown): () => void
}

/** `pi.events`. Handlers are called at once, in order; one that throws is reported. Ends with the scope of the module. */
export function sessionBus(
  sessionId: string,
  scope: Pick<Scope, 'onEnd' | 'bind'>,
  report: (error: unknown) => void,
): PiEventBus {
  const bus = buses.get(sessionId) ?? { event$: new Subject<BusEvent>(), users: 0 }
  bus.users += 1
  buses.set(sessionId, bus)
  scope.onEnd(() => {
    bus.users -= 1
    if (bus.users === 0) buses.delete(sessionId)
  })
  return {
    emit: (channel, data) => {
      bus.event$.next({ channel, data })
    },
    on: (channel, handler) => {
      const call = async ({ data }: BusEvent): Promise<void> => {
        await handler(data)
      }
      const subscription = bus.event$
        .pipe(
          filter((event) => event.channel === channel),
          scope.bind(),
        )
        .subscribe((event) => {
          call(event).catch(report)
        })
      return () => {
        subscription.unsubscribe()
      }
    },
  }
}
