// Tests which calls a rule is about: by tool, by kind of access, by path, by host; and which rule lowers a question.
import { describe, expect, it } from 'vitest'
import { collectFacts } from '../../../lib/policy/decide/call-facts.ts'
import { decide } from '../../../lib/policy/decide/decide.ts'
import { coveringRule, firstMatch, hidesCommands } from '../../../lib/policy/decide/match-rules.ts'
import { createRuleSet } from '../../../lib/policy/rules/rule-set.ts'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'
import { isCoveredBy } from '../../../lib/policy/shell/command-patterns.ts'
import type { Permissions } from '../../../lib/streams/config/permissions.ts'
import type { PolicyRequest } from '../../../lib/streams/ports/policy.ts'

const workspace = '/home/ada/project'
const home = '/home/ada'
const roots = { folder: workspace, home }
const origin = { source: 'user', file: '/settings.json' } as const
const surroundings = { workspace, homeFolder: home, rxpiFolders: [`${home}/.local/state/rxpi`], readable: [] }
const capabilities = {
  read: 'read',
  grep: 'read',
  find: 'read',
  look: 'read',
  write: 'write',
  edit: 'write',
  web_fetch: 'http',
  push: 'http',
  bash: 'exec',
} as const

interface Call {
  readonly tool: keyof typeof capabilities
  readonly args: Record<string, unknown>
  readonly more?: Partial<PolicyRequest>
}

const requestOf = ({ tool, args, more = {} }: Call): PolicyRequest => {
  const named = { name: tool, capability: capabilities[tool] }
  return { tool: named, args, cwd: workspace, mode: 'writes', isSandboxed: false, ...more }
}

function factsOf(call: Call) {
  const { command } = call.args
  const analysis =
    typeof command === 'string' ? analyseCommand(command, { cwd: workspace, home, workspace }) : undefined
  return collectFacts(requestOf(call), surroundings, analysis)
}

const rulesOf = (permissions: Permissions) => createRuleSet(permissions, roots, origin)

/** Whether the deny rule is about the call. */
const matchOf = (rule: string, call: Call): string =>
  firstMatch(rulesOf({ deny: [rule] }).deny, requestOf(call), factsOf(call))?.match ?? 'no'

/** The text of the allow rule that lowers a question about the call. */
const coverOf = (allow: readonly string[], call: Call): string | undefined =>
  coveringRule(rulesOf({ allow: [...allow] }).allow, requestOf(call), factsOf(call), (patterns, of) =>
    isCoveredBy(patterns, of, { workspace }),
  )?.text

const verdictOf = (permissions: Permissions, call: Call) =>
  decide(requestOf(call), rulesOf(permissions), { ...factsOf(call), coversCommand: () => false })

const read = (path: string): Call => ({ tool: 'read', args: { path } })
const edit = (path: string): Call => ({ tool: 'edit', args: { path } })
const write = (path: string): Call => ({ tool: 'write', args: { path } })
const fetch = (url: string): Call => ({ tool: 'web_fetch', args: { url } })
const bash = (command: string): Call => ({ tool: 'bash', args: { command } })

describe('a deny rule without a pattern', () => {
  it.each<[string, string, Call, string]>([
    ['read', 'the tool itself', read('a'), 'yes'],
    ['read', 'another tool that reads', { tool: 'grep', args: { pattern: 'x', path: 'a' } }, 'yes'],
    ['read', 'the read of an edit', edit('a'), 'yes'],
    ['read', 'a tool that only writes', write('a'), 'no'],
    ['read', 'a command, which has rules of its own', bash('cat a'), 'no'],
    ['read', 'a request to the network', fetch('https://example.com'), 'no'],
    ['write', 'the tool itself', write('a'), 'yes'],
    ['write', 'another tool that changes', edit('a'), 'yes'],
    ['edit', 'a tool that writes', write('a'), 'yes'],
    ['write', 'a tool that only reads', read('a'), 'no'],
    ['write', 'a command', bash('echo x > a'), 'no'],
    ['grep', 'that tool', { tool: 'grep', args: { pattern: 'x' } }, 'yes'],
    ['grep', 'another tool that reads', read('a'), 'no'],
    ['web_*', 'a tool with such a name', fetch('https://example.com'), 'yes'],
    ['web_*', 'a tool with another one', { tool: 'push', args: {} }, 'no'],
    ['read', 'the tool without a file', { tool: 'read', args: {} }, 'yes'],
    ['write', 'the tool without a file', { tool: 'write', args: {} }, 'yes'],
  ])('%s and %s', (rule, _, call, expected) => {
    expect(matchOf(rule, call)).toBe(expected)
  })
})

