// Tests that a search among hundreds of public tools has the right one in the first three.
import { readFileSync } from 'node:fs'
import { lastValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { createToolIndex } from '../../../lib/tools/discovery/tool-index.ts'
import { publicTools } from './public-tools.ts'

const page = readFileSync(new URL('../../../docs/tool-search.md', import.meta.url), 'utf8')
const queries = [...page.matchAll(/^\| ([^|]*?) +\| `(mcp__[^`]+)` +\|$/gm)].map(([, query = '', tool = '']) => ({
  query,
  tool,
}))
const tools = publicTools()
const index = createToolIndex()

it('reads the published queries, and tools of distinct names', () => {
  expect(queries.length).toBeGreaterThanOrEqual(60)
  expect(tools.length).toBeGreaterThanOrEqual(500)
  expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length)
})

it('finds the right tool for each published query in the first three [TOOLS-discovery-ranking]', async () => {
  const missed = []
  for (const { query, tool } of queries) {
    const found = await lastValueFrom(index.search(tools, query), { defaultValue: [] })
    const first = found.slice(0, 3).map(({ name }) => name)
    if (!first.includes(tool)) missed.push({ query, tool, first, at: found.findIndex(({ name }) => name === tool) })
  }
  expect(missed).toEqual([])
})
