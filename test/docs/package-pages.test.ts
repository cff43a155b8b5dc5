// Tests that the package carries each page that docs/README.md lists for users.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('each page of “Use rxpi” is in the package, and no other page', () => {
  const [, table = ''] = /## Use rxpi\n([^]*?)\n## /.exec(readFileSync('docs/README.md', 'utf8')) ?? []
  const pages = [...table.matchAll(/\]\(([\w-]+\.md)\)/g)].map(([, page = '']) => `docs/${page}`)
  const { files } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly files: readonly string[] }
  const carried = files.filter((file) => file.endsWith('.md'))
  expect(carried.toSorted()).toEqual(['docs/README.md', ...pages].toSorted())
})
