// Decides about protected files under other spellings: case, invisible characters, links, `..`, `~`, /proc, commands.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { EMPTY, lastValueFrom } from 'rxjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SessionPolicy } from '../../../lib/policy/decide/create-policy.ts'
import { openPolicy } from '../../../lib/services/policy/session-policy.ts'
import type { PolicyRequest, PolicyVerdict } from '../../../lib/streams/ports/policy.ts'

let top = ''
const at = (...names: string[]) => path.join(top, ...names)
const policies = new Map<string, SessionPolicy>()

/** A repository with `core.hooksPath`, a work tree, a repository inside, and links to all that is protected. */
beforeAll(async () => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-spelling-')))
  for (const folder of ['p/.git/worktrees/tree', 'p/src', 'p/sub/.git', 'tree', '.ssh', '.aws/cli', 'state', 'config'])
    mkdirSync(at(folder), { recursive: true })
  const files = {
    'p/.git/HEAD': 'ref: refs/heads/main\n',
    'p/.git/config': '[core]\n\thooksPath = .husky\n',
    'p/.git/worktrees/tree/HEAD': 'ref: refs/heads/x\n',
    'p/.git/worktrees/tree/commondir': '../..\n',
    'p/sub/.git/HEAD': 'ref: refs/heads/main\n',
    'tree/.git': `gitdir: ${at('p/.git/worktrees/tree')}\n`,
    '.ssh/id_rsa': 'k',
  }
  for (const [file, text] of Object.entries(files)) writeFileSync(at(file), text)
  const links = { keys: at('.ssh'), cli: at('.aws/cli'), g: '.git', h: '.git/hooks', st: at('state'), up: '..', root: '/', dangling: '.git/hooks/pre-push' } // prettier-ignore
  for (const [name, target] of Object.entries(links)) symlinkSync(target, at('p', name))
  for (const [folder, home] of [
    ['p', 'state'],
    ['tree', 'p/st'],
  ] as const) {
    const opened$ = openPolicy({ cwd: at(folder), env: { HOME: top }, settings: {}, home: at(home), config: at('config') }) // prettier-ignore
    const policy = await lastValueFrom(opened$, { defaultValue: undefined })
    if (policy !== undefined) policies.set(folder, policy)
  }
})
afterAll(() => {
  rmSync(top, { recursive: true, force: true })
})

const capabilities: Readonly<Record<string, 'read' | 'write'>> = { read: 'read', grep: 'read', ls: 'read', write: 'write', edit: 'write' } // prettier-ignore
const nothing: PolicyVerdict = { decision: 'allow', by: 'test', reason: 'The policy decided nothing.' }

/** `@` stands for the home folder of the test. */
async function decide(
  name: string,
  text: string,
  folder = 'p',
  mode: PolicyRequest['mode'] = 'auto',
): Promise<PolicyVerdict['decision']> {
  const value = text.replaceAll('@', top)
  const args = name === 'bash' ? { command: value } : { path: value, pattern: 'x' }
  const request: PolicyRequest = { tool: { name, capability: capabilities[name] ?? 'exec' }, args, cwd: at(folder), mode, isSandboxed: false } // prettier-ignore
  const decided$ = policies.get(folder)?.decide(request) ?? EMPTY
  return (await lastValueFrom(decided$, { defaultValue: nothing })).decision
}

async function wrong(decision: PolicyVerdict['decision'], name: string, texts: readonly string[], folder?: string): Promise<readonly string[]> {
  const decided = await Promise.all(texts.map(async (text) => ({ text, found: await decide(name, text, folder) })))
  return decided.filter(({ found }) => found !== decision).map(({ text, found }) => `${found}: ${text}`)
} // prettier-ignore

