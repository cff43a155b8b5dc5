// Makes a situation sequential: one call after the other.
import type { Situation } from '../situation.ts'

export function inSequence(situation: Situation): Situation {
  return { ...situation, name: `${situation.name}, in sequence`, sequential: true }
}
