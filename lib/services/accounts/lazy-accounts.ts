// Loads what answers the commands about accounts with the first of them: most servers get none.
import { defer, from, mergeMap, shareReplay } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AccountsBackendOptions, EndingAccountsBackend } from './accounts-backend.ts'

/** One backend for all commands: it has the sign-ins that are under way. */
export function lazyAccountsBackend(options: AccountsBackendOptions): EndingAccountsBackend {
  let loaded: EndingAccountsBackend | undefined
  const backend$ = defer(() => from(import('./accounts-backend.ts'))).pipe(
    mergeMap(({ createAccountsBackend }) => [(loaded ??= createAccountsBackend(options))]),
    shareReplay({ bufferSize: 1, refCount: false }),
  )
  const ask$ = <Value>(work: (backend: EndingAccountsBackend) => Observable<Value>): Observable<Value> =>
    backend$.pipe(mergeMap(work))
  return {
    login: (command) => ask$((backend) => backend.login(command)),
    wait: (command) => ask$((backend) => backend.wait(command)),
    input: (command) => ask$((backend) => backend.input(command)),
    cancel: (command) => ask$((backend) => backend.cancel(command)),
    accounts: () => ask$((backend) => backend.accounts()),
    logout: (command) => ask$((backend) => backend.logout(command)),
    begin: (login) => ask$((backend) => backend.begin(login)),
    close: () => loaded?.close(),
  }
}
