// Tests the picture of a session's next request.
import { expect, it } from 'vitest'
import { contextBars } from '../../../app/text/context-bars.ts'

it('draws one bar a part, the longest in full, after the sum', () => {
  const parts = [
    { kind: 'section', name: 'rules', tokens: 1_500 },
    { kind: 'messages', name: 'user', tokens: 500, count: 2 },
  ]
  expect(contextBars({ model: 'a/b', contextWindow: 8_000, tokens: 2_000, parts })).toEqual([
    'a/b: about 2,000 tokens of 8,000 (25%)',
    `section rules     ${'█'.repeat(24)}    1,500  75%`,
    `messages user (2) ${'█'.repeat(8)}${'░'.repeat(16)}      500  25%`,
  ])
})

it('knows no window and no parts', () => {
  expect(contextBars({ model: 'a/b', tokens: 0, parts: [] })).toEqual(['a/b: about 0 tokens'])
})

it('says that no model is chosen', () => {
  expect(contextBars({ model: 'none/none', tokens: 3, parts: [] })).toEqual(['no model is chosen: about 3 tokens'])
})

it('says what the model does not receive as it is', () => {
  const changes = { summarised: 41, pinned: 2, hidden: 0, replaced: 0 }
  expect(contextBars({ model: 'a/b', tokens: 0, parts: [], changes })[1]).toBe(
    'of the messages: 41 summarised, 2 pinned; /tree marks them',
  )
})

it('counts the tools that the request leaves out, and names 20', () => {
  const unlisted = Array.from({ length: 22 }, (_, index) => ({ name: `tool_${index}`, tokens: 100 }))
  const line = contextBars({ model: 'a/b', tokens: 0, parts: [], unlisted })[1]
  expect(line).toMatch(
    /^left out: 22 tools, about 2,200 tokens, which search_tools finds: tool_0, .*, tool_19 and 2 more$/,
  )
  const [only] = contextBars({ model: 'a/b', tokens: 0, parts: [], unlisted: unlisted.slice(0, 1) }).slice(1)
  expect(only).toBe('left out: 1 tool, about 100 tokens, which search_tools finds: tool_0')
})
