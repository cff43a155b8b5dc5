// DECISIONS.md is read by number: each stands once, in order, with its status.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const text = readFileSync('DECISIONS.md', 'utf8')
const heads = [...text.matchAll(/^## (.*)$/gm)].map(([, head = '']) => head)

it('numbers each decision once, newest last, and says whether it holds', () => {
  const form = /^(\d+)\. .+ — (in force|for now|until \d+)(, .+)?$/
  expect(heads.filter((head) => !form.test(head))).toEqual([])
  const numbers = heads.map((head) => Number(form.exec(head)?.[1]))
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
})

it('names no decision that is not there', () => {
  const known = new Set(heads.map((head) => head.split('.')[0]))
  const named = [...text.matchAll(/(?:DECISIONS |— until |since )(\d{1,2})\b/g)].map(([, number]) => number)
  expect(named.filter((number) => !known.has(number ?? ''))).toEqual([])
})
