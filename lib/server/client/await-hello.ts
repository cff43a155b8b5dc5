// A server greets first, in a version that this client speaks, and in time.
import { ReplaySubject, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { protocolVersion } from '../protocol/frame.ts'
import type { HelloFrame } from '../protocol/frame.ts'

export interface Greeting {
  /** Replays; fails with what `end` was given where no greeting came. */
  readonly hello$: Observable<HelloFrame>
  /** @throws Failure `unsupported_version` */
  take(hello: HelloFrame): void
  /** None is waited for any more. */
  end(failure: Failure): void
}

/** @param late called once, with `disconnected`, where no greeting came within so many milliseconds */
export function greeting(withinMs: number, late: (failure: Failure) => void): Greeting {
  const hello$ = new ReplaySubject<HelloFrame>(1)
  const silence = timer(withinMs).subscribe(() => {
    late(silent(withinMs))
  })
  return {
    hello$: hello$.asObservable(),
    take: (hello) => {
      silence.unsubscribe()
      if (hello.protocol.min > protocolVersion) throw unsupported(hello)
      hello$.next(hello)
      hello$.complete()
    },
    end: (failure) => {
      silence.unsubscribe()
      hello$.error(failure)
    },
  }
}

function silent(ms: number): Failure {
  const message = `The server did not greet within ${ms} ms: it hangs, or something else listens there`
  return new Failure('disconnected', message)
}

function unsupported({ server, protocol }: HelloFrame): Failure {
  const message = `The server (rxpi ${server.version}) speaks protocol ${protocol.min} to ${protocol.max}, this client ${protocolVersion}`
  return new Failure('unsupported_version', message)
}