describe('a deny rule about a path', () => {
  it.each<[string, string, Call, string]>([
    ['read(./secrets/**)', 'a read of it', read('secrets/key'), 'yes'],
    ['read(./secrets/**)', 'another file', read('src/key'), 'no'],
    ['read(./secrets/**)', 'a write of it', write('secrets/key'), 'no'],
    ['write(./src/**)', 'a write of it', write('src/a.ts'), 'yes'],
    ['write(./src/**)', 'a read of it', read('src/a.ts'), 'no'],
    ['grep(./secrets/**)', 'that tool in it', { tool: 'grep', args: { pattern: 'x', path: 'secrets/a' } }, 'yes'],
    ['grep(./secrets/**)', 'that tool above it', { tool: 'grep', args: { pattern: 'x', path: '.' } }, 'maybe'],
    ['grep(./secrets/**)', 'another tool in it', read('secrets/key'), 'no'],
    ['read(./secrets/**)', 'a tool that only names a folder above it', { tool: 'find', args: { path: '.' } }, 'no'],
    ['read(./secrets/**)', 'one of two files', { tool: 'look', args: { paths: ['a', 'secrets/key'] } }, 'yes'],
    ['read(./secrets/**)', 'a command that reads it by a pattern', bash('cat secrets/*'), 'maybe'],
    ['write(./secrets/**)', 'a command that reads it by a pattern', bash('cat secrets/*'), 'no'],
  ])('%s and %s', (rule, _, call, expected) => {
    expect(matchOf(rule, call)).toBe(expected)
  })
})

describe('a deny rule about a host', () => {
  it.each<[string, Call, string]>([
    ['that host', fetch('https://example.com/a'), 'yes'],
    ['that host with a dot at its end', fetch('https://EXAMPLE.com./a'), 'yes'],
    ['another host', fetch('https://example.org/a'), 'no'],
    ['no host that can be read', { tool: 'web_fetch', args: {} }, 'maybe'],
    ['another tool', { tool: 'push', args: { url: 'https://example.com' } }, 'no'],
  ])('and %s', (_, call, expected) => {
    expect(matchOf('web_fetch(domain:example.com)', call)).toBe(expected)
  })
})

describe('a deny rule about a command', () => {
  it('may match a call whose command was not read', () => {
    const request = requestOf(bash('git push'))
    const { deny } = rulesOf({ deny: ['bash(git push *)'] })
    expect(firstMatch(deny, request, { files: [] })?.match).toBe('maybe')
  })

  it.each([
    ['a fault of syntax', 'echo "'],
    ['a command that a variable names', '$TOOL x'],
    ['a text that is run', 'eval "$X"'],
  ])('counts %s as hidden commands', (_, command) => {
    expect(hidesCommands(analyseCommand(command, { cwd: workspace, home, workspace }))).toBe(true)
  })

  it('counts a plain command as none', () => {
    expect(hidesCommands(analyseCommand('cat "$X"', { cwd: workspace, home, workspace }))).toBe(false)
  })
})

