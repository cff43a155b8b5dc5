// docs/loop.md has every case of the loop once, in order, with the way to its tests.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loop } from '../conformance/loop.ts'

it('docs/loop.md has a row for each case, which leads to its heading in docs/conformance.md', () => {
  const rows = readFileSync('docs/loop.md', 'utf8').matchAll(
    /^\| \[(\d+)\]\(conformance\.md#(loop-\d+)\) +\| \S.* \|$/gm,
  )
  const anchors = loop.sections.map(({ id }, index) => [String(index + 1), id.toLowerCase()])
  expect(Array.from(rows, ([, number, anchor]) => [number, anchor])).toEqual(anchors)
  const headings = readFileSync('docs/conformance.md', 'utf8').matchAll(/^### (LOOP-\d+)$/gm)
  expect(Array.from(headings, ([, id]) => id)).toEqual(loop.sections.map(({ id }) => id))
})
