// Loads parts of a server's backend with the first command that needs them: most servers get none.
import { EMPTY, defer, from, mergeMap, of, shareReplay, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { FileFinder, FileFinderOptions } from '../../tools/search/find-files.ts'
import type { AccountsBackendOptions, EndingAccountsBackend } from '../accounts/accounts-backend.ts'
import type { ExtensionsBackend, McpBackend } from '../contract/server-backend.ts'
import type { ExtensionsBackendOptions } from '../extensions/extensions-backend.ts'
import type { McpBackendOptions } from '../mcp/mcp-backend.ts'

/** Answers the commands about accounts: one backend for all, because it has the sign-ins that are under way. */
export function lazyAccountsBackend(options: AccountsBackendOptions): EndingAccountsBackend {
  let loaded: EndingAccountsBackend | undefined
  const backend$ = defer(() => from(import('../accounts/accounts-backend.ts'))).pipe(
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

/** Answers the commands about extensions. */
export function lazyExtensionsBackend(options: ExtensionsBackendOptions): ExtensionsBackend {
  const loaded$ = withLoaded(async () =>
    (await import('../extensions/extensions-backend.ts')).createExtensionsBackend(options),
  )
  return {
    list: (command) => loaded$((backend) => backend.list(command)),
    trust: (command, operator) => loaded$((backend) => backend.trust(command, operator)),
    kill: (command, operator) => loaded$((backend) => backend.kill(command, operator)),
    audit: (command) => loaded$((backend) => backend.audit(command)),
    installPackage: (command) => loaded$((backend) => backend.installPackage(command)),
    listPackages: () => loaded$((backend) => backend.listPackages()),
    removePackage: (command) => loaded$((backend) => backend.removePackage(command)),
    updatePackages: (command) => loaded$((backend) => backend.updatePackages(command)),
  }
}

/** Answers the commands about MCP servers. */
export function lazyMcpBackend(options: McpBackendOptions): McpBackend {
  const loaded$ = withLoaded(async () => (await import('../mcp/mcp-backend.ts')).createMcpBackend(options))
  return {
    list: (command) => loaded$((backend) => backend.list(command)),
    show: (command) => loaded$((backend) => backend.show(command)),
    add: (command) => loaded$((backend) => backend.add(command)),
    remove: (command) => loaded$((backend) => backend.remove(command)),
    test: (command) => loaded$((backend) => backend.test(command)),
    login: (command) => loaded$((backend) => backend.login(command)),
    logout: (command) => loaded$((backend) => backend.logout(command)),
    logs: (command) => loaded$((backend) => backend.logs(command)),
    restart: (command) => loaded$((backend) => backend.restart(command)),
    check: (command) => loaded$((backend) => backend.check(command)),
    importServers: (command) => loaded$((backend) => backend.importServers(command)),
  }
}

/** Runs work with a backend that is loaded, and created anew, for each subscription: it holds nothing between commands. */
function withLoaded<Backend>(load: () => Promise<Backend>) {
  return <Value>(work: (backend: Backend) => Observable<Value>): Observable<Value> =>
    defer(() => from(load())).pipe(mergeMap(work))
}

/** Finds files by name for completion. */
export function lazyFileFinder(env: FileFinderOptions['env']): FileFinder {
  let loaded: FileFinder | undefined
  const finder$ = (): Observable<FileFinder> =>
    defer(() => (loaded === undefined ? from(loadFinder(env)) : of(loaded))).pipe(tap((finder) => (loaded ??= finder)))
  return {
    find: (wanted) => finder$().pipe(mergeMap(() => loaded?.find(wanted) ?? EMPTY)),
    close: () => defer(() => loaded?.close() ?? EMPTY),
  }
}

async function loadFinder(env: FileFinderOptions['env']): Promise<FileFinder> {
  const { fileFinder } = await import('../../tools/search/find-files.ts')
  return fileFinder({ env })
}
