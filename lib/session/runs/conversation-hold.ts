// Holds the conversation while a person compacts it or goes back in it.
// Guarantees: one holder at a time. No run starts and no message of a job is appended meanwhile.
import { BehaviorSubject, combineLatest, filter, ignoreElements, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'

/** `restore`: files are compared or restored, and the head moves then. */
export type Holder = 'compaction' | 'restore'

export interface ConversationHold {
  /** Undefined if nothing holds the conversation. */
  readonly holder: Holder | undefined
  /** Holds the conversation until the returned function is called. @throws Failure `busy` if it is held already */
  begin(holder: Holder): () => void
  /** @throws Failure `busy` if the conversation is held */
  check(): void
  /** Completes when nothing holds the conversation: in the call itself, or when the holder releases it. */
  free(): Observable<never>
  /** Delays messages of jobs, and no command, until the returned function is called. */
  delayMessages(): () => void
  /** Completes when messages of jobs may be appended: in the call itself, or later. */
  quiet(): Observable<never>
}

export function conversationHold(): ConversationHold {
  const holder$ = new BehaviorSubject<Holder | undefined>(undefined)
  const delays$ = new BehaviorSubject(0)
  const check = (): void => {
    if (holder$.value !== undefined) throw heldFailure(holder$.value)
  }
  return {
    get holder() {
      return holder$.value
    },
    check,
    begin: (holder) => {
      check()
      holder$.next(holder)
      return () => {
        holder$.next(undefined)
      }
    },
    free: () =>
      holder$.pipe(
        filter((holder) => holder === undefined),
        take(1),
        ignoreElements(),
      ),
    delayMessages: () => {
      delays$.next(delays$.value + 1)
      return () => {
        delays$.next(delays$.value - 1)
      }
    },
    quiet: () =>
      combineLatest([holder$, delays$]).pipe(
        filter(([holder, delays]) => holder === undefined && delays === 0),
        take(1),
        ignoreElements(),
      ),
  }
}

const messages: Readonly<Record<Holder, string>> = {
  compaction: 'The conversation is being compacted; wait for the response, or send abort',
  restore: 'Files are being restored; wait for the response',
}

function heldFailure(holder: Holder): Failure {
  return new Failure('busy', messages[holder])
}
