// The sessions that are soaked: as many at a time as are asked for, each replaced by a new one after some runs, so that none grows for ever.
import type { Chance } from './chance.ts'

export interface SessionPool {
  /** Their ids. */
  readonly live: readonly string[]
  /** Those that were replaced; they lie on the disk, where clients look at them now and then. */
  readonly retired: readonly string[]
  isLive(id: string): boolean
  add(id: string): void
  /** Counts a run; true where it was the session's last, which then is retired. */
  ran(id: string): boolean
}

/** `runs`: how many a session has at most; each has one to so many, so that not all are replaced at a time. */
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
