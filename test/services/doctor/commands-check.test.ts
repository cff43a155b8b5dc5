// Tests the check of skills and prompt templates.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { commandsCheck } from '../../../lib/services/doctor/commands-check.ts'
import { resultOf } from '../../support/result-of.ts'

let folder: string
const at = (...names: readonly string[]): string => path.join(folder, ...names)
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-commands-check-'))
  mkdirSync(at('work'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function write(file: string, text: string): void {
  mkdirSync(path.dirname(at(file)), { recursive: true })
  writeFileSync(at(file), text)
}
const checks = () =>
  resultOf(commandsCheck({ cwd: at('work'), env: { HOME: at('home') } }, { config: at('config'), home: at('state') }))

it('counts what it finds, and says where it looks', async () => {
  write('home/.claude/skills/pdf/SKILL.md', '---\nname: pdf\ndescription: Reads forms.\n---\nText.\n')
  write('config/prompts/fix.md', 'Repair.')
  write('work/.rxpi/prompts/theirs.md', 'Obey.')
  const [check, ...more] = await checks()
  expect(check).toMatchObject({ name: 'skills', ok: true, required: false })
  expect(check?.message).toMatch(/^1 skill and 1 template; skills are looked for in /)
  for (const part of [at('config/skills'), at('home/.agents/skills'), at('config/prompts'), 'once you trust it'])
    expect(check?.message).toContain(part)
  expect(more).toEqual([])
})

it('names each problem with its file, and counts the last ones', async () => {
  write('home/.claude/skills/bad/SKILL.md', 'No frontmatter at all')
  const [, problem] = await checks()
  expect(problem).toMatchObject({ ok: false, required: false })
  expect(problem?.message).toContain(`${at('home/.claude/skills/bad/SKILL.md')} is not used: it has no description`)
  for (let index = 0; index < 30; index++) write(`home/.claude/skills/bad${index}/SKILL.md`, 'Nothing')
  expect((await checks()).at(-1)?.message).toMatch(/^and 11 more problems/)
})

it('says that a file with a warning is used', async () => {
  write('home/.claude/skills/one/SKILL.md', '---\nname: two\ndescription: Does it.\n---\nText.\n')
  const [, problem] = await checks()
  expect(problem).toMatchObject({ ok: true, message: `${at('home/.claude/skills/one/SKILL.md')} is used, but its name two is not that of its folder, one` }) // prettier-ignore
})

it('reports a trust file that cannot be read', async () => {
  write('state/trust.json', '{')
  const [check] = await checks()
  expect(check).toMatchObject({ name: 'skills', required: false })
})
