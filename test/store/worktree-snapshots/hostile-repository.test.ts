// Tests that snapshots run no program that a repository or the environment configures.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { queryCall, storeCall } from '../../../lib/store/worktree-snapshots/git-calls.ts'
import { fileSnapshots } from '../../../lib/store/worktree-snapshots/file-snapshots.ts'
import { aRepository, filesBelow, once } from './repository-scene.ts'
import type { TestFolder } from './repository-scene.ts'

/** Programs that leave a mark when they run, by the setting that runs them. */
function programs(repository: TestFolder) {
  const folder = path.join(path.dirname(repository.cwd), 'programs')
  const marks = path.join(path.dirname(repository.cwd), 'marks')
  for (const each of [folder, marks]) mkdirSync(each, { recursive: true })
  const program = (name: string): string => {
    const file = path.join(folder, name.replaceAll(/[^\w.-]/g, '_'))
    writeFileSync(file, `#!/bin/sh\ntouch '${marks}/${path.basename(file)}'\ncat\n`)
    chmodSync(file, 0o755)
    return file
  }
  return { program, marked: () => readdirSync(marks) }
}

const hooks = [
  'post-index-change',
  'pre-commit',
  'post-checkout',
  'post-commit',
  'reference-transaction',
  'fsmonitor-watchman',
  'pre-auto-gc',
  'post-rewrite',
]

function hostile(repository: TestFolder) {
  const { program, marked } = programs(repository)
  const config = {
    'core.fsmonitor': program('fsmonitor'),
    'core.hooksPath': path.join(repository.cwd, '.git/evil-hooks'),
    'core.pager': program('pager'),
    'pager.ls-files': program('pager.ls-files'),
    'pager.diff-tree': program('pager.diff-tree'),
    'core.editor': program('editor'),
    'core.askPass': program('askpass'),
    'core.sshCommand': program('ssh'),
    'core.gitProxy': program('gitproxy'),
    'core.alternateRefsCommand': program('alternate-refs'),
    'core.attributesFile': path.join(repository.cwd, '.gitattributes'),
    'credential.helper': program('credential'),
    'diff.external': program('diff.external'),
    'diff.evil.command': program('diff.command'),
    'diff.evil.textconv': program('textconv'),
    'filter.evil.clean': program('clean'),
    'filter.evil.smudge': program('smudge'),
    'filter.evil.process': program('process'),
    'filter.evil.required': 'true',
    'merge.evil.driver': program('merge'),
    'gpg.program': program('gpg'),
    'uploadpack.packObjectsHook': program('pack-objects-hook'),
    'alias.ls-files': `!${program('alias.ls-files')}`,
    'alias.cat-file': `!${program('alias.cat-file')}`,
    'extensions.partialClone': 'evil',
    'remote.evil.promisor': 'true',
    'remote.evil.url': 'ssh://evil.invalid/repository',
    'remote.evil.uploadpack': program('upload-pack'),
    'submodule.recurse': 'true',
    'gc.auto': '1',
    'core.untrackedCache': 'true',
  }
  for (const [key, value] of Object.entries(config)) repository.git('config', key, value)
  for (const folder of ['.git/hooks', '.git/evil-hooks']) {
    for (const hook of hooks) {
      mkdirSync(path.join(repository.cwd, folder), { recursive: true })
      writeFileSync(path.join(repository.cwd, folder, hook), `#!/bin/sh\nexec ${program(`hook ${hook}`)}\n`, {
        mode: 0o755,
      })
    }
  }
  return { marked }
}

function aHostileRepository() {
  const repository = aRepository()
  repository.write('.gitattributes', '* filter=evil diff=evil merge=evil eol=crlf text\n')
  repository.write('a', 'one\n')
  repository.write('b', 'one\n')
  repository.write('folder/c', 'one\n')
  repository.git('add', '-A')
  repository.git('commit', '-qm', 'one')
  // the index no longer matches the files, so git looks closer
  repository.write('a', 'two\n')
  repository.write('untracked', 'x\n')
  return { repository, ...hostile(repository) }
}

