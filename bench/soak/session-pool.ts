// The sessions of a soak: a fixed number at once, each replaced after some runs.
import type { Chance } from './chance.ts'

export interface SessionPool {
  /** Their ids. */
  readonly live: readonly string[]
  /** Replaced sessions; they are on the disk, and clients read them sometimes. */
  readonly retired: readonly string[]
  isLive(id: string): boolean
  add(id: string): void
  /** Counts a run; true if it was the session's last, which is then retired. */
  ran(id: string): boolean
}

/** `runs`: the maximum of a session; each has a random number up to it, so that not all are replaced at once. */
export function sessionPool(chance: Chance, runs: number): SessionPool {
  const live: string[] = []
  const retired: string[] = []
  const left = new Map<string, number>()
  return {
    live,
    retired,
    isLive: (id) => left.has(id),
    add: (id) => {
      live.push(id)
      left.set(id, chance.between(1, runs))
    },
    ran: (id) => {
      const rest = left.get(id)
      if (rest === undefined) return false
      left.set(id, rest - 1)
      if (rest > 1) return false
      left.delete(id)
      retired.push(...live.splice(live.indexOf(id), 1))
      return true
    },
  }
}
