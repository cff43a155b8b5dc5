// Remembers the output of key commands, resting keys, and the keys of sessions, in this process only.
import { asyncScheduler } from 'rxjs'
import { BoundedMap } from '../../streams/values/bounded-map.ts'

export interface KeyMemory {
  /** The output of commands in an environment; the most recent ones. */
  readonly commands: Map<string, string>
  /** Returns the milliseconds until the key may be used; 0: now. `isReported`: the provider reported the time. */
  rest(key: string): KeyRest
  /** Lets a key rest for so long, while another key is available. */
  cool(key: string, rest: KeyRest): void
  /** Returns the key that this session used last with the provider: its prompt cache may belong to it. */
  lastKey?(provider: string, session: string): string | undefined
  /** Notes the key that a request of this session uses. */
  noteKey?(provider: string, session: string, key: string): void
}

export interface KeyRest {
  /** Milliseconds until the key may be used; 0: now. */
  readonly ms: number
  /** The provider named the time. */
  readonly isReported: boolean
}

const noRest: KeyRest = { ms: 0, isReported: false }

interface Cooldown {
  readonly from: number
  readonly until: number
  readonly isReported: boolean
}

/** Creates a memory for so many commands and resting keys; its clock is that of RxJS. */
export function createKeyMemory(capacity = 1_000): KeyMemory {
  const resting = new BoundedMap<string, Cooldown>(capacity)
  const commands = new BoundedMap<string, string>(capacity)
  const used = new BoundedMap<string, string>(capacity)
  return {
    commands,
    rest: (key) => {
      const found = resting.get(key)
      const now = asyncScheduler.now()
      if (found === undefined || now >= found.until || now < found.from) return noRest // before: the clock was set back
      return { ms: found.until - now, isReported: found.isReported }
    },
    cool: (key, { ms, isReported }) => {
      const from = asyncScheduler.now()
      resting.set(key, { from, until: from + ms, isReported })
    },
    lastKey: (provider, session) => used.get(`${provider} ${session}`),
    noteKey: (provider, session, key) => {
      used.set(`${provider} ${session}`, key)
    },
  }
}

/** The memory that sessions share by default. */
export const processKeyMemory: KeyMemory = createKeyMemory()
