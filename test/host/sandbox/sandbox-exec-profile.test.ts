// The text for macOS; it was not run there.
import { expect, it } from 'vitest'
import { sandboxCommand } from '../../../lib/host/sandbox/sandbox-command.ts'
import { sandboxExecProfile } from '../../../lib/host/sandbox/sandbox-exec-profile.ts'
import type { SandboxProfile } from '../../../lib/host/sandbox/sandbox-profile.ts'

const profile: SandboxProfile = {
  name: 'workspace',
  workspace: '/Users/ada/my "project"',
  temp: '/private/tmp/session',
  homeFolder: '/Users/ada',
  rxpiFolders: ['/Users/ada/.config/rxpi'],
  readable: ['/Users/ada/.config/rxpi/skills'],
}
const lines = (more: Partial<SandboxProfile> = {}): readonly string[] =>
  sandboxExecProfile({ ...profile, ...more }, {}).split('\n')
const index = (text: string): number => lines().findIndex((line) => line.includes(text))

it('denies writes, then opens workspace and temporary folder, then protects again [SANDBOX-macos]', () => {
  const open = String.raw`(allow file-write* (subpath "/Users/ada/my \"project\"") (subpath "/private/tmp/session"))`
  expect(lines()).toContain(open)
  expect(index('(deny file-write*)')).toBeLessThan(index('(allow file-write* (subpath'))
  const denied = lines().findLast((line) => line.startsWith('(deny file-write* (subpath')) ?? ''
  for (const name of ['.rxpi', '.git/hooks', '.git/config', '.envrc', '.vscode', '.agents/skills'])
    expect(denied).toContain(String.raw`(subpath "/Users/ada/my \"project\"/${name}")`)
  expect(lines().indexOf(denied)).toBeGreaterThan(lines().indexOf(open))
})

it('keeps .git from being renamed, hides credentials, and closes the network [SANDBOX-macos]', () => {
  const stored = lines().find((line) => line.startsWith('(deny file-write-unlink')) ?? ''
  for (const name of ['.git', '.agents', '.claude'])
    expect(stored).toContain(String.raw`(literal "/Users/ada/my \"project\"/${name}")`)
  const hidden = lines().find((line) => line.startsWith('(deny file-read* file-write*')) ?? ''
  expect(hidden).toContain('(subpath "/Users/ada/.ssh")')
  expect(hidden).toContain('(subpath "/Users/ada/.config/rxpi")')
  expect(lines().indexOf('(allow file-read* (subpath "/Users/ada/.config/rxpi/skills"))')).toBeGreaterThan(
    lines().indexOf(hidden),
  )
  expect(index('(deny network*)')).toBeLessThan(index('(allow network* (remote unix-socket'))
})

it('opens the temporary folder alone in the profile read-only [SANDBOX-macos]', () => {
  expect(lines({ name: 'read-only' })).toContain('(allow file-write* (subpath "/private/tmp/session"))')
})

it('runs the command through sandbox-exec, loader variables behind it [SANDBOX-macos]', () => {
  const plain = {
    command: '/bin/bash',
    args: ['-c', 'true'],
    cwd: '/x',
    env: { A: '1', DYLD_INSERT_LIBRARIES: 'evil', SSH_AUTH_SOCK: 's' },
  }
  const wrapped = sandboxCommand(profile, plain, { kind: 'sandbox-exec', program: '/usr/bin/sandbox-exec' })
  expect(wrapped.args.slice(2)).toEqual(['/usr/bin/env', 'DYLD_INSERT_LIBRARIES=evil', '/bin/bash', '-c', 'true'])
  expect(wrapped.env).toMatchObject({ A: '1', TMPDIR: '/private/tmp/session' })
  expect(Object.keys(wrapped.env)).not.toContain('SSH_AUTH_SOCK')
})
