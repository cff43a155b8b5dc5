// Tests permission rules: both written forms, paths, examples, and the errors of broken rules.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { compilePath } from '../../../lib/policy/rules/path-glob.ts'
import { matchWords, splitPattern } from '../../../lib/policy/rules/command-words.ts'
import { parseRule } from '../../../lib/policy/rules/parse-rule.ts'
import { approvalsFile, readRememberedRules, rememberRule } from '../../../lib/policy/rules/remembered-rules.ts'
import { checkExamples, createRuleSet } from '../../../lib/policy/rules/rule-set.ts'
import { matchesWildcards } from '../../../lib/policy/shell/model/wildcards.ts'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'
import type { Permissions } from '../../../lib/streams/config/permissions.ts'

const roots = { folder: '/w/p', home: '/home/ada' }
const origin = { source: 'user', file: '/c/settings.json' } as const
const settled = <Value>(value$: Observable<Value>) => lastValueFrom(value$, { defaultValue: undefined })
const read = (command: string) => analyseCommand(command, { cwd: '/w/p', home: '/home/ada' })

describe('the form of Claude Code', () => {
  it.each([
    ['Bash', 'bash'],
    ['Bash(*)', 'bash'],
    ['Bash(npm run test:*)', 'bash(npm run test *)'],
    ['Bash(git commit -m "a b")', 'bash(git commit -m "a b")'],
    ['Read(./.env)', 'read(./.env)'],
    ['Read(.env)', 'read(.env)'],
    ['Read(~/.zshrc)', 'read(~/.zshrc)'],
    ['Read(//etc/**)', 'read(/etc/**)'],
    ['Edit(/src/**)', 'write(./src/**)'],
    ['Write', 'write'],
    ['NotebookEdit', 'write(**/*.ipynb)'],
    ['NotebookRead', 'read(**/*.ipynb)'],
    ['MultiEdit(docs/**)', 'write(docs/**)'],
    ['Glob(src/**)', 'find(src/**)'],
    ['WebFetch(domain:Example.com)', 'web_fetch(domain:example.com)'],
    ['WebSearch', 'web_search'],
    ['TodoWrite', 'todo'],
    ['mcp__github', 'mcp__github__*'],
    ['mcp__github__*', 'mcp__github__*'],
    ['mcp__github__get_issue', 'mcp__github__get_issue'],
    ['KillShell', 'job_kill'],
  ])('%s becomes %s, which stays as it is [POLICY-rules]', (written, plain) => {
    expect(parseRule(written, roots)).toMatchObject({ plain })
    expect(parseRule(plain, roots)).toMatchObject({ plain })
  })
})

describe('a broken rule', () => {
  it.each([
    ['', /write a tool/],
    ['bash(npm', /write a tool/],
    ['bash()', /pattern is empty/],
    ['bash(npm test && rm x)', /matches one command/],
    ['bash(echo $(id))', /matches one command/],
    ['read(!x)', /cannot be negated/],
    ['read(a/../b)', /beginning only/],
    ['read(*a*b*c)', /at most 2 stars/],
    ['read(**/a/**/b/**)', /at most 2 times `\*\*`/],
    ['Task(x)', /no counterpart of the tool Task/],
    ['constructor(x)', /take no pattern/],
    ['Constructor', /no counterpart/],
    ['todo(x)', /rules about todo take no pattern/],
    ['web_fetch(http://x)', /write a domain/],
  ])('%j is refused with file, key and rule [POLICY-rules]', (rule, reason) => {
    const load = () => createRuleSet({ deny: ['bash', rule] }, roots, origin)
    expect(load).toThrow(expect.objectContaining({ code: 'bad_config', data: { file: '/c/settings.json', key: 'permissions.deny[1]', rule } })) // prettier-ignore
    expect(load).toThrow(reason)
  })
})

describe('a path', () => {
  it.each([
    ['./src/**', '/w/p/src/a/b.ts', true],
    ['./src', '/w/p/src/a', true],
    ['src/', '/w/p/src/a', true],
    ['./src/*.ts', '/w/p/src/a/b.ts', false],
    ['.env', '/w/p/.env', true],
    ['.env', '/w/p/a/b/.env', true],
    ['.env', '/w/.env', false],
    ['*.pem', '/w/p/.hidden/x.pem', true],
    ['/etc/**', '/etc/.x/y', true],
    ['~/x', '/home/ada/x/y', true],
    ['../q/**', '/w/q/x', true],
    ['**', '/w/p/.git/x', true],
    ['**', '/w/q', false],
    ['app/(shop)/page.{ts,tsx}', '/w/p/app/(shop)/page.tsx', true],
    ['a|b', '/w/p/b', false],
    ['./**', '/w/p/a\nb/c', true],
    ['./a', '/w/p/ab', false],
  ])('%s and %j: %s [POLICY-rules]', (pattern, file, matches) => {
    expect(compilePath(pattern, roots).matches(file)).toBe(matches)
  })

  it('takes the folder as it is named, also with signs of globs', () => {
    const glob = compilePath('./x', { folder: '/w/[p]{a}(b)', home: '/' })
    expect([glob.matches('/w/[p]{a}(b)/x'), glob.matches('/w/pa/x')]).toEqual([true, false])
  })
})

