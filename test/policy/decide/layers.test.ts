// Decides every combination of deny, ask, allow, hook, mode and sandbox by the Policy port, for three kinds of calls.
import { lastValueFrom } from 'rxjs'
import { expect, it } from 'vitest'
import { createPolicy } from '../../../lib/policy/decide/create-policy.ts'
import { createRuleSet } from '../../../lib/policy/rules/rule-set.ts'
import type { PolicyVerdict } from '../../../lib/streams/ports/policy.ts'
import { columns, rows, verdictOf } from '../../../scripts/pages/security-page.ts'
import type { Combination } from '../../../scripts/pages/security-page.ts'

const workspace = '/home/ada/project'
const home = '/home/ada'
const nothing: PolicyVerdict = { decision: 'allow', by: 'test', reason: 'The policy decided nothing.' }

/** The rules match every command, the hook answers about each. */
async function decide(command: string, combination: Combination): Promise<PolicyVerdict['decision']> {
  const { deny, ask, allow, hook, mode, isSandboxed } = combination
  const list = (isThere: boolean): string[] => (isThere ? ['bash'] : [])
  const rules = createRuleSet({ deny: list(deny), ask: list(ask), allow: list(allow) }, { folder: workspace, home }, { source: 'user', file: '/s' }) // prettier-ignore
  const policy = createPolicy({ rules, surroundings: { workspace, homeFolder: home, rxpiFolders: [] } })
  const request = { tool: { name: 'bash', capability: 'exec' }, args: { command }, cwd: workspace, mode, isSandboxed, ...(hook && { hook: { decision: hook } }) } as const // prettier-ignore
  return (await lastValueFrom(policy.decide(request), { defaultValue: nothing })).decision
}

const combinations = rows.flatMap((row) => columns.map((column): Combination => ({ ...row, ...column })))

it.each<[kind: string, command: string, expected: (combination: Combination) => string]>([
  ['an ordinary command, as the published table says', 'npm test', (combination) => verdictOf(combination).decision],
  ['a critical command: at least a question', 'rm -rf ~', ({ deny, hook }) => (deny || hook === 'deny' ? 'deny' : 'ask')], // prettier-ignore
  ['a command that reads a key: never', 'cat ~/.ssh/id_rsa', () => 'deny'],
])('%s [S4c]', async (_kind, command, expected) => {
  expect(combinations).toHaveLength(192)
  for (const combination of combinations)
    expect(await decide(command, combination), JSON.stringify(combination)).toBe(expected(combination))
})
