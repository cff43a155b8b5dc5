// Tests decisions: every row of the published tables, each layer alone, and that no added rule opens a hole.
// Over 250 lines: one table of decisions, and each of its layers.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectFacts } from '../../../lib/policy/decide/call-facts.ts'
import { decide } from '../../../lib/policy/decide/decide.ts'
import { createRuleSet } from '../../../lib/policy/rules/rule-set.ts'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'
import { isCoveredBy } from '../../../lib/policy/shell/command-patterns.ts'
import type { Permissions } from '../../../lib/streams/config/permissions.ts'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import type { PolicyRequest, PolicyVerdict } from '../../../lib/streams/ports/policy.ts'
import { calls, columns, rows, verdictOf, verdictOfCall } from '../../../scripts/pages/security-page.ts'
import type { Combination } from '../../../scripts/pages/security-page.ts'

const workspace = '/home/ada/project'
const home = '/home/ada'

interface Situation extends Partial<PolicyRequest> {
  readonly rules?: Permissions
  readonly facts?: { readonly isRemembered?: boolean }
}

function verdict(name: string, args: Record<string, unknown>, situation: Situation = {}): PolicyVerdict {
  const { rules = {}, facts = {}, ...more } = situation
  const capability = ({ read: 'read', grep: 'read', write: 'write', edit: 'write', web_fetch: 'http' } as const)[name] ?? 'exec' // prettier-ignore
  const request: PolicyRequest = { tool: { name, capability }, args, cwd: workspace, mode: 'writes', isSandboxed: false, ...more } // prettier-ignore
  const { command } = args
  const analysis = typeof command === 'string' ? analyseCommand(command, { cwd: workspace, home, workspace }) : undefined // prettier-ignore
  const surroundings = { workspace, homeFolder: home, rxpiFolders: [`${home}/.local/state/rxpi`], readable: ['/spill'] }
  const set = createRuleSet(rules, { folder: workspace, home }, { source: 'user', file: '/settings.json' })
  return decide(request, set, {
    ...collectFacts(request, surroundings, analysis),
    ...facts,
    coversCommand: (patterns, of) => isCoveredBy(patterns, of, { workspace }),
  })
}
const bash = (command: string, situation: Situation = {}) => verdict('bash', { command }, situation)

describe('the published tables', () => {
  /** Written apart from the code: the order of docs/design/security.md#S4 for the command `npm test`. */
  function expected({ deny, ask, allow, hook, mode, isSandboxed }: Combination): string {
    if (deny || hook === 'deny') return 'deny'
    if (ask || hook === 'ask') return 'ask'
    if (allow || mode === 'auto') return 'allow'
    return mode === 'writes' && isSandboxed ? 'allow' : 'ask'
  }
  const combinations = rows.flatMap((row) => columns.map((column) => ({ ...row, ...column })))

  it.each(rows)('deny $deny, ask $ask, allow $allow, hook $hook, in each mode, with and without a sandbox [S4c]', (row) => {
    for (const column of columns)
      expect(verdictOf({ ...row, ...column }).decision, JSON.stringify(column)).toBe(expected({ ...row, ...column }))
  }) // prettier-ignore

  it('has every combination once [S4c]', () => {
    expect(new Set(combinations.map((each) => JSON.stringify(Object.values(each)))).size).toBe(4 * 8 * 6)
  })

  it.each(calls.map(({ words, call }) => ({ words, call })))('$words never runs unasked where it must not', ({ call }) => {
    const decisions = columns.map((column) => verdictOfCall(call, column).decision)
    const strict = columns.map(({ mode }) => approvalModes.indexOf(mode))
    const order = { deny: 0, ask: 1, allow: 2 }
    for (const [one, first] of decisions.entries()) {
      for (const [other, second] of decisions.entries()) {
        const sameSandbox = columns[one]?.isSandboxed === columns[other]?.isSandboxed
        if (sameSandbox && (strict[one] ?? 0) < (strict[other] ?? 0)) expect(order[first]).toBeLessThanOrEqual(order[second]) // prettier-ignore
      }
    }
  }) // prettier-ignore
})

