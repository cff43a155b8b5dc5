// Loads the extensions of a session anew, when one of them says so.
import { ReplaySubject, concat, defer, finalize } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionDefinition } from '../api/define-extension.ts'

export interface Reloader {
  /** Remembers what was loaded under its name. */
  note(definition: ExtensionDefinition): void
  /** Loads all anew; a call while that is on joins it. Goes on if the caller unsubscribes: what called it may end. */
  reload(): Observable<never>
}

/**
 * @param isLoaded whether an extension of the name is active
 * @param reloadOf reads the files anew. Default: the definitions that were loaded are set up again
 */
export function reloader(
  isLoaded: (name: string) => boolean,
  load: (definition: ExtensionDefinition) => Observable<never>,
  reloadOf: (() => Observable<never>) | undefined,
): Reloader {
  const definitions = new Map<string, ExtensionDefinition>()
  const again$ = defer(() => {
    const all = [...definitions.values()].filter(({ name }) => isLoaded(name))
    return concat(...all.map(load))
  })
  let running$: ReplaySubject<never> | undefined
  return {
    note: (definition) => {
      definitions.set(definition.name, definition)
    },
    reload: () => {
      if (running$ !== undefined) return running$.asObservable()
      const done$ = new ReplaySubject<never>(1)
      running$ = done$
      ;(reloadOf?.() ?? again$)
        .pipe(
          finalize(() => {
            running$ = undefined
          }),
        )
        .subscribe(done$)
      return done$.asObservable()
    },
  }
}
