// Lets one thread load new content first: it compiles, and the others find the stored code.
import { Subject, concat, defer, finalize, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ModuleFile } from '../../loader/load-module.ts'

/** Contents that are remembered as loaded; all of them are forgotten when one more comes. */
const maxLoaded = 256

/** The first load of each content, by its stored code; completes when that load ends. */
const firsts = new Map<string, Observable<never>>()
/** Contents that were loaded, or refused: their loads do not wait. */
const loaded = new Set<string>()

/**
 * Mirrors `load$`. If this process loads the same content for the first time just now, it is subscribed to when that load has
 * ended; if that load was unsubscribed from, one of those that wait is the first. Content without stored code does not wait.
 */
export function afterFirstLoad<Value>({ code }: Pick<ModuleFile, 'code'>, load$: Observable<Value>): Observable<Value> {
  if (code === undefined) return load$
  const key = `${code.folder}\0${code.digest}`
  const enter$: Observable<Value> = defer(() => {
    if (loaded.has(key)) return load$
    const first$ = firsts.get(key)
    return first$ === undefined ? asFirst(key, load$) : concat(first$, enter$)
  })
  return enter$
}

function asFirst<Value>(key: string, load$: Observable<Value>): Observable<Value> {
  const end$ = new Subject<never>()
  firsts.set(key, end$.asObservable())
  const remember = (): void => {
    if (loaded.size >= maxLoaded) loaded.clear()
    loaded.add(key)
  }
  return load$.pipe(
    tap({ next: remember, error: remember }),
    finalize(() => {
      firsts.delete(key)
      end$.complete()
    }),
  )
}
