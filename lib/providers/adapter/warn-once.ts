// Wraps a provider so that it emits each kind of warning once.
import { filter } from 'rxjs'
import type { Provider } from '../../streams/ports/provider.ts'

/** A gateway that sends foreign frames sends them with every response: the first response's warning is enough. */
export function warnOnce(provider: Provider): Provider {
  const warned = new Set<string>()
  const isFirst = (code: string): boolean => {
    const { size } = warned
    return warned.add(code).size > size
  }
  return (request) => provider(request).pipe(filter((delta) => delta.type !== 'warning' || isFirst(delta.code)))
}