describe('protected files', () => {
  it.each([
    ['read', { path: '~/.ssh/id_rsa' }],
    ['read', { path: '/proc/self/environ' }],
    ['read', { path: '../../../home/ada/.aws/credentials' }],
    ['grep', { pattern: 'x', path: '/home/ada/.ssh' }],
    ['channel_tool', { file: '/home/ada/.local/state/rxpi/auth.json' }],
    ['bash', { command: 'cat ~/.ssh/id_rsa' }],
    ['bash', { command: 'cat ~/.ssh/*' }],
    ['bash', { command: 'sudo cp "$HOME/.aws/credentials" /tmp/x' }],
  ])('%s of %j is denied in every mode, whatever is allowed', (name, args) => {
    for (const mode of approvalModes) {
      for (const isSandboxed of [false, true]) {
        const found = verdict(name, args, { mode, isSandboxed, rules: { allow: ['*', 'bash', 'read'] } })
        expect(found).toMatchObject({ decision: 'deny', by: 'protected' })
      }
    }
  })

  it.each([
    ['write', { path: '.git/hooks/pre-commit' }, 'deny'],
    ['edit', { path: '.git/config' }, 'deny'],
    ['write', { path: '.rxpi/settings.json' }, 'deny'],
    ['write', { path: '/home/ada/.local/state/rxpi/approvals.json' }, 'deny'],
    ['bash', { command: 'echo x > .git/hooks/post-checkout' }, 'deny'],
    ['bash', { command: 'cp evil .rxpi/settings.json' }, 'deny'],
    ['bash', { command: 'rm .gi?' }, 'ask'],
    ['bash', { command: 'rm *' }, 'allow'],
    ['bash', { command: 'rm .git*' }, 'ask'],
    ['write', { path: '.vscode/tasks.json' }, 'ask'],
    ['write', { path: '~/.bashrc' }, 'ask'],
    ['write', { path: 'sub/.envrc' }, 'ask'],
    ['write', { path: '.claude/skills/deploy/SKILL.md' }, 'ask'],
    ['edit', { path: '~/.agents/skills/x/SKILL.md' }, 'ask'],
    ['bash', { command: 'echo x > .claude/commands/x.md' }, 'ask'],
    ['bash', { command: 'cp x .claude/com*/x.md' }, 'ask'],
    ['bash', { command: 'mv evil .agents' }, 'ask'],
    ['bash', { command: 'cat .claude/commands/x.md' }, 'allow'],
  ])('a write by %s %j: %s, and no rule lowers it', (name, args, decision) => {
    const found = verdict(name, args, { mode: 'auto', rules: { allow: ['*', 'write', 'bash'] } })
    expect(found.decision).toBe(decision)
    if (decision !== 'allow') expect(found).toMatchObject({ by: 'protected' })
  })

  it('a path that no system call takes is denied before any rule', () => {
    for (const path of ['a'.repeat(5_000), 'a/'.repeat(300)])
      expect(verdict('read', { path }, { mode: 'auto' }).decision).toBe('deny')
  })
})

describe('the workspace', () => {
  it('reads outside ask, folders that count as inside do not for reads [S6d, S6g]', () => {
    expect(verdict('read', { path: '/etc/hosts' })).toMatchObject({ decision: 'ask', by: 'sandbox', pattern: 'read(/etc/**)' }) // prettier-ignore
    expect(verdict('read', { path: '/spill/a' }).decision).toBe('allow')
    expect(verdict('write', { path: '/spill/a' }, { isSandboxed: true }).decision).toBe('ask')
    expect(verdict('read', { path: 'a' }).decision).toBe('allow')
    expect(verdict('read', { path: '/etc/hosts' }, { rules: { allow: ['read(/etc/**)'] } }).decision).toBe('allow')
  })

  it('a sandbox lets changes and commands run, and leaving it asks [S6d]', () => {
    expect(verdict('write', { path: 'a' }, { isSandboxed: true })).toMatchObject({ decision: 'allow', by: 'sandbox' })
    expect(verdict('write', { path: '/srv/a' }, { isSandboxed: true }).decision).toBe('ask')
    expect(verdict('write', { path: '/srv/a' }, { isSandboxed: true, inside: ['/srv'] }).decision).toBe('allow')
    expect(verdict('write', { path: '/srv/.ssh/../../etc/a' }, { isSandboxed: true, inside: ['/srv'] }).decision).toBe(
      'ask',
    )
    expect(bash('npm test', { isSandboxed: true }).decision).toBe('allow')
    for (const mode of approvalModes) {
      const leaving = verdict('bash', { command: 'npm test', escalate: 'docker' }, { mode, escalates: true })
      expect(leaving).toMatchObject({ decision: 'ask', by: 'sandbox' })
    }
    expect(bash('npm test', { mode: 'auto', escalates: true, rules: { allow: ['bash(npm test)'] } }).decision).toBe('allow') // prettier-ignore
    expect(bash('npm test', { isSandboxed: false }).decision).toBe('ask')
  })
})

