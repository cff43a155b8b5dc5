// Carries lines over any channel of texts, such as a MessagePort or a WebSocket. Needs no Node module.
import { ReplaySubject, Subject, interval, map, merge, takeUntil } from 'rxjs'
import type { Observable } from 'rxjs'
import { inbox } from '../../streams/rx/inbox.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { disconnected, isBlank, isLongerThan, lineLimit } from './transport.ts'
import type { IncomingLine, Transport } from './transport.ts'

/** A channel of messages. A message holds whole lines: one, or several with a line feed after each. */
export interface LineChannel {
  /**
   * The other end's messages. Completes when it has closed, and fails if the channel breaks. Subscribed once, when the
   * transport is created.
   */
  readonly lines$: Observable<string>
  /** Sends one line, without its line feed, as a message. What it throws ends the transport. */
  send(line: string): void
  /** Called once, by the transport's `close`. Default: nothing is called. */
  close?(): void
  /** UTF-16 units or bytes that wait to be sent. Default: 0, the channel takes each line at once. */
  unsent?(): number
}

/** Lines that may wait for a reader. */
const lineCapacity = 100_000
/** UTF-16 units that may wait for a reader, and those that may wait for the other end. */
const unitCapacity = 64 * 1024 * 1024
/** A channel emits nothing when it has sent all: it is looked at so often while something waits. */
const drainCheckMs = 50
/**
 * A transport over the channel. A line of more than 16 MiB arrives as `too_large`. `lines$` fails with `disconnected`
 * if the channel fails or throws, if a message is no text, if 100,000 lines or 64 Mi characters wait for a reader, or
 * if more than 64 Mi wait to be sent.
 */
export function lineTransport(channel: LineChannel): Transport {
  const lines = boundedLines()
  const failed$ = new ReplaySubject<never>(1)
  const drain = drainWatch(() => channel.unsent?.() ?? 0)
  const end = (failure?: Failure): void => {
    reading.unsubscribe()
    lines.close()
    if (failure === undefined) failed$.complete()
    else failed$.error(failure)
    drain.stop()
  }
  // after this tick: a channel may end or fail while it is subscribed
  const endSoon = (failure?: Failure): void => queueMicrotask(() => end(failure))
  let isClosed = false
  const reading = channel.lines$.subscribe({
    next: (message: unknown) => {
      const problem = typeof message === 'string' ? lines.offer(message) : 'a message is no text'
      if (problem !== undefined) endSoon(disconnected(problem))
    },
    error: (cause: unknown) =>
      endSoon(cause instanceof Failure ? cause : disconnected(describeThrown(cause), { cause })),
    complete: () => endSoon(),
  })
  return {
    lines$: merge(lines.items$, failed$),
    unsent: drain.unsent,
    drained$: drain.drained$,
    send: (line) => {
      if (isClosed) return
      if (drain.unsent() > unitCapacity) {
        endSoon(disconnected('the other end takes nothing; 64 Mi characters wait to be sent'))
        return
      }
      try {
        channel.send(line)
        drain.start()
      } catch (cause) {
        endSoon(disconnected(describeThrown(cause), { cause }))
      }
    },
    close: () => {
      if (isClosed) return
      isClosed = true
      end()
      channel.close?.()
    },
  }
}

/** The lines that wait for a reader, bounded by their number and their length. */
function boundedLines() {
  const lines = inbox<IncomingLine>(lineCapacity)
  let units = 0
  return {
    items$: lines.items$.pipe(
      map((line) => {
        units -= lengthOf(line)
        return line
      }),
    ),
    close: lines.close,
    /** Adds the lines of a message. Returns why it cannot. */
    offer: (message: string): string | undefined => {
      for (const text of message.includes('\n') ? message.split('\n') : [message]) {
        if (isBlank(text)) continue
        const line: IncomingLine = isLongerThan(text, lineLimit) ? { problem: 'too_large' } : { text }
        units += lengthOf(line)
        if (units > unitCapacity) return '64 Mi characters wait for a reader'
        if (!lines.offer(line)) return '100,000 lines wait'
      }
      return undefined
    },
  }
}

function lengthOf(line: IncomingLine): number {
  return 'text' in line ? line.text.length : 0
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
