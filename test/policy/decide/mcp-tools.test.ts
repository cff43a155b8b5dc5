// Tests decisions about tools of MCP servers: asked by default, and approvals bound to the tool as it was.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createPolicy } from '../../../lib/policy/decide/create-policy.ts'
import type { SessionPolicy } from '../../../lib/policy/decide/create-policy.ts'
import { approvalsFile, readRememberedRules, rememberRule } from '../../../lib/policy/rules/remembered-rules.ts'
import { createRuleSet, joinRuleSets } from '../../../lib/policy/rules/rule-set.ts'
import type { ApprovalMode, PolicyRequest } from '../../../lib/streams/ports/policy.ts'
import type { Permissions } from '../../../lib/streams/config/permissions.ts'
import { resultOf } from '../../support/result-of.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-mcp-policy-'))
})
afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

const workspace = '/home/ada/project'
const roots = { folder: workspace, home: '/home/ada' }
const [before, after] = ['a'.repeat(64), 'b'.repeat(64)]

/** The policy of a session that opens now. */
function policyOf(permissions: Permissions = {}): SessionPolicy {
  const written = createRuleSet(permissions, roots, { source: 'user', file: '/settings' })
  return createPolicy({
    rules: joinRuleSets(written, readRememberedRules(home, roots)),
    surroundings: { workspace, homeFolder: '/home/ada', rxpiFolders: [home] },
    remember: (rule, digest) => rememberRule(rule, 'folder', roots, { home, exclusively: (_, work) => work(), digest }),
  })
}

function call(digest = before, more: Partial<PolicyRequest> = {}): PolicyRequest {
  const mcp = { server: 'github', tool: 'search', digest }
  const tool = { name: 'mcp__github__search', capability: 'exec' as const, mcp }
  return { tool, args: { query: 'rx' }, cwd: workspace, mode: 'writes', isSandboxed: false, ...more }
}

const verdictOf = (policy: SessionPolicy, request: PolicyRequest) => resultOf(policy.decide(request))

describe('a tool of an MCP server', () => {
  it.each<[ApprovalMode, string]>([
    ['ask', 'ask'],
    ['writes', 'ask'],
    ['auto', 'allow'],
  ])('in the mode %s: %s', async (mode, decision) => {
    expect(await verdictOf(policyOf(), call(before, { mode }))).toMatchObject({ decision })
  })

  it('is asked about by its server and its whole name', async () => {
    const verdict = await verdictOf(policyOf(), call(before, { args: { command: 'npm test' } }))
    expect(verdict.pattern).toBe('mcp__github__search')
    expect((await verdictOf(policyOf(), call())).reason).toContain('a tool of the MCP server github')
  })

  it.each<[string, Permissions, string]>([
    ['a server', { allow: ['mcp__github'] }, 'allow'],
    ['all of a server', { allow: ['mcp__github__*'] }, 'allow'],
    ['the tool', { allow: ['mcp__github__search'] }, 'allow'],
    ['another server', { allow: ['mcp__gitlab'] }, 'ask'],
    ['a denied tool', { allow: ['mcp__github'], deny: ['mcp__github__search'] }, 'deny'],
    ['a tool that asks', { allow: ['mcp__github'], ask: ['mcp__github__search'] }, 'ask'],
  ])('heeds a rule of the settings about %s', async (_, permissions, decision) => {
    expect((await verdictOf(policyOf(permissions), call())).decision).toBe(decision)
  })
})

describe('an approval of a tool of an MCP server', () => {
  it('counts for the tool as it was, also in later sessions, and says when the tool has changed', async () => {
    const policy = policyOf()
    await resultOf(policy.addPattern('mcp__github__search', 'always', call()))
    for (const each of [policy, policyOf()]) {
      expect(await verdictOf(each, call(before, { args: { query: 'other' } }))).toMatchObject({ decision: 'allow' })
      const verdict = await verdictOf(each, call(after))
      expect(verdict.decision).toBe('ask')
      expect(verdict.reason).toContain('its server has changed its description')
    }
    await resultOf(policy.addPattern('mcp__github__search', 'always', call(after)))
    const decisions = await Promise.all([before, after].map((digest) => verdictOf(policyOf(), call(digest))))
    expect(decisions.map(({ decision }) => decision)).toEqual(['ask', 'allow'])
  })

  it('for the session, and of one call, ends with a change too [MCP-tools-changed]', async () => {
    const [pattern, once] = [policyOf(), policyOf()]
    await resultOf(pattern.addPattern('mcp__github__search', 'session', call()))
    once.rememberCall(call())
    for (const policy of [pattern, once]) {
      expect((await verdictOf(policy, call())).decision).toBe('allow')
      expect((await verdictOf(policy, call(after))).decision).toBe('ask')
    }
  })

  it.each(['mcp__github__*', 'mcp__github', 'mcp__*', 'mcp__github__other'])(
    'is refused for the wider pattern %s',
    async (pattern) => {
      const refusal = { code: 'bad_request', message: expect.stringContaining('permissions.allow') as string }
      for (const scope of ['session', 'always'] as const)
        await expect(resultOf(policyOf().addPattern(pattern, scope, call()))).rejects.toMatchObject(refusal)
      const bash = { ...call(), tool: { name: 'bash', capability: 'exec' as const } }
      await expect(resultOf(policyOf().addPattern(pattern, 'session', bash))).rejects.toMatchObject(refusal)
    },
  )

  it('needs a digest: a rule that a file of approvals has without one does not count', async () => {
    writeFileSync(approvalsFile(home), JSON.stringify({ version: 1, everywhere: ['mcp__github', '*'], folders: {} }))
    expect((await verdictOf(policyOf(), call())).decision).toBe('ask')
    await resultOf(policyOf().addPattern('mcp__github__search', 'always', call()))
    const stored: unknown = JSON.parse(readFileSync(approvalsFile(home), 'utf8'))
    expect(stored).toMatchObject({ everywhere: ['mcp__github', '*'], folders: {}, tools: { [workspace]: { mcp__github__search: before } } }) // prettier-ignore
    writeFileSync(approvalsFile(home), JSON.stringify({ version: 1, tools: { [workspace]: ['x'], other: 1 } }))
    expect(() => policyOf()).toThrow(expect.objectContaining({ code: 'bad_config' }))
  })
})
