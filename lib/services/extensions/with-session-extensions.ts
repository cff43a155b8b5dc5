// Loads the code about extensions with the first session that may have one.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { defer, from, mergeMap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { OpenedExtensions } from './open-extensions.ts'
import type { OpenExtensionsOptions } from './run-extension.ts'

/** `use$` gets the extensions of the session that it opens; if it fails, or is unsubscribed before that, they are closed. */
export function withExtensions<Value>(
  options: OpenExtensionsOptions,
  use$: (extensions: OpenedExtensions | undefined) => Observable<Value>,
): Observable<Value> {
  return defer(() => {
    if (!mayHaveExtensions(options)) return use$(undefined)
    return from(import('./open-extensions.ts')).pipe(mergeMap((room) => room.withExtensions(options, use$)))
  })
}

function mayHaveExtensions({
  own = [],
  folders: { home, config, project, paths = [] },
}: OpenExtensionsOptions): boolean {
  if (own.length + paths.length > 0) return true
  const places = [path.join(config, 'extensions'), path.join(home, 'packages')]
  if (project !== undefined) places.push(path.join(project, '.rxpi/extensions'))
  return places.some((folder) => existsSync(folder))
}
