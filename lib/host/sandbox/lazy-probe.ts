// Loads the probe of the sandbox with the first subscription.
import { concatMap, defer, from } from 'rxjs'
import type { Observable } from 'rxjs'
import type { SandboxProbe } from './probe-sandbox.ts'

/** As `probeSandbox()`; a session that runs no command never loads it. */
export const lazyProbe$: Observable<SandboxProbe> = defer(() => from(import('./probe-sandbox.ts'))).pipe(
  concatMap(({ probeSandbox }) => probeSandbox()),
)