describe('an allow rule lowers the question about a call', () => {
  it.each<[string, string[], Call, string | undefined]>([
    ['a read by the rule about reading', ['read'], read('/etc/hosts'), 'read'],
    ['an edit by the rule about changes', ['write'], edit('a'), 'write'],
    ['an edit not by the rule about reading', ['read'], edit('a'), undefined],
    ['a write not by the rule about reading', ['read'], write('a'), undefined],
    ['a read by a path', ['read(/etc/**)'], read('/etc/hosts'), 'read(/etc/**)'],
    ['a read not by another path', ['read(/usr/**)'], read('/etc/hosts'), undefined],
    ['a write not by a path for reading', ['read(./**)'], write('a'), undefined],
    ['the read of an edit by a path for changes', ['write(./src/**)'], edit('src/a.ts'), 'write(./src/**)'],
    ['a read by a path for changes', ['write(./src/**)'], read('src/a.ts'), 'write(./src/**)'],
    ['only if each file is covered', ['read(/etc/**)'], { tool: 'look', args: { paths: ['/etc/a', '/srv/b'] } }, undefined], // prettier-ignore
    ['two files by two rules', ['read(/etc/**)', 'read(/srv/**)'], { tool: 'look', args: { paths: ['/etc/a', '/srv/b'] } }, 'read(/etc/**)'], // prettier-ignore
    ['not of another tool by its path', ['grep(/etc/**)'], read('/etc/hosts'), undefined],
    ['a host', ['web_fetch(domain:example.com)'], fetch('https://example.com'), 'web_fetch(domain:example.com)'],
    ['not another host', ['web_fetch(domain:example.com)'], fetch('https://example.org'), undefined],
    ['not that host by another tool', ['web_fetch(domain:example.com)'], { tool: 'push', args: { url: 'https://example.com' } }, undefined], // prettier-ignore
    ['a request not by a rule about paths', ['read(/etc/**)'], { tool: 'web_fetch', args: { url: 'https://example.com', path: '/etc/a' } }, undefined], // prettier-ignore
    ['a command by one rule', ['bash(git *)', 'bash(npm test)'], bash('npm test'), 'bash(npm test)'],
    ['a command by two rules together', ['bash(git *)', 'bash(npm test)'], bash('git status && npm test'), 'bash(git *)'], // prettier-ignore
    ['no command by rules about paths', ['read(./**)'], bash('cat a'), undefined],
    ['no command by no rule', [], bash('true'), undefined],
    ['no command by a rule about changes', ['write'], bash('npm test'), undefined],
  ])('%s', (_, allow, call, expected) => {
    expect(coverOf(allow, call)).toBe(expected)
  })

  it('of a tool that always asks by its exact name alone', () => {
    const call: Call = { ...read('/etc/hosts'), more: { tool: { name: 'read', capability: 'read', alwaysAsk: true } } }
    for (const allow of ['read', 'read(/etc/**)', 'write', '*']) expect(coverOf([allow], call)).toBeUndefined()
  })
})

describe('the strictest finding wins', () => {
  it.each<[string, string, Permissions, Call, string]>([
    ['a deny rule', 'a critical command', { deny: ['bash(rm *)'] }, bash('rm -rf ~'), 'rule'],
    ['a deny rule', 'a protected file that asks', { deny: ['write'] }, write('.vscode/tasks.json'), 'rule'],
  ])('%s over the question about %s', (_, __, permissions, call, by) => {
    expect(verdictOf(permissions, call)).toMatchObject({ decision: 'deny', by })
  })

  it('a question that no allow lowers over one that an allow lowers', () => {
    const leaving: Call = { ...bash('git push'), more: { escalates: true } }
    const found = verdictOf({ ask: ['bash(git push)'], allow: ['bash'] }, leaving)
    expect(found).toMatchObject({ decision: 'ask', by: 'rule', rule: 'bash(git push)', asksEachTime: true })
  })

  it('a question that an answer may settle is not asked each time', () => {
    expect(verdictOf({}, bash('npm test'))).toMatchObject({ decision: 'ask', by: 'mode', pattern: 'bash(npm test)' })
    expect(verdictOf({}, bash('npm test'))).not.toHaveProperty('asksEachTime')
  })
})

describe('a read outside of the workspace', () => {
  it.each([
    ['ask', false, 'ask'],
    ['writes', false, 'ask'],
    ['auto', false, 'allow'],
    ['auto', true, 'allow'],
  ] as const)('in the mode %s, sandbox %s: %s', (mode, isSandboxed, decision) => {
    expect(verdictOf({}, { ...read('/etc/hosts'), more: { mode, isSandboxed } }).decision).toBe(decision)
  })

  it('and a write there: leaving the sandbox asks in every mode', () => {
    for (const mode of ['ask', 'writes', 'auto'] as const)
      expect(verdictOf({}, { ...write('/srv/a'), more: { mode, isSandboxed: true } })).toMatchObject({
        decision: 'ask',
        ...(mode !== 'ask' && { by: 'sandbox' }),
      })
  })
})
