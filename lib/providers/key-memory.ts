// What is remembered of keys while the process lives, and nowhere else: what commands gave, and which keys rest after a limit.
import { asyncScheduler } from 'rxjs'

export interface KeyMemory {
  /** What this command gave in this environment. */
  readonly commands: Map<string, string>
  /** Milliseconds until the key may be asked with again; 0: at once. `told`: the provider said how long. */
  rest(key: string): KeyRest
  /** The key is not to be asked with for so long, where another can be. */
  cool(key: string, rest: KeyRest): void
}

export interface KeyRest {
  readonly ms: number
  readonly told: boolean
}

const none: KeyRest = { ms: 0, told: false }
/** Beyond it, what is over is thrown away. */
const most = 1_000

/** An empty memory; the clock is RxJS's. */
export function keyMemory(): KeyMemory {
  const resting = new Map<string, { readonly until: number; readonly told: boolean }>()
  const commands = new Map<string, string>()
  return {
    commands,
    rest: (key) => {
      const found = resting.get(key)
      const ms = (found?.until ?? 0) - asyncScheduler.now()
      return found === undefined || ms <= 0 ? none : { ms, told: found.told }
    },
    cool: (key, { ms, told }) => {
      const now = asyncScheduler.now()
      if (resting.size >= most) for (const [name, { until }] of resting) if (until <= now) resting.delete(name)
      resting.set(key, { until: now + ms, told })
    },
  }
}

/** The process's own: every session that is not given another shares it. */
export const processKeyMemory: KeyMemory = keyMemory()
