// Tests the width of graphemes against Ink.
import { Box, Text, measureElement } from 'ink'
import type { DOMElement } from 'ink'
import { cleanup, render } from '../../../support/ink-screen.ts'
import { useEffect, useRef } from 'react'
import type { ReactElement } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { graphemeWidth } from '../../../../app/ui/text/grapheme-width.ts'

afterEach(cleanup)

describe('graphemeWidth', () => {
  it.each([
    ['a', 1],
    ['é', 1],
    ['e\u0301', 1],
    ['你', 2],
    ['ｱ', 1],
    ['Ａ', 2],
    ['한', 2],
    ['\u1112\u1161\u11ab', 2],
    ['😀', 2],
    ['👩‍👩‍👧', 2],
    ['🇩🇪', 2],
    ['1️⃣', 2],
    ['❤', 1],
    ['❤️', 2],
    ['\u200b', 0],
    ['\u0301', 0],
    ['', 0],
  ])('of %j is %i', (grapheme, width) => {
    expect(graphemeWidth(grapheme)).toBe(width)
  })

  it('equals the width of Ink for all characters of the planes with scripts', async () => {
    const groups = samples()
    const measured = await inkWidths(groups)
    const own = groups.map((group) => group.reduce((sum, character) => sum + graphemeWidth(character), 0))
    const differing = groups.filter((_, index) => measured[index] !== own[index])
    expect(groups.length).toBeGreaterThan(200)
    expect(differing.map((group) => group[0]?.codePointAt(0)?.toString(16))).toEqual([])
  })
})

/** Assigned characters that do not combine with a space before them: the first 32 of every 256. */
function samples(): string[][] {
  const groups: string[][] = []
  for (let start = 0x20; start < 0x32000; start += 256) {
    const group = Array.from({ length: 32 }, (_, index) => String.fromCodePoint(start + index))
    groups.push(group.filter((character) => /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(character) && character !== '\u0e33'))
  }
  return groups.filter((group) => group.length > 0)
}

/** The width in columns that Ink measures for each group, without the spaces that separate its characters. */
function inkWidths(groups: readonly (readonly string[])[]): Promise<number[]> {
  return new Promise((resolve) => {
    function Measured(): ReactElement {
      const boxes = useRef<(DOMElement | null)[]>([])
      useEffect(() => {
        resolve(
          boxes.current.map(
            (box, index) => (box === null ? -1 : measureElement(box).width) - (groups[index]?.length ?? 0) + 1,
          ),
        )
      })
      return (
        <Box flexDirection="column" width={1_000} alignItems="flex-start">
          {groups.map((group, index) => (
            <Box
              key={index}
              ref={(box) => {
                boxes.current[index] = box
              }}
            >
              <Text>{group.join(' ')}</Text>
            </Box>
          ))}
        </Box>
      )
    }
    render(<Measured />)
  })
}
