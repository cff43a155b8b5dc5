import { describe, expect, it } from 'vitest'
import {
  instructionFolders,
  isCredentialPath,
  isProtectedFromWrites,
  ownFolders,
  writeProtection,
} from '../../../lib/host/sandbox/protected-paths.ts'
import { gatedPaths, projectServersPath } from '../../../lib/store/trust/gated-files.ts'

const surroundings = {
  homeFolder: '/home/ada',
  rxpiFolders: ownFolders({ home: '/home/ada/.local/state/rxpi', config: '/home/ada/.config/rxpi' }),
  gitPaths: ['/srv/hooks', '/main/.git/worktrees/w'],
}

describe('isProtectedFromWrites', () => {
  it.each([
    '/home/ada/.local/state/rxpi/sessions/x.jsonl',
    '/home/ada/.config/rxpi',
    '/srv/.rxpi',
    '/srv/.rxpi/settings.json',
    '/srv/deep/.rxpi/skills/x.md',
    '/srv/.git',
    '/srv/.git/hooks',
    '/srv/.git/hooks/pre-commit',
    '/srv/.git/config',
    '/srv/.git/config.worktree',
    '/srv/.git/commondir',
    '/srv/.git/modules/a/b/hooks/post-checkout',
    '/srv/.git/worktrees/w/gitdir',
    '/srv/.GIT/Config',
    '/srv/.g\u200cit/config',
    '/srv/hooks/pre-push',
    '/main/.git/worktrees/w/anything',
    '/home/ada/.ssh/authorized_keys',
  ])('%s [SANDBOX-paths]', (file) => {
    expect(isProtectedFromWrites(file, surroundings)).toBe(true)
    expect(writeProtection(file, surroundings)).toBe('deny')
  })

  it.each([
    '/srv/src/config',
    '/srv/hooks-of-mine/x',
    '/srv/.github/workflows/x.yml',
    '/srv/.gitignore',
    '/srv/.git/info/exclude',
    '/srv/.git/COMMIT_EDITMSG',
    '/srv/rxpi/settings.json',
    '/srv/.claude/settings.json',
    '/srv/skills/x.md',
    '/srv/.claude/sub/skills/x.md',
  ])('leaves %s alone', (file) => {
    expect(writeProtection(file, surroundings)).toBeUndefined()
  })

  it.each([
    '/home/ada/.bashrc',
    '/srv/.envrc',
    '/srv/.vscode/tasks.json',
    '/srv/.idea/workspace.xml',
    '/srv/.direnv/bin/x',
    '/home/ada/.config/fish/config.fish',
    '/home/ada/.config/autostart/x.desktop',
    '/home/ada/.zshenv',
    '/srv/.claude/skills/x/SKILL.md',
    '/home/ada/.claude/commands',
    '/home/ada/.agents/skills/x',
    '/srv/.agents',
  ])('asks for %s [SANDBOX-paths]', (file) => {
    expect(writeProtection(file, surroundings)).toBe('ask')
  })
})

it('protects all that trust of a folder gates', () => {
  for (const name of gatedPaths) {
    const file = name === projectServersPath ? name : `${name}/x`
    expect(writeProtection(`/srv/${file}`, surroundings), name).toBeDefined()
  }
  expect(gatedPaths).toEqual(['.rxpi', ...instructionFolders, projectServersPath])
})

describe('isCredentialPath', () => {
  it.each([
    '/home/ada/.ssh',
    '/home/ada/.ssh/id_ed25519',
    '/home/ada/.aws/credentials',
    '/home/ada/.config/gcloud/x',
    '/home/ada/.netrc',
    '/home/ada/.local/state/rxpi/auth.json',
    '/home/ada/.local/state/rxpi/accounts.json',
    '/home/ada/.local/state/rxpi/proxy-token',
    '/home/ada/.config/rxpi/mcp-token',
    '/proc/1/environ',
    '/proc/self/task/7/environ',
    '/proc/42/mem',
    '/proc/self/root/etc/passwd',
    '/etc/shadow',
    '/home/ada/.SSH/id_rsa',
  ])('%s', (file) => {
    expect(isCredentialPath(file, surroundings)).toBe(true)
  })

  it.each(['/home/ada/.sshrc', '/home/ada/project/.aws-notes', '/proc/cpuinfo', '/proc/self/status', '/etc/passwd'])(
    'not %s',
    (file) => {
      expect(isCredentialPath(file, surroundings)).toBe(false)
    },
  )
})
