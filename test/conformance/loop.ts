// The cases of the loop; docs/loop.md describes them under the same numbers.
import type { Chapter } from './chapter.ts'
import { loopEnds } from './loop-ends.ts'
import { loopTurns } from './loop-turns.ts'

export const loop: Chapter = {
  title: 'The loop',
  about: 'The behaviour of a run, case by case. The numbers are those of [loop.md](loop.md).',
  sections: [...loopTurns, ...loopEnds],
}