describe('the words of a command', () => {
  it.each([
    ['npm run *', ['npm', 'run'], 'yes'],
    ['npm run *', ['npm', 'run', 'a', 'b'], 'yes'],
    ['* push *', ['git', '-C', 'x', 'push'], 'yes'],
    ['rm', ['/bin/rm'], 'yes'],
    ['rm', ['rm', 'x'], 'no'],
    ['npm*', ['npmx'], 'yes'],
    ['rm *', [undefined, 'x'], 'maybe'],
    ['git push', ['git', undefined], 'maybe'],
    ['git push', ['npm', undefined], 'no'],
  ])('%s and %j: %s [POLICY-rules]', (pattern, words, match) => {
    expect(matchWords(splitPattern(pattern), words)).toBe(match)
  })

  it('take time in proportion to their length', () => {
    const long = 'a'.repeat(60_000)
    expect(matchesWildcards('*a*a*a*a*a*a*b', long)).toBe(false)
    expect(
      matchWords(
        splitPattern('* * * * * * x'),
        Array.from({ length: 2_000 }, () => 'a'),
      ),
    ).toBe('no')
  })
})

describe('examples', () => {
  const check = (permissions: Permissions) => {
    checkExamples(permissions, roots, origin, read)
  }

  it('are checked when a rule is loaded [POLICY-rules]', () => {
    check({
      allow: [{ rule: 'bash(npm run *)', match: ['npm run a', 'npm run a && npm run b'], notMatch: ['npm run a; id'] }],
      deny: [
        { rule: 'bash(rm *)', match: ['echo; sudo rm x'], notMatch: ['echo rm'] },
        { rule: 'read(./.env)', match: ['.env', '/w/p/.env'], notMatch: ['~/.env'] },
        { rule: 'web_fetch(domain:*.x.io)', match: ['a.x.io'], notMatch: ['x.io'] },
      ],
    })
  })

  it.each<[Permissions, RegExp]>([
    [{ allow: [{ rule: 'bash(npm run *)', match: ['npm x'] }] }, /does not match its example "npm x"/],
    [{ deny: [{ rule: 'read(*.env)', notMatch: ['a/x.env'] }] }, /matches "a\/x.env", which stands in notMatch/],
  ])('refuse a rule that misses them: %j [POLICY-rules]', (permissions, reason) => {
    expect(() => {
      check(permissions)
    }).toThrow(reason)
  })
})

describe('remembered rules', () => {
  let top = ''
  beforeEach(() => {
    top = mkdtempSync(path.join(tmpdir(), 'rxpi-rules-'))
    mkdirSync(path.join(top, 'work'))
  })
  afterEach(() => {
    rmSync(top, { recursive: true, force: true })
  })
  const workspace = () => ({
    home: path.join(top, 'home'),
    exclusively: <Value>(_: string, work: () => Value) => work(),
  })
  const at = (folder: string) => ({ folder: path.join(top, folder), home: '/home/ada' })
  const texts = (folder: string) => readRememberedRules(workspace().home, at(folder)).allow.map(({ text }) => text)

  it('count in their folder by its real path, in a private file [S3c]', async () => {
    symlinkSync(path.join(top, 'work'), path.join(top, 'link'))
    await settled(rememberRule('bash(npm test)', 'folder', at('link'), workspace()))
    await settled(rememberRule('bash(npm test)', 'folder', at('work'), workspace()))
    await settled(rememberRule('bash(ls *)', 'everywhere', at('work'), workspace()))
    expect([texts('work'), texts('link'), texts('other')]).toEqual([['bash(ls *)', 'bash(npm test)'], ['bash(ls *)', 'bash(npm test)'], ['bash(ls *)']]) // prettier-ignore
    expect(statSync(approvalsFile(workspace().home)).mode & 0o777).toBe(0o600)
    expect(JSON.parse(readFileSync(approvalsFile(workspace().home), 'utf8'))).toMatchObject({ version: 1 })
  })

  it('refuse what is no rule, and a damaged file', async () => {
    await expect(settled(rememberRule('bash(', 'folder', at('work'), workspace()))).rejects.toMatchObject({ code: 'bad_request' }) // prettier-ignore
    mkdirSync(workspace().home)
    for (const text of ['{', '[]', '{"folders":{"/x":"bash"}}']) {
      writeFileSync(approvalsFile(workspace().home), text)
      expect(() => texts('work')).toThrow(expect.objectContaining({ code: 'bad_config' }))
    }
  })

  it('refuse a file that another user can write, and a link [S3c]', () => {
    const file = approvalsFile(workspace().home)
    mkdirSync(workspace().home)
    writeFileSync(file, JSON.stringify({ version: 1, everywhere: ['bash'] }))
    chmodSync(file, 0o666)
    expect(() => texts('work')).toThrow(
      `${file} holds the approvals of tools and is not valid: other users can write it`,
    )
    renameSync(file, path.join(top, 'approvals.json'))
    symlinkSync(path.join(top, 'approvals.json'), file)
    expect(() => texts('work')).toThrow(expect.objectContaining({ code: 'bad_config' }))
  })
})
