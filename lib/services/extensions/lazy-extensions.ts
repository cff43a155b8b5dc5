// Loads what answers the commands about extensions with the first of them: most servers get none.
import { defer, from, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionsBackend } from '../contract/server-backend.ts'
import type { ExtensionsBackendOptions } from './extensions-backend.ts'

export function lazyExtensionsBackend(options: ExtensionsBackendOptions): ExtensionsBackend {
  const loaded$ = <Value>(work: (backend: ExtensionsBackend) => Observable<Value>): Observable<Value> =>
    defer(() => from(import('./extensions-backend.ts'))).pipe(
      mergeMap(({ createExtensionsBackend }) => work(createExtensionsBackend(options))),
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