it('files that choose the programs of git and rxpi are protected from writes in every spelling [S14a]', async () => {
  const spellings = [
    '.git/hooks/pre-commit', './.git/hooks/x', '.git/hooks', '.GIT/config', '.Git/Hooks/x', '.git/./config', '.git//config',
    '.git/hooks/../config', 'src/../.git/config', '.git/config/', '.git', '.git/', 'sub/.git/config', 'new/.git/hooks/x',
    'new/.git', '.git/worktrees/tree/config.worktree', '.git/config.worktree', '.git/modules/x/hooks/y', '.git/commondir',
    '.husky/pre-commit', '.husky', 'g/config', 'g/hooks/x', 'h/x', 'dangling', '.rxpi', 'src/.rxpi/x', '.RXPI/x',
    '@/state/trust.json', 'st/approvals.json', '@/config/extensions/a.ts', '../state/x', 'up/config/x',
    'root@/state/x', '/proc/self/cwd/.git/config', '/proc/self/root/etc/x', '/dev/fd/3', '.g\u200bit/config', '.git\u200d/hooks/x',
    '~/.ssh/authorized_keys', 'keys/config',
  ] // prettier-ignore
  expect(await wrong('deny', 'write', spellings)).toEqual([])
  expect(await wrong('deny', 'edit', spellings.slice(0, 4))).toEqual([])
  expect(await wrong('deny', 'write', ['.git', '@/p/.git/config', '@/p/.git/hooks/x', '@/p/.git/worktrees/tree/config.worktree', '.husky/x', '@/state/trust.json', '@/p/st/trust.json'], 'tree')).toEqual([]) // prettier-ignore
}) // prettier-ignore

it('commands that visibly write there are denied, too [S14a]', async () => {
  const commands = [
    'cp x .git/hooks/', 'ln -s ../../x .git/hooks/y', 'chmod +x .git/hooks/x', 'sed -i s/a/b/ .git/config',
    'git config core.hooksPath x', 'git config --local alias.x "!sh"', 'echo x > g/config', 'mkdir .rxpi', 'cd .git && echo x > config',
    'install -m755 x .git/hooks/y', 'dd of=.git/config if=x', 'rsync -a hooks/ .git/hooks/', 'tar xf x.tar -C .git/hooks',
    'curl -o .git/hooks/x x', `python3 -c "open('.git/hooks/x','w').write('y')"`,
    `node -e "require('fs').writeFileSync('.git/config','')"`, 'echo x > /proc/self/cwd/.git/config', 'echo x > .GIT/config',
    'd=.git; echo x > $d/config', 'git -C sub config core.pager x', 'rm -f .git/hooks/*', 'sh -c "echo x > .git/config"',
    'xargs -I{} cp x {} <<< .git/hooks/y', 'cp x .git/hook*/', 'cat keys/id_rsa', 'cat < up/.ssh/id_rsa',
    `python3 -c "print(open('@/.ssh/id_rsa').read())"`, 'docker run -v ~/.ssh:/k alpine ls',
  ] // prettier-ignore
  expect(await wrong('deny', 'bash', commands)).toEqual([])
  expect(await wrong('ask', 'bash', ['cp x .gi?/hooks/y', 'cat ~/.ss?/id_rsa', 'grep x ~/.s*/*', 'cat ~/.a*/cred*', 'cp x .hus*/y', 'rm a*/b*/c*/d*/e*'])).toEqual([]) // prettier-ignore
})

it('`..` behind a link is where the kernel goes, and behind `*` it asks [S6e, S14a]', async () => {
  const denied = [
    'cat cli/../credentials', 'cd cli && cat ../credentials', 'cat < cli/../credentials', 'cat ./cli//.././credentials',
    'echo x > cli/../credentials', 'cd cli; echo x > ../credentials', 'cat src/../cli/../credentials',
    'cd -P cli/.. && cat credentials', 'set -P; cd cli; cd ..; cat credentials', 'env -C cli/.. cat credentials',
    'cat cli/../cred*',
  ] // prettier-ignore
  expect(await wrong('deny', 'bash', denied)).toEqual([])
  expect(await wrong('ask', 'bash', ['cat cli/../../.a*/credentials', 'cat */../credentials', 'cat c*/../config'])).toEqual([]) // prettier-ignore
  expect(await wrong('allow', 'bash', ['cat src/../a', 'cd src && cat ../a > ../b', 'ls ..', 'cat cli/../../p/a', 'cat up/../p/a'])).toEqual([]) // prettier-ignore
})

