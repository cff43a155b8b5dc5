// Tests what the phase of a scenario refuses: tools, capabilities, and commands that are not known as read-only.
import { describe, expect, it } from 'vitest'
import { collectFacts } from '../../../lib/policy/decide/call-facts.ts'
import { decide } from '../../../lib/policy/decide/decide.ts'
import { noRules, createRuleSet } from '../../../lib/policy/rules/rule-set.ts'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'
import type { PolicyPhase, PolicyRequest, PolicyVerdict } from '../../../lib/streams/ports/policy.ts'

const workspace = '/home/ada/project'
const home = '/home/ada'
const plan: PolicyPhase = { scenario: 'plan', name: 'plan', readOnly: true }

function verdict(
  tool: PolicyRequest['tool'],
  args: Record<string, unknown>,
  more: Partial<PolicyRequest> = {},
  rules = noRules,
): PolicyVerdict {
  const request = { tool, args, cwd: workspace, mode: 'auto', isSandboxed: true, phase: plan, ...more } as const
  const { command } = args
  const analysis =
    typeof command === 'string' ? analyseCommand(command, { cwd: workspace, home, workspace }) : undefined
  const surroundings = { workspace, homeFolder: home, rxpiFolders: [] }
  return decide(request, rules, collectFacts(request, surroundings, analysis))
}
const bash = (command: string, more: Partial<PolicyRequest> = {}) =>
  verdict({ name: 'bash', capability: 'exec' }, { command }, more)

describe('a phase that only reads', () => {
  it.each([
    'ls -la src',
    'cat package.json | head -20',
    'git status',
    'git log --oneline -5 -- sub',
    'git -C . log --oneline -5',
    'git -C /home/ada/project status',
    'cd /home/ada/project && git status',
    'cd .. && git status',
    'cd sub && ls && cat .git/HEAD',
    'git --no-pager diff HEAD~1 -- src',
    'git branch -a',
    'git show HEAD:README.md',
    'rg -n "TODO" src',
    'grep -rn plan lib | wc -l',
    "find . -name '*.ts' -not -path './node_modules/*'",
    'sed -n 1,40p lib/index.ts',
    'cd lib && ls',
    'for f in a b; do cat $f; done',
    'wc -l *.ts 2>/dev/null',
    'ls > /dev/null',
    'node --version',
    'sort names.txt | uniq -c',
    'test -f a && echo yes',
    'command -v node',
  ])('lets run: %s', (command) => {
    expect(bash(command)).toMatchObject({ decision: 'allow' })
  })

  it.each([
    'echo a > b',
    "[[ 'a[$(touch x)]' -eq 0 ]]",
    'printf -v PATH %s bin; ls',
    'for PATH in bin; do ls; done',
    'echo a >> b',
    'touch a',
    'rm a',
    'mv a b',
    'mkdir a',
    'npm test',
    'npm install',
    'node build.js',
    'python3 -c "1"',
    './cat a',
    'tee a',
    'sed -i s/a/b/ c',
    "sed -n 'w out' a",
    'find . -delete',
    'find . -exec rm {} +',
    "find . -name '*.log' -fprint out",
    'sort -o a a',
    'uniq a b',
    'git commit -m a',
    'git checkout main',
    'git branch new',
    'git branch -D old',
    'git tag v1',
    'git diff --output=a',
    'git log --outp=a',
    'git diff --ext-diff',
    'git grep -Oless a',
    'git -c core.pager=evil log',
    'cd sub; git status',
    'cd sub && /usr/bin/git diff',
    '(cd sub; git log)',
    'git status; cd sub; git status',
    'for d in a b; do git status; cd $d; done',
    'pushd sub; git log; popd',
    'cd; git status',
    'cd -; git status',
    'cd -P sub; git status',
    'cd "$X"; git status',
    'git -C sub status',
    'git -C .. -C project/sub status',
    'cat $(cd sub; git ls-files)',
    'git stash',
    'git config user.name x',
    'git fetch',
    'rg --pre evil a',
    'rg a *',
    'GIT_PAGER=evil git log',
    'export PATH=/evil; ls',
    'LD_PRELOAD=evil.so ls',
    'cat $(rm a)',
    'ls; rm a',
    'cat() { rm a; }; cat b',
    'alias ls="rm a"; ls',
    'eval "$WHAT"',
    '$TOOL a',
    'sh -c "rm a"',
    'xargs rm < names',
    'curl -o a http://example.com',
    'sudo cat /etc/shadow',
    'date -s 12:00',
    'tree -o out',
    'env evil',
    'kill 1',
    'cat <<EOF > a\nb\nEOF',
    'ls &> log',
    '> a',
  ])('refuses: %s', (command) => {
    expect(bash(command)).toMatchObject({ decision: 'deny' })
    expect(bash(command).reason).toMatch(/^The phase "plan" of the scenario "plan" only /)
  })

  it('refuses git in a folder that an earlier command entered, and says what to do instead [S15e]', () => {
    expect(bash('git status', { cwd: `${workspace}/sub` })).toMatchObject({ decision: 'deny' })
    expect(bash('ls', { cwd: `${workspace}/sub` })).toMatchObject({ decision: 'allow' })
    expect(bash('cd sub; git log').reason).toContain('git obeys the configuration of sub, which may run programs; name the path instead: git log -- PATH') // prettier-ignore
  })

  it('lets reading tools run, and refuses changes, an escalation, and every allow rule for them [S1g]', () => {
    expect(verdict({ name: 'read', capability: 'read' }, { path: 'a' })).toMatchObject({ decision: 'allow' })
    expect(verdict({ name: 'propose_plan', capability: 'read' }, { plan: 'a' })).toMatchObject({ decision: 'allow' })
    const all = createRuleSet({ allow: ['write', 'bash'] }, { folder: workspace, home }, { source: 'user', file: '/s' })
    const write = verdict({ name: 'write', capability: 'write' }, { path: 'a', content: '' }, { mode: 'auto' }, all)
    expect(write).toMatchObject({ decision: 'deny', by: 'scenario' })
    expect(write.reason).toBe('The phase "plan" of the scenario "plan" only reads, and write may change something.')
    const escalate = { command: 'ls', escalate: 'please' }
    expect(verdict({ name: 'bash', capability: 'exec' }, escalate)).toMatchObject({ decision: 'deny', by: 'scenario' })
    expect(bash('ls', { escalates: true })).toMatchObject({ decision: 'deny', by: 'scenario' })
    expect(verdict({ name: 'bash', capability: 'exec' }, escalate, { isSandboxed: false, escalates: true }, all)).toMatchObject({ decision: 'deny', by: 'scenario' }) // prettier-ignore
    expect(bash('ls', { changed: ['PATH'] })).toMatchObject({ decision: 'deny', by: 'scenario' })
    expect(verdict({ name: 'foreign' }, {})).toMatchObject({ decision: 'deny', by: 'scenario' })
    expect(verdict({ name: 'fetch', capability: 'http' }, {})).toMatchObject({ decision: 'deny', by: 'scenario' })
  })
})

