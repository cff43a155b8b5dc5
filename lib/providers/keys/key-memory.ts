// What is remembered of keys while the process lives, and nowhere else: what commands gave, and which keys rest after a limit.
import { asyncScheduler } from 'rxjs'
import { BoundedMap } from '../../streams/values/bounded-map.ts'

export interface KeyMemory {
  /** What a command gave in an environment, of those that were asked last. */
  readonly commands: Map<string, string>
  /** Milliseconds until the key may be asked with again; 0: at once. `told`: the provider said how long. */
  rest(key: string): KeyRest
  /** The key is not to be asked with for so long, where another can be. */
  cool(key: string, rest: KeyRest): void
}

export interface KeyRest {
  readonly ms: number
  readonly isReported: boolean
}

const none: KeyRest = { ms: 0, isReported: false }

/** An empty memory of so many commands and so many resting keys; the clock is RxJS's. */
export function createKeyMemory(most = 1_000): KeyMemory {
  const resting = new BoundedMap<string, { readonly until: number; readonly isReported: boolean }>(most)
  const commands = new BoundedMap<string, string>(most)
  return {
    commands,
    rest: (key) => {
      const found = resting.get(key)
      const ms = (found?.until ?? 0) - asyncScheduler.now()
      return found === undefined || ms <= 0 ? none : { ms, isReported: found.isReported }
    },
    cool: (key, { ms, isReported }) => {
      resting.set(key, { until: asyncScheduler.now() + ms, isReported })
    },
  }
}

/** The process's own: every session that is not given another shares it. */
export const processKeyMemory: KeyMemory = createKeyMemory()
