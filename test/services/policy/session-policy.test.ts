// Tests the policy of a session on this machine: the files it reads, what it protects, and when it reads them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionPolicy } from '../../../lib/policy/decide/create-policy.ts'
import { openingMode, openPolicy } from '../../../lib/services/policy/session-policy.ts'
import type { SessionPolicySetup } from '../../../lib/services/policy/session-policy.ts'
import type { Permissions } from '../../../lib/streams/config/permissions.ts'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import type { PolicyRequest } from '../../../lib/streams/ports/policy.ts'
import { resultOf } from '../../support/result-of.ts'

let top = ''
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-policy-')))
  for (const name of ['work', 'state', 'config', 'own']) mkdirSync(path.join(top, name))
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})
const at = (...names: string[]) => path.join(top, ...names)

function open(
  permissions: Permissions = {},
  more: Partial<Pick<SessionPolicySetup, 'sessionId' | 'env' | 'extensionSkills'>> = {},
) {
  return resultOf(openPolicy({ cwd: at('work'), env: {}, settings: { permissions }, home: at('state'), config: at('config'), ...more })) // prettier-ignore
}

async function decide(policy: SessionPolicy, name: string, args: Record<string, unknown>) {
  const capability = ({ read: 'read', write: 'write' } as const)[name] ?? 'exec'
  const request: PolicyRequest = { tool: { name, capability }, args, cwd: at('work'), mode: 'auto', isSandboxed: true }
  return (await resultOf(policy.decide(request))).decision
}