it('runs no program that the repository names, when files are stored and restored [S15a]', async () => {
  const { repository, marked } = aHostileRepository()
  const files = repository.files()
  const before = await repository.take()
  repository.write('a', 'three\n')
  repository.remove('b')
  repository.write('new', 'x\n')
  const after = await repository.take(before)
  await repository.restore(before, [{ before, after }])
  expect(repository.files()).toEqual(files) // the same bytes: neither filters nor line ends have changed them
  expect(marked()).toEqual([])
})

it('a call of git that changes references would run no hook [S15a]', () => {
  const { repository, marked } = aHostileRepository()
  const change = ['update-ref', 'refs/heads/x', 'HEAD']
  const { args, env } = queryCall(change, {})
  const limits = { cwd: repository.cwd, stdio: 'ignore', timeout: 10_000, killSignal: 'SIGKILL' } as const
  expect(spawnSync('git', args, { ...limits, env }).status).toBe(0)
  expect(marked()).toEqual([])
  spawnSync('git', ['-c', 'core.fsmonitor=false', 'update-ref', 'refs/heads/y', 'HEAD'], limits)
  expect(marked()).toContain('hook_reference-transaction') // git itself runs it: the check works
})

it('a call of git fetch would reach no network [S15a]', () => {
  const { repository, marked } = aHostileRepository()
  const { args, env } = queryCall(['fetch', 'evil'], {})
  const { status } = spawnSync('git', args, { cwd: repository.cwd, env, stdio: 'ignore', timeout: 10_000, killSignal: 'SIGKILL' }) // prettier-ignore
  expect(status).toBeGreaterThan(0)
  expect(marked()).toEqual([])
})

it.each(['core.sshCommand', 'protocol.allow', 'GIT_ALLOW_PROTOCOL', 'nothing'])(
  'git fetch runs no program of the repository, prevented by %s alone [S15a]',
  (remaining) => {
    const { repository, marked } = aHostileRepository()
    const base = path.dirname(repository.cwd)
    writeFileSync(path.join(base, 'programs', 'ssh'), `#!/bin/sh\ntouch '${base}/marks/ssh'\n`) // ends at once
    const { args, env } = queryCall(['fetch', 'evil'], {})
    const others = ['core.sshCommand', 'protocol.allow'].filter((key) => key !== remaining)
    const isOther = (word = ''): boolean => others.some((key) => word.startsWith(`${key}=`))
    const less = args.filter((word, at) => !isOther(word) && !(word === '-c' && isOther(args[at + 1])))
    const { GIT_ALLOW_PROTOCOL, ...rest } = env
    const own = remaining === 'GIT_ALLOW_PROTOCOL' ? { ...rest, GIT_ALLOW_PROTOCOL } : rest
    spawnSync('git', less, { cwd: repository.cwd, env: own, stdio: 'ignore', timeout: 10_000, killSignal: 'SIGKILL' })
    expect(marked()).toEqual(remaining === 'nothing' ? ['ssh'] : [])
  },
)