describe('a phase with tools or capabilities', () => {
  it('refuses every other tool by name, and says which there are', () => {
    const phase: PolicyPhase = { scenario: 'fix', name: 'look', tools: ['read', 'grep'] }
    const ls = verdict({ name: 'ls', capability: 'read' }, { path: 'a' }, { phase })
    expect(ls).toMatchObject({ decision: 'deny', by: 'scenario' })
    expect(ls.reason).toBe('The phase "look" of the scenario "fix" lets only these tools run: read, grep.')
    expect(verdict({ name: 'grep', capability: 'read' }, { pattern: 'a' }, { phase })).toMatchObject({
      decision: 'allow',
    })
  })

  it('refuses other capabilities, under their earlier names too', () => {
    const phase: PolicyPhase = { scenario: 'fix', name: 'look', capabilities: ['read', 'exec'] }
    expect(bash('npm test', { phase })).toMatchObject({ decision: 'allow' })
    expect(verdict({ name: 'bash', capability: 'execute' }, { command: 'ls' }, { phase })).toMatchObject({ decision: 'allow' }) // prettier-ignore
    expect(verdict({ name: 'write', capability: 'write' }, { path: 'a' }, { phase })).toMatchObject({ decision: 'deny', by: 'scenario' }) // prettier-ignore
  })

  it('allows nothing that the policy refuses or asks', () => {
    const phase: PolicyPhase = { scenario: 'fix', name: 'all' }
    expect(bash('rm -rf /', { phase })).toMatchObject({ decision: 'ask', by: 'class' })
    expect(bash('npm test', { phase, mode: 'ask', isSandboxed: false })).toMatchObject({ decision: 'ask' })
  })
})
