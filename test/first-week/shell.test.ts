// Tests the first week at the shell, chapter by chapter.
// `npx vitest run test/first-week -u` rewrites the pages.
import { copyFileSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { walk } from '../first-hour/walk.ts'
import { isFull } from '../support/sample-size.ts'
import type { Walk, WalkOptions } from '../first-hour/walk.ts'
import { weekModel } from './week-model.ts'

const model = 'openai/gpt-6-luna'

async function week(options: WalkOptions = {}): Promise<Walk> {
  const begun = await walk({ says: weekModel, ...options })
  await begun.type('pass show openai | rxpi auth set openai >keys.log; rm keys.log')
  begun.place.configure('settings.json', { model })
  return begun
}

const root = dirname(dirname(import.meta.dirname))
/** An extension of pi, without a package: it changes what the person sends. */
const loud = `export default function (pi) {
  pi.on('input', (event) => ({ action: 'transform', text: event.text.toUpperCase() }))
}
`
const agents = 'Run `npm test` before you say that something works.\n'
const skill =
  '---\nname: changelog\ndescription: how to write an entry of the changelog\n---\nOne line an entry, in the past tense.\n'

describe('the first week at the shell', { timeout: 120_000 }, () => {
  it('knows the rules of the house', async () => {
    await using own = await week({ files: { 'AGENTS.md': agents } })
    own.place.write('../.agents/skills/changelog/SKILL.md', skill)
    await own.type('rxpi context | grep -E "instructions|skills"')
    await own.type('rxpi -p "/skill:changelog for sum.js"')
    await expect(own.transcript()).toMatchFileSnapshot('seen/rules.txt')
  })

  it.runIf(isFull)('says what asks, and refuses it without a person', async () => {
    await using own = await week()
    await own.type(`rxpi policy explain edit '{"path":"sum.js","edits":[{"oldText":"1","newText":"0"}]}' --approve ask`)
    await own.type(`rxpi policy explain bash '{"command":"git push --force"}' --approve ask`)
    await own.type('rxpi -p "Fix the failing test" --approve ask')
    await own.type('git status --short')
    await expect(own.transcript()).toMatchFileSnapshot('seen/approvals.txt')
  })

  it.runIf(isFull)('plans, then builds', async () => {
    await using own = await week()
    await own.type('rxpi --scenario plan -p "Plan the repair"')
    await own.type('git status --short')
    await own.type('rxpi -c --scenario plan:build -p "Fix the failing test"')
    await own.type('git diff --stat')
    await expect(own.transcript()).toMatchFileSnapshot('seen/plan.txt')
  })

  it('has a long session, which is summarised twice and undone once', async () => {
    await using own = await week()
    await own.type('rxpi -p "Fix the failing test"')
    await own.type('rxpi -c -p "Thank you"')
    await own.type('rxpi compact')
    await own.type('rxpi -c -p "What else?"')
    await own.type('rxpi compact')
    await own.type('rxpi -c -p "And now?"')
    await own.type('rxpi sessions tree')
    await own.type('rxpi sessions undo')
    await own.type('rxpi sessions tree')
    await expect(own.transcript()).toMatchFileSnapshot('seen/long-session.txt')
  })

  it.runIf(isFull)('uses an MCP server', async () => {
    await using own = await week({ files: { 'notes.md': 'Ask Ada.\n' } })
    await own.type('rxpi mcp add notes -- mcp-server-filesystem .')
    await own.type('rxpi mcp test notes | head -4')
    await own.type('rxpi -p "Read the notes of the server"')
    await own.type(`rxpi policy explain mcp__notes__read_text_file '{"path":"notes.md"}' --approve writes`)
    await expect(own.transcript()).toMatchFileSnapshot('seen/mcp.txt')
  })

  it.runIf(isFull)('trusts an extension of its own, and runs one of pi', async () => {
    await using own = await week({ files: { 'loud.ts': loud } })
    mkdirSync(join(own.place.config, 'extensions'))
    copyFileSync(join(root, 'examples/extensions/checksum.ts'), join(own.place.config, 'extensions/checksum.ts'))
    await own.type('rxpi extensions list')
    await own.type('rxpi extensions trust checksum --reason "I read it"')
    await own.type('rxpi -p "Take the checksum"')
    await own.type('rxpi -e loud.ts -p "Say it loud"')
    await own.type('rxpi extensions trust ./loud.ts')
    await own.type('rxpi -e loud.ts -p "Say it loud"')
    await expect(own.transcript()).toMatchFileSnapshot('seen/extensions.txt')
  })

  it.runIf(isFull)('starts a job in the evening, and looks at it in the morning', async () => {
    await using own = await week()
    await own.type('rxpi -p "Watch the clock in the background"')
    await own.type('rxpi -c -p "Good morning"')
    await own.type('rxpi sessions show | tail -4')
    await expect(own.transcript()).toMatchFileSnapshot('seen/jobs.txt')
  })
})