it('a link in the workspace is where it leads: a read outside asks [S6d]', async () => {
  mkdirSync(at('other'))
  symlinkSync(at('other'), at('p/out'))
  for (const file of ['out/a', 'up/other/a', 'root/srv/a'])
    expect(await decide('read', file, 'p', 'writes')).toBe('ask')
  for (const file of ['src/a', 'up/p/src/a', 'out/../a'])
    expect(await decide('read', file, 'p', 'writes')).toBe('allow')
})

it('keys are denied to reads, however they are spelled, and a search above them asks [S6e]', async () => {
  const spellings = [
    '~/.ssh/id_rsa', '~/.ssh', '~/.SSH/id_rsa', 'keys/id_rsa', 'keys', 'up/.ssh/id_rsa', '../.ssh/id_rsa', '../p/../.ssh/id_rsa',
    'root@/.ssh/id_rsa', '~/.aws', '/proc/self/environ', '/proc/1/environ', '/proc/self/mem', '/proc/self/task/1/environ',
    '/proc/self/root@/.ssh/id_rsa', '/proc/thread-self/environ', '//proc/self/environ', '/proc//self/environ', '/./proc/self/environ',
    '/dev/mem', '/etc/shadow', 'root/etc/shadow', '@/config/models.json', 'st/auth.json', '~/.netrc', '~/.kube/config',
    '~/.s\u200bsh/id_rsa', '~/.ssh/', '~/.ssh/.', '~/./.ssh/id_rsa',
  ] // prettier-ignore
  expect(await wrong('deny', 'read', spellings)).toEqual([])
  expect(await wrong('deny', 'grep', ['~/.ssh', 'keys'])).toEqual([])
  expect(await wrong('ask', 'grep', ['..', '~', '/', '/proc', '/proc/self'])).toEqual([])
})

it('start-up files and skills ask, and everything else runs [S14a]', async () => {
  const startUp = ['~/.bashrc', '.envrc', 'sub/.envrc', '.vscode/tasks.json', '.VSCode/tasks.json', '~/.gitconfig', '~/.local/bin/ls', 'up/.bashrc', '.claude/skills/x/SKILL.md', '.Claude/Commands/x.md', '~/.claude/commands/x.md', '.agents/skills', '~/.agents/skills/a', 'sub/.agents/skills/a', '.claude', '.agents'] // prettier-ignore
  expect(await wrong('ask', 'write', startUp)).toEqual([])
  const own = ['src/a.ts', '.github/workflows/x.yml', '.gitignore', '.gitattributes', 'git/config', 'hooks/x', 'src/config', '.env', '.rxpirc', '.claude/settings.json', '.claude/plans/x.md', '.claude-old/skills/x', 'skills/x', 'a\nb', 'up/p/src/x'] // prettier-ignore
  expect(await wrong('allow', 'write', own)).toEqual([])
  expect(await wrong('allow', 'read', ['.git/config', '.git/HEAD', '.', '.env', '.rxpi/x'])).toEqual([])
  expect(await wrong('allow', 'grep', ['.', 'src', '.git'])).toEqual([])
  expect(await wrong('allow', 'bash', ['cat .git/config', 'ls .git/hooks', 'git config --get x', 'diff <(ls) <(ls src)', 'rm src/config', 'cat ~/*.txt', 'rm *', 'cat < /dev/stdin', 'echo x > /dev/stderr', 'rm a*/b*/c*/d*'])).toEqual([]) // prettier-ignore
})
