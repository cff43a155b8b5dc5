// Checks that docs/loop.md has every case once, in order, with an anchor and links to its tests.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loop } from '../conformance/loop.ts'

it('docs/loop.md has a section for each case, with a link to its heading in docs/conformance.md', () => {
  const sections = readFileSync('docs/loop.md', 'utf8').matchAll(
    /^### <a id="(\d+)"><\/a>\1\. \S.*\n\n\S[^]*?\(conformance\.md#(loop-\d+)\)$/gm,
  )
  const anchors = loop.sections.map(({ id }, index) => [String(index + 1), id.toLowerCase()])
  expect(Array.from(sections, ([, number, anchor]) => [number, anchor])).toEqual(anchors)
  const headings = readFileSync('docs/conformance.md', 'utf8').matchAll(/^### (LOOP-\d+)$/gm)
  expect(Array.from(headings, ([, id]) => id)).toEqual(loop.sections.map(({ id }) => id))
})