it('overrides each setting that could start a program or reach a network [S15a]', () => {
  const { repository } = aHostileRepository()
  const { args, env } = queryCall(['config', '--list', '--null'], {})
  const { stdout } = spawnSync('git', args, { cwd: repository.cwd, env, encoding: 'utf8' })
  // of each key the last value counts
  const values = new Map(stdout.split('\0').map((entry) => [entry.split('\n', 1)[0] ?? '', entry.split('\n').at(-1)]))
  const keys = `core.fsmonitor core.hookspath core.untrackedcache core.pager core.editor core.askpass core.sshcommand core.gitproxy
    core.alternaterefscommand credential.helper gpg.program protocol.allow submodule.recurse gc.auto maintenance.auto`
  const found = keys.split(/\s+/).map((key) => [key, values.get(key)])
  expect(Object.fromEntries(found)).toEqual({
    'core.fsmonitor': 'false',
    'core.hookspath': '/dev/null',
    'core.untrackedcache': 'false',
    'core.pager': 'cat',
    'core.editor': 'false',
    'core.askpass': 'false',
    'core.sshcommand': 'false',
    'core.gitproxy': '',
    'core.alternaterefscommand': 'false',
    'credential.helper': '',
    'gpg.program': 'false',
    'protocol.allow': 'never',
    'submodule.recurse': 'false',
    'gc.auto': '0',
    'maintenance.auto': 'false',
  })
  // git 2.44 and later: no missing object of a partial clone is fetched
  expect(env).toMatchObject({ GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none', GIT_TERMINAL_PROMPT: '0' })
  expect(env['PATH']).toBe('/usr/bin:/bin') // whatever the environment of the server has
})

it('reads no configuration of the user for its own objects, even if it knows the home [S15a]', () => {
  const repository = aRepository()
  const { args, env } = storeCall(['config', '--list', '--show-scope'], path.join(repository.cwd, '.git'), [])
  const inHome = { ...env, HOME: repository.env['HOME'] }
  const { stdout } = spawnSync('git', args, { cwd: repository.cwd, env: inHome, encoding: 'utf8' })
  const scopes = stdout.trim().split('\n').map((line) => line.split('\t', 1)[0]) // prettier-ignore
  expect([...new Set(scopes)].sort()).toEqual(['command', 'local'])
})

it('git itself runs them: the check works', () => {
  const { repository, marked } = aHostileRepository()
  try {
    repository.git('status', '--porcelain')
  } catch {
    // a filter that fails is not part of this test
  }
  expect(marked()).toContain('fsmonitor')
})

it('runs no program that a nested repository names [S15a]', async () => {
  const { repository: nested, marked } = aHostileRepository()
  const outer = path.dirname(nested.cwd)
  const snapshots = fileSnapshots({ home: nested.home, env: { ...nested.env, HOME: '/nonexistent' } })
  const taken = await once(snapshots.take({ cwd: outer, limitMs: 30_000 }))
  expect(taken.type).toBe('taken')
  expect(marked()).toEqual([])
})

it.each([
  ['GIT_DIR', '/nonexistent'],
  ['GIT_INDEX_FILE', '/nonexistent'],
  ['GIT_EXTERNAL_DIFF', '/bin/false'],
  ['GIT_CONFIG_COUNT', 'many'],
  ['GIT_CONFIG_PARAMETERS', 'nonsense'],
])('uses nothing from %s in the environment [S15a]', async (name, value) => {
  const repository = aRepository()
  repository.write('a', '1')
  const snapshots = fileSnapshots({ home: repository.home, env: { ...repository.env, [name]: value } })
  expect(await once(snapshots.take({ cwd: repository.cwd, limitMs: 30_000 }))).toMatchObject({ files: 1 })
})

it('runs no git of the workspace [S16a]', async () => {
  const repository = aRepository()
  const { program, marked } = programs(repository)
  repository.write('bin/git', `#!/bin/sh\nexec ${program('git')}\n`, 0o755)
  const search = [`${repository.cwd}/bin`, 'bin', '.', ''].join(path.delimiter)
  const snapshots = fileSnapshots({
    home: repository.home,
    env: { ...repository.env, PATH: `${search}:${repository.env['PATH'] ?? ''}` },
  })
  expect(await once(snapshots.take({ cwd: repository.cwd, limitMs: 30_000 }))).toMatchObject({ files: 1 })
  expect(marked()).toEqual([])
})

it('reads no other folder if the repository names another place for its files [S15a]', async () => {
  const repository = aRepository()
  const elsewhere = path.join(path.dirname(repository.cwd), 'elsewhere')
  mkdirSync(elsewhere)
  writeFileSync(path.join(elsewhere, 'secret'), 'hunter2')
  repository.write('a', '1')
  repository.git('config', 'core.worktree', elsewhere)
  const taken = await once(repository.snapshots.take({ cwd: repository.cwd, limitMs: 30_000 }))
  expect(taken).not.toMatchObject({ files: 2 })
  expect(Object.keys(filesBelow(elsewhere))).toEqual(['secret'])
  expect(existsSync(path.join(elsewhere, '.git'))).toBe(false)
})
