// Tests the pauses between batched reads.
import { describe, expect, it } from 'vitest'
import { readPacing } from '../../../lib/host/http/coalesced-body.ts'

/** `[ms since the previous read, chunks, bytes]` */
type Step = readonly [number, number, number?]

/** The reads for which the next read waits, counted from 1. */
function waits(steps: readonly Step[]): number[] {
  const reads = readPacing()
  let at = 1_000
  return steps.flatMap(([gap, chunks, bytes = 200], index) =>
    reads.next({ at: (at += gap), chunks, bytes }) ? [index + 1] : [],
  )
}

const first: Step = [0, 1]
const soon: Step = [1, 1]
const quick = [first, soon, soon]

describe('readPacing', () => {
  const cases: [string, Step[], number[]][] = [
    ['the first read, of any size', [[0, 3]], []],
    ['two that come one behind the other', [first, soon], []],
    ['three of them', quick, [3]],
    ['a slow stream', Array.from({ length: 6 }, (): Step => [5, 1]), []],
    ['one with a pause in it', [first, soon, [50, 1], soon, soon], [5]],
    ['six pieces or more while they gather', [...quick, [26, 25], [26, 6]], [3, 4, 5]],
    ['five pieces while they gather, until it is quick again', [...quick, [26, 25], [26, 5], soon, soon], [3, 4, 7]],
    ['a read that fills its buffer', [...quick, [26, 80, 16_384], [1, 80, 16_384], [1, 5, 900]], [3, 6]],
  ]

  it.each(cases)('%s', (_, steps, expected) => {
    expect(waits(steps)).toEqual(expected)
  })
})