describe('the policy of a session', () => {
  it('has the rules of its opening; a change on disk counts for later sessions only [S14b]', async () => {
    const policy = await open({ ask: ['bash(ls *)'] })
    expect(await decide(policy, 'bash', { command: 'ls a' })).toBe('ask')
    writeFileSync(at('state', 'approvals.json'), JSON.stringify({ version: 1, everywhere: ['bash'] }))
    writeFileSync(at('config', 'settings.json'), '{}')
    expect(await decide(policy, 'bash', { command: 'ls a' })).toBe('ask')
    expect(await decide(await open(), 'bash', { command: 'ls a' })).toBe('allow')
  })

  it('protects rxpi’s folders, also by their links, and git’s hooks wherever they are [S14a]', async () => {
    symlinkSync(at('state'), at('link'))
    mkdirSync(at('work', '.git'))
    writeFileSync(at('work', '.git', 'HEAD'), 'ref: refs/heads/main\n')
    writeFileSync(at('work', '.git', 'config'), '[core]\n\thooksPath = ../own\n')
    const policy = await open({ allow: ['write', 'bash'] })
    const files = [at('state', 'approvals.json'), at('link', 'x'), at('config', 'settings.json'), at('own', 'pre-commit'), '.git/hooks/x', '.rxpi/x'] // prettier-ignore
    for (const file of files) expect(await decide(policy, 'write', { path: file }), file).toBe('deny')
    expect(await decide(policy, 'bash', { command: `cp x ${at('own')}/pre-commit` })).toBe('deny')
    expect(await decide(policy, 'write', { path: 'src/main.ts' })).toBe('allow')
  })

  it('lets no allowed command write through a link out of the workspace unasked [S4d]', async () => {
    symlinkSync(at('own'), at('work', 'out'))
    symlinkSync('.', at('work', 'here'))
    const policy = await open({ allow: ['bash(echo *)', 'bash(cd *)'] })
    const decided = (command: string) =>
      resultOf(policy.decide({ tool: { name: 'bash', capability: 'exec' }, args: { command }, cwd: at('work'), mode: 'writes', isSandboxed: false })) // prettier-ignore
    for (const command of [
      'echo x > out/y',
      'echo x > out/../other/y',
      `cd ${at('own')} && echo x > y; cd ${at('work')}`,
    ])
      expect((await decided(command)).decision, command).toBe('ask')
    const own = path.basename(at('work'))
    for (const command of ['echo x > y', 'echo x > here/y', `cd here && echo x > ../${own}/y`])
      expect((await decided(command)).decision, command).toBe('allow')
  })

  it('protects keys below the HOME of the client and of the user, and knows only variables that hold no secret', async () => {
    const policy = await open({ allow: ['bash', 'read'] }, { env: { HOME: at('own'), TOKEN: 'hunter2-hunter2' } })
    expect(await decide(policy, 'bash', { command: 'cat ~/.ssh/id_rsa' })).toBe('deny')
    expect(await decide(policy, 'read', { path: at('own', '.aws', 'credentials') })).toBe('deny')
    expect(await decide(policy, 'read', { path: path.join(homedir(), '.ssh', 'id_rsa') })).toBe('deny')
    const request: PolicyRequest = { tool: { name: 'bash', capability: 'exec' }, args: { command: 'rm -rf "$TOKEN"' }, cwd: at('work'), mode: 'ask', isSandboxed: false } // prettier-ignore
    expect(JSON.stringify(await resultOf(policy.decide(request)))).not.toContain('hunter2')
  }) // prettier-ignore

  it('counts stored outputs of its own session as inside, and of no other', async () => {
    const policy = await open({}, { sessionId: 'abcdefghij23' })
    const read = (file: string) =>
      resultOf(policy.decide({ tool: { name: 'read', capability: 'read' }, args: { path: file }, cwd: at('work'), mode: 'writes', isSandboxed: false })) // prettier-ignore
    expect((await read(at('state', 'spill', 'abcdefghij23', 'a.txt'))).decision).toBe('allow')
    expect((await read(at('state', 'spill', 'bcdefghij234', 'a.txt'))).decision).toBe('ask')
  })

  it('lets skills of extensions be read while they are there, but no keys below them', async () => {
    let folders = [at('own')]
    const policy = await open({}, { env: { HOME: at('own') }, extensionSkills: () => folders })
    const read = async (file: string) =>
      (await resultOf(policy.decide({ tool: { name: 'read', capability: 'read' }, args: { path: file }, cwd: at('work'), mode: 'writes', isSandboxed: false }))).decision // prettier-ignore
    expect(await read(at('own', 'pdf', 'SKILL.md'))).toBe('allow')
    expect(await read(at('own', '.ssh', 'id_rsa'))).toBe('deny')
    folders = []
    expect(await read(at('own', 'pdf', 'SKILL.md'))).toBe('ask')
  })

  it('stores a pattern that a person confirmed for always, for its folder [S3c]', async () => {
    const policy = await open({}, { sessionId: 'abcdefghij23' })
    await resultOf(policy.addPattern('bash(npm run *)', 'always'))
    const call: PolicyRequest = { tool: { name: 'bash', capability: 'exec' }, args: { command: 'npm run x' }, cwd: at('work'), mode: 'writes', isSandboxed: false } // prettier-ignore
    expect((await resultOf((await open()).decide(call))).decision).toBe('allow')
    expect((await resultOf(policy.decide(call))).decision).toBe('allow')
  })

  it('does not open with a rule that misses its example [POLICY-examples]', async () => {
    await expect(open({ deny: [{ rule: 'bash(rm *)', match: ['rmdir x'] }] })).rejects.toMatchObject({
      code: 'bad_config',
      message: `${at('config', 'settings.json')}: the rule "bash(rm *)" in permissions.deny[0] is not valid: it does not match its example "rmdir x"`,
    })
  })
})

describe('the mode of an opening', () => {
  it('is that of the command, else the stricter of settings and log: a log loosens nothing [S1b]', () => {
    for (const configured of approvalModes) {
      for (const logged of approvalModes) {
        const strictest = approvalModes.find((mode) => mode === configured || mode === logged)
        expect(openingMode(undefined, { approve: configured }, logged)).toBe(strictest)
        for (const requested of approvalModes)
          expect(openingMode(requested, { approve: configured }, logged)).toBe(requested)
      }
      expect(openingMode(undefined, { approve: configured })).toBe(configured)
    }
    expect(openingMode(undefined, {})).toBe('writes')
  })
})