describe('commands', () => {
  it.each([
    ['npm test', ['bash(npm test)'], 'allow'],
    ['npm test && rm x', ['bash(npm test)'], 'ask'],
    ['npm test && npm run lint', ['bash(npm test)', 'bash(npm run *)'], 'allow'],
    ['PATH=/tmp npm test', ['bash(npm test)'], 'ask'],
    ['npm test > /etc/x', ['bash(npm test)'], 'ask'],
    ['npm test $(id)', ['bash(npm test *)'], 'ask'],
    ['sudo npm test', ['bash(npm test)'], 'ask'],
    ['rm -rf ~', ['bash'], 'ask'],
    ['anything at all', ['bash'], 'allow'],
  ])('%s with the allow rules %j: %s [S4d]', (command, allow, decision) => {
    expect(bash(command, { rules: { allow } }).decision).toBe(decision)
  })

  it.each([
    ['git push', 'deny'],
    ['cd /tmp && git push origin', 'deny'],
    ['sudo /usr/bin/git push', 'deny'],
    ['sh -c "git push"', 'deny'],
    ['$TOOL push', 'ask'],
    ['eval "$X"', 'ask'],
    ['git pull', 'allow'],
    ['echo "git push"', 'allow'],
  ])('a deny rule finds %s: %s', (command, decision) => {
    expect(bash(command, { mode: 'auto', isSandboxed: true, rules: { deny: ['bash(git push *)'] } }).decision).toBe(decision) // prettier-ignore
  })

  it('a deny rule about files sees the files of a command, also those that are not certain', () => {
    const rules = { deny: ['read(./secrets/**)'] }
    expect(bash('cat secrets/key', { mode: 'auto', rules }).decision).toBe('deny')
    expect(bash('cat secrets/*.pem', { mode: 'auto', rules }).decision).toBe('ask')
    expect(bash('cat src/*.ts', { mode: 'auto', rules }).decision).toBe('allow')
    expect(verdict('grep', { pattern: 'x' }, { rules }).decision).toBe('ask')
    expect(verdict('grep', { pattern: 'x', path: 'src' }, { rules }).decision).toBe('allow')
  })

  it('names class, tier and the rule that a person may add', () => {
    expect(bash('git push --force')).toMatchObject({ decision: 'ask', class: 'history_rewriting', tier: 'medium' })
    expect(bash('npm run test --silent').pattern).toBe('bash(npm run *)')
    expect(bash('python x.py').pattern).toBe('bash(python x.py)')
    expect(bash('git status --short').pattern).toBe('bash(git status *)')
    expect(bash('git config a.b c').pattern).toBeUndefined()
    expect(bash('ls; id').pattern).toBeUndefined()
    expect(bash('rm -rf ~').pattern).toBeUndefined()
    expect(verdict('write', { path: 'src/a.ts' }).pattern).toBe('write(./src/**)')
  })

  it('a pattern that is proposed covers the call that it was proposed for', () => {
    for (const command of [
      'npm run test --silent',
      'cargo build',
      'go test ./...',
      'python x.py',
      'ls -la src',
      'git log -3',
    ]) {
      // prettier-ignore
      const { pattern = '' } = bash(command)
      expect(bash(command, { rules: { allow: [pattern] } })).toMatchObject({ decision: 'allow', rule: pattern })
    }
  })

  it('no allow counts once the session changed where programs come from', () => {
    const rules = { allow: ['bash(npm test)'] }
    const changed = ['GIT_DIR']
    expect(bash('npm test', { rules, changed }).decision).toBe('ask')
    expect(bash('npm test', { changed, facts: { isRemembered: true } }).decision).toBe('ask')
    expect(verdict('write', { path: 'a' }, { rules: { allow: ['write(./**)'] }, changed }).decision).toBe('allow')
  })
})

