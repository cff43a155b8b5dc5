// Waits for the server's `hello`.
// It must come first, in time, and in a version that the client speaks.
import { ReplaySubject, timer } from 'rxjs'
import type { Observable } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import { protocolVersion } from '../protocol/frame.ts'
import type { HelloFrame } from '../protocol/frame.ts'

export interface HelloWait {
  /** Replays; fails with the failure passed to `end` if no `hello` came. */
  readonly hello$: Observable<HelloFrame>
  /** @throws Failure `unsupported_version` */
  accept(hello: HelloFrame): void
  /** Stops waiting. */
  end(failure: Failure): void
}

/** @param onTimeout called once, with `disconnected`, if no `hello` came within so many milliseconds */
export function awaitHello(withinMs: number, onTimeout: (failure: Failure) => void): HelloWait {
  const hello$ = new ReplaySubject<HelloFrame>(1)
  const timeout = timer(withinMs).subscribe(() => {
    onTimeout(helloTimeout(withinMs))
  })
  return {
    hello$: hello$.asObservable(),
    accept: (hello) => {
      timeout.unsubscribe()
      if (hello.protocol.min > protocolVersion) throw unsupportedVersion(hello)
      hello$.next(hello)
      hello$.complete()
    },
    end: (failure) => {
      timeout.unsubscribe()
      hello$.error(failure)
    },
  }
}

function helloTimeout(ms: number): Failure {
  const message = `The server sent no hello within ${ms} ms: it hangs, or another program listens there; end it and try again`
  return new Failure('disconnected', message)
}

function unsupportedVersion({ server, protocol }: HelloFrame): Failure {
  const theirs = protocol.min === protocol.max ? `${protocol.min}` : `${protocol.min} to ${protocol.max}`
  const message = `The server (rxpi ${server.version}) speaks protocol ${theirs}, this client ${protocolVersion}; update the older of the two`
  return new Failure('unsupported_version', message)
}
