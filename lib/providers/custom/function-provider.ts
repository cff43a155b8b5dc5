// A function that answers requests is a provider once its failures are typed: a bug in it is never taken for a broken line.
import { catchError, defer, throwError } from 'rxjs'
import { Failure } from '../../streams/values/failure.ts'
import type { Provider } from '../../streams/ports/provider.ts'
import { thrownFailure } from '../http/provider-failure.ts'

/**
 * The same provider; a throw of the function, and an error of its Observable that is no Failure, become a `provider_error`: of
 * kind `network` where the system or `fetch` says so, else `bad_request`, which is not asked again.
 */
export function functionProvider(name: string, provider: Provider): Provider {
  return (request) =>
    defer(() => provider(request)).pipe(catchError((thrown: unknown) => throwError(() => typed(name, thrown))))
}

/** How the platforms' own `fetch` says that the line broke. */
const brokenFetch = /fetch|terminated|network|load failed/i

function typed(provider: string, thrown: unknown): Failure {
  if (thrown instanceof TypeError && thrown.cause === undefined && !brokenFetch.test(thrown.message)) {
    return new Failure('provider_error', `${provider}: ${thrown.message}`, {
      data: { kind: 'bad_request' },
      cause: thrown,
    })
  }
  return thrownFailure(thrown, { provider })
}
