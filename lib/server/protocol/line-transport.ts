// Carries lines over any channel of texts, such as a MessagePort or a WebSocket. Needs no Node module.
import { ReplaySubject, Subject, interval, merge, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { inbox } from '../../streams/rx/inbox.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import type { IncomingLine, Transport } from './transport.ts'

/** A channel whose messages are whole lines. */
export interface LineChannel {
  /** The other end's lines. Completes when it has closed. Subscribed once, when the transport is created. */
  readonly lines$: Observable<string>
  send(line: string): void
  /** Called once, by the transport's `close`. Default: nothing is called. */
  close?(): void
  /** UTF-16 units or bytes that wait to be sent. Default: 0, the channel takes each line at once. */
  unsent?(): number
}

/** Lines that may wait for a reader. */
const capacity = 100_000
/** A channel tells no one that it has sent all: it is looked at so often while something waits. */
const drainCheckMs = 50

/** A transport over the channel. `lines$` fails with `disconnected` if the channel fails, or if 100,000 lines wait. */
export function lineTransport(channel: LineChannel): Transport {
  const lines = inbox<IncomingLine>(capacity)
  const failed$ = new ReplaySubject<never>(1)
  const drain = drainWatch(() => channel.unsent?.() ?? 0)
  const end = (failure?: Failure): void => {
    reading.unsubscribe()
    lines.close()
    if (failure === undefined) failed$.complete()
    else failed$.error(failure)
    drain.stop()
  }
  let isClosed = false
  // after this tick: a channel may end or fail while it is subscribed
  const reading = channel.lines$.subscribe({
    next: (text) => {
      if (text.trim() !== '' && !lines.offer({ text })) queueMicrotask(() => end(disconnected('100,000 lines wait')))
    },
    error: (cause: unknown) => queueMicrotask(() => end(disconnected(describeThrown(cause), cause))),
    complete: () => queueMicrotask(() => end()),
  })
  return {
    lines$: merge(lines.items$, failed$),
    unsent: drain.unsent,
    drained$: drain.drained$,
    send: (line) => {
      if (isClosed) return
      channel.send(line)
      drain.start()
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      end()
      channel.close?.()
    },
  }
}

/** Looks whether a channel has sent all, from `start` on; `drained$` emits then. */
function drainWatch(unsent: () => number) {
  const drained$ = new Subject<void>()
  const over$ = new ReplaySubject<void>(1)
  let isDraining = false
  return {
    unsent,
    drained$: drained$.asObservable(),
    start: () => {
      if (isDraining || unsent() === 0) return
      isDraining = true
      const check = interval(drainCheckMs)
        .pipe(takeUntil(over$))
        .subscribe(() => {
          if (unsent() > 0) return
          isDraining = false
          check.unsubscribe()
          drained$.next()
        })
    },
    stop: () => {
      over$.next()
      drained$.complete()
    },
  }
}

function disconnected(reason: string, cause?: unknown): Failure {
  return new Failure('disconnected', `The connection broke: ${reason}`, { cause })
}
