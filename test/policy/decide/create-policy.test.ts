// Tests the policy of a session: remembered calls, rules that a person confirms, keys of calls, and broken parts.
import { of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { approvalKey } from '../../../lib/policy/decide/approval-key.ts'
import { createPolicy } from '../../../lib/policy/decide/create-policy.ts'
import type { PolicyOptions, SessionPolicy } from '../../../lib/policy/decide/create-policy.ts'
import { createRuleSet, noRules } from '../../../lib/policy/rules/rule-set.ts'
import type { PolicyRequest, PolicyVerdict } from '../../../lib/streams/ports/policy.ts'
import { resultOf } from '../../support/result-of.ts'

const workspace = '/home/ada/project'
const roots = { folder: workspace, home: '/home/ada' }
const surroundings = { workspace, homeFolder: '/home/ada', rxpiFolders: ['/home/ada/.local/state/rxpi'] }

function policyOf(more: Partial<PolicyOptions> = {}): SessionPolicy {
  return createPolicy({ rules: noRules, surroundings, ...more })
}

function bash(command: string, more: Partial<PolicyRequest> = {}): PolicyRequest {
  return { tool: { name: 'bash', capability: 'exec' }, args: { command }, cwd: workspace, mode: 'writes', isSandboxed: false, ...more } // prettier-ignore
}

const decision = async (policy: SessionPolicy, request: PolicyRequest): Promise<PolicyVerdict['decision']> =>
  (await resultOf(policy.decide(request))).decision

describe('the key of a call', () => {
  it('is the same for the same call, in any order of its arguments [S5e]', () => {
    const one = bash('ls', { args: { command: 'ls', options: { a: 1, b: [2] } } })
    const same = bash('ls', { args: { options: { b: [2], a: 1 }, command: 'ls', timeout: undefined } })
    expect(approvalKey(one)).toBe(approvalKey(same))
    expect(approvalKey(one)).toMatch(/^[0-9a-f]{64}$/)
  })

  it.each<[string, PolicyRequest]>([
    ['tool', { ...bash('ls'), tool: { name: 'shell', capability: 'exec' } }],
    ['argument', bash('ls -l')],
    ['further argument', bash('ls', { args: { command: 'ls', background: true } })],
    ['folder', bash('ls', { cwd: '/home/ada' })],
    ['sandbox', bash('ls', { isSandboxed: true })],
    ['order of a list', bash('ls', { args: { command: 'ls', list: [2, 1] } })],
  ])('changes with another %s [S5e]', (_, other) => {
    const call = bash('ls', { args: { command: 'ls', list: [1, 2] } })
    expect(approvalKey(call)).not.toBe(approvalKey(other))
    expect(approvalKey(bash('ls'))).not.toBe(approvalKey(other))
  })
})

describe('a remembered call', () => {
  it('runs again unasked, and nothing else does [S5e]', async () => {
    const policy = policyOf()
    const call = bash('npm test')
    expect(await decision(policy, call)).toBe('ask')
    policy.rememberCall(call)
    expect(await resultOf(policy.decide(bash('npm test')))).toMatchObject({ decision: 'allow', by: 'remembered' })
    expect(await decision(policy, bash('npm test -- --watch'))).toBe('ask')
    expect(await decision(policy, bash('npm test', { cwd: '/tmp' }))).toBe('ask')
    expect(await decision(policyOf(), call)).toBe('ask')
  })

  it('lowers no critical command, no protected file and no rule', async () => {
    const policy = policyOf({ rules: createRuleSet({ ask: ['bash(git push *)'], deny: ['bash(npm publish *)'] }, roots, { source: 'user', file: '/s' }) }) // prettier-ignore
    const calls = ['rm -rf ~', 'echo x > .envrc', 'git push origin', 'npm publish', 'echo x > .git/hooks/pre-push']
    for (const call of calls) policy.rememberCall(bash(call))
    const decisions = await Promise.all(calls.map((call) => decision(policy, bash(call))))
    expect(decisions).toEqual(['ask', 'ask', 'ask', 'deny', 'deny'])
  })

  it('does not count while the session may run other programs [S16c]', async () => {
    const policy = policyOf()
    policy.rememberCall(bash('npm test'))
    expect(await decision(policy, bash('npm test'))).toBe('allow')
    const changed = bash('npm test', { changed: ['PATH'] })
    const verdict = await resultOf(policy.decide(changed))
    expect(verdict).toMatchObject({ decision: 'ask', reason: expect.stringContaining('Earlier commands changed PATH.') as string }) // prettier-ignore
    expect(verdict).not.toHaveProperty('pattern')
  })
})

describe('a confirmed rule', () => {
  it('counts from then on, for this session', async () => {
    const policy = policyOf()
    const requests = await resultOf(policy.decide(bash('npm run build')))
    expect(requests).toMatchObject({ decision: 'ask', pattern: 'bash(npm run *)' })
    await resultOf(policy.addPattern('bash(npm run *)', 'session'))
    expect(await resultOf(policy.decide(bash('npm run lint')))).toMatchObject({ decision: 'allow', by: 'rule', rule: 'bash(npm run *)' }) // prettier-ignore
    expect(await decision(policyOf(), bash('npm run lint'))).toBe('ask')
  })

  it('is stored if it is for always, and does not count if that fails', async () => {
    const stored: string[] = []
    const policy = policyOf({
      remember: (rule) => {
        stored.push(rule)
        return of(createRuleSet({ allow: [rule] }, roots, { source: 'remembered', file: '/a' }))
      },
    })
    await resultOf(policy.addPattern('bash(npm run *)', 'always'))
    expect([stored, await decision(policy, bash('npm run x'))]).toEqual([['bash(npm run *)'], 'allow'])
    const failing = policyOf({ remember: () => throwError(() => new Error('full')) })
    await expect(resultOf(failing.addPattern('bash(ls)', 'always'))).rejects.toThrow('full')
    expect(await decision(failing, bash('ls'))).toBe('ask')
  })

  it('that is none is refused, and so is storing without a place', async () => {
    await expect(resultOf(policyOf().addPattern('bash(', 'session'))).rejects.toMatchObject({ code: 'bad_request' })
    await expect(resultOf(policyOf().addPattern('bash(ls)', 'always'))).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('never loosens by addRules what a deny rule refuses', async () => {
    const policy = policyOf()
    policy.addRules(createRuleSet({ allow: ['bash'], deny: ['bash(rm *)'] }, roots, { source: 'session', file: 'x' }))
    expect([await decision(policy, bash('rm x')), await decision(policy, bash('ls'))]).toEqual(['deny', 'allow'])
  })
})

describe('the port', () => {
  it('decides once and at once when its parts are loaded, and runs nothing before it is subscribed to', async () => {
    await resultOf(policyOf().decide(bash('ls'))) // loads the parser
    const verdicts: PolicyVerdict[] = []
    let isComplete = false
    const verdict$ = policyOf().decide(bash('ls'))
    expect(verdicts).toEqual([])
    verdict$.subscribe({ next: (verdict) => verdicts.push(verdict), complete: () => (isComplete = true) })
    expect([verdicts.length, isComplete]).toEqual([1, true])
  })

  it('turns an error of its own into a denial', async () => {
    const args = { get path(): string { throw new Error('broken arguments') } } // prettier-ignore
    const verdict = await resultOf(
      policyOf().decide({ ...bash('ls'), tool: { name: 'read', capability: 'read' }, args }),
    )
    expect(verdict).toMatchObject({ decision: 'deny', by: 'protected', reason: 'The policy could not decide: broken arguments.' }) // prettier-ignore
  })
})
