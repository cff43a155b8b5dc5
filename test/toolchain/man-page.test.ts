// Tests that docs/rxpi.1 matches the texts of --help.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it, test } from 'vitest'
import { helpTexts } from '../../app/cli/help/help.ts'
import { manPage, manPageFile } from '../../scripts/pages/man-page.ts'

test('docs/rxpi.1 matches the texts of --help', () => {
  expect(readFileSync(manPageFile, 'utf8')).toBe(manPage())
})

const { status } = spawnSync('groff', ['--version'])

it.skipIf(status !== 0)('shows each line of a text as it is', () => {
  const options = ['-man', '-Tutf8', '-K', 'utf8', '-P-cbou', '-rLL=200n', '-ww']
  const { stdout, stderr } = spawnSync('groff', options, { input: manPage(), encoding: 'utf8' })
  expect(stderr).toBe('')
  const shown = stdout.split('\n').map((line) => line.trim())
  for (const line of helpTexts.sessions.trim().split('\n')) expect(shown).toContain(line.trim())
})