describe('hooks, tools and approvals', () => {
  it('the allow of a hook lowers nothing, its ask overrides no denial [S4c]', () => {
    const rules = { deny: ['bash(npm test)'] }
    expect(bash('npm test', { rules, hook: { decision: 'ask' } }).decision).toBe('deny')
    expect(bash('npm test', { hook: { decision: 'allow' } }).decision).toBe('ask')
    expect(bash('npm test', { mode: 'auto', hook: { decision: 'deny', reason: 'no' } })).toMatchObject({ decision: 'deny', by: 'hook', reason: 'no' }) // prettier-ignore
  })

  it('a tool that always asks runs unasked only if a rule has its name', () => {
    const tool = { name: 'channel_ed_open', capability: 'read' as const, alwaysAsk: true }
    const of = (allow: string[]) => verdict('x', {}, { tool, mode: 'auto', rules: { allow } }).decision
    expect([of([]), of(['*']), of(['channel_ed_*']), of(['channel_ed_open'])]).toEqual(['ask', 'ask', 'ask', 'allow'])
  })

  it('a remembered approval lowers a question, never a protected file or a critical command', () => {
    const facts = { isRemembered: true }
    expect(bash('npm test', { facts })).toMatchObject({ decision: 'allow', by: 'remembered' })
    expect(bash('rm -rf ~', { facts }).decision).toBe('ask')
    expect(verdict('write', { path: '.envrc' }, { facts }).decision).toBe('ask')
  })

  it.each([
    ['https://docs.example.com/a', 'allow'],
    ['https://example.com.evil.net', 'ask'],
    ['https://example.com', 'ask'],
  ])('a rule about a domain and %s: %s', (url, decision) => {
    const rules = { allow: ['web_fetch(domain:*.example.com)'] }
    expect(verdict('web_fetch', { url }, { mode: 'ask', rules }).decision).toBe(decision)
  })
})

describe('adding rules', () => {
  const rule = fc.constantFrom('*', 'bash', 'read', 'write', 'bash(npm *)', 'bash(* push *)', 'bash(rm *)', 'read(./**)', 'read(**/.env)', 'write(./src/**)', 'edit(*.ts)', 'grep', 'Read(//etc/**)') // prettier-ignore
  const rules = fc.record({ allow: fc.array(rule, { maxLength: 3 }), ask: fc.array(rule, { maxLength: 3 }), deny: fc.array(rule, { maxLength: 3 }) }) // prettier-ignore
  const call = fc.oneof(
    fc.tuple(fc.constant('bash'), fc.record({ command: fc.constantFrom('npm test', 'git push', 'rm x', 'rm -rf ~', 'cat .env', 'cat *', '$X', 'echo a > src/b', 'npm x; rm y') })), // prettier-ignore
    fc.tuple(fc.constantFrom('read', 'write', 'edit', 'grep'), fc.record({ path: fc.constantFrom('.env', 'src/a.ts', '/etc/hosts', '.git/config', '~/.ssh/x', 'a/.env', '.') })), // prettier-ignore
  )
  const situation = fc.record({ mode: fc.constantFrom(...approvalModes), isSandboxed: fc.boolean() })
  const order = { deny: 0, ask: 1, allow: 2 }

  it('of allow never turns a denial into anything else [S4c]', () => {
    fc.assert(
      fc.property(call, situation, rules, rule, ([name, args], where, own, more) => {
        const before = verdict(name, args, { ...where, rules: own }).decision
        const after = verdict(name, args, { ...where, rules: { ...own, allow: [...own.allow, more] } }).decision
        if (before === 'deny') expect(after).toBe('deny')
        expect(order[after]).toBeGreaterThanOrEqual(order[before])
      }),
      { numRuns: 100 },
    )
  })

  it('of deny or ask never loosens a decision [S4c]', () => {
    fc.assert(
      fc.property(
        call,
        situation,
        rules,
        rule,
        fc.constantFrom('ask' as const, 'deny' as const),
        ([name, args], where, own, more, list) => {
          // prettier-ignore
          const before = verdict(name, args, { ...where, rules: own }).decision
          const after = verdict(name, args, { ...where, rules: { ...own, [list]: [...own[list], more] } }).decision
          expect(order[after]).toBeLessThanOrEqual(order[before])
        },
      ),
      { numRuns: 100 },
    )
  })
})
