// Tests that snapshots leave the user's repository unchanged.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { aRepository, filesBelow, once } from './repository-scene.ts'
import type { TestFolder } from './repository-scene.ts'

/** Everything that git reports of a repository, and every byte of it. */
function describeRepository(target: TestFolder, folder = target.cwd) {
  const gitDir = target.gitIn(folder, 'rev-parse', '--absolute-git-dir').trim()
  const index = path.join(gitDir, 'index')
  return {
    // first, because `status` itself refreshes the index
    bytes: filesBelow(gitDir, 'none'),
    index: createHash('sha256').update(readFileSync(index)).digest('hex'),
    indexTime: statSync(index).mtimeMs,
    status: target.gitIn(folder, '--no-optional-locks', 'status', '--porcelain=v2', '--branch', '--ignored'),
    staged: target.gitIn(folder, 'diff', '--cached', '--raw'),
    stash: target.gitIn(folder, 'stash', 'list'),
    refs: target.gitIn(folder, 'for-each-ref'),
    objects: target.gitIn(folder, 'count-objects', '-v'),
  }
}

function aDirtyRepository(): TestFolder {
  const target = aRepository()
  target.write('.gitignore', '*.log\n')
  target.write('committed', '1')
  target.write('staged', '1')
  target.write('both', '1')
  target.write('removed', '1')
  target.git('add', '-A')
  target.git('commit', '-qm', 'one')
  target.write('stashed', 'x')
  target.git('add', 'stashed')
  target.git('stash', '-q')
  target.write('staged', '2')
  target.write('both', '2')
  target.git('add', 'staged', 'both')
  target.write('both', '3')
  target.write('committed', '2')
  target.remove('removed')
  target.write('untracked', '1')
  target.write('debug.log', 'x')
  target.git('add', '--intent-to-add', 'untracked')
  return target
}

async function keepAndPutBack(target: TestFolder, act: () => void): Promise<void> {
  const before = await target.take()
  act()
  await target.restore(before, [{ before, after: await target.take(before) }])
}

it('leaves index, objects, branches and stash of a dirty repository unchanged [S15c]', async () => {
  const target = aDirtyRepository()
  const before = { repository: describeRepository(target), files: target.files() }
  await keepAndPutBack(target, () => {
    target.write('both', 'agent')
    target.write('removed', 'agent')
    target.write('new', 'agent')
  })
  expect({ repository: describeRepository(target), files: target.files() }).toEqual(before)
})

it('keeps the agent’s commits, and restores the files', async () => {
  const target = aDirtyRepository()
  const files = target.files()
  let head = ''
  await keepAndPutBack(target, () => {
    target.git('add', '-A')
    target.git('commit', '-qm', 'agent')
    target.git('checkout', '-q', '-b', 'agents')
    target.git('rm', '-qrf', '.')
    head = target.git('rev-parse', 'HEAD')
  })
  expect(target.files()).toEqual(files)
  expect(target.git('rev-parse', 'HEAD')).toBe(head)
})

it('works in a repository without a commit', async () => {
  const target = aRepository()
  target.write('a', '1')
  target.git('add', 'a')
  const before = target.files()
  await keepAndPutBack(target, () => target.write('a', '2'))
  expect(target.files()).toEqual(before)
})

it('covers submodules and nested repositories, and leaves their data unchanged [S15c]', async () => {
  const target = aDirtyRepository()
  const other = path.join(path.dirname(target.cwd), 'other')
  mkdirSync(other)
  target.gitIn(other, 'init', '-q')
  target.gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'one')
  target.git('submodule', '--quiet', 'add', other, 'sub module')
  target.write('sub module/tracked', '1')
  target.gitIn(path.join(target.cwd, 'sub module'), 'add', 'tracked')
  target.gitIn(target.cwd, 'init', '-q', 'nested')
  target.write('nested/.gitignore', 'secret')
  target.write('nested/secret', 'x')
  target.write('nested/in/a', '1')
  target.gitIn(path.join(target.cwd, 'nested'), 'add', '.gitignore')
  const inside = path.join(target.cwd, 'sub module')
  const before = {
    repository: describeRepository(target),
    files: target.files(),
    sub: describeRepository(target, inside),
  }
  const taken = await target.take()
  target.write('sub module/tracked', 'agent')
  target.remove('nested/in')
  const since = [{ before: taken, after: await target.take(taken) }]
  const { changes } = await target.plan(taken, since)
  await target.restore(taken, since)
  expect(changes.map((change) => change.path).sort()).toEqual(['nested/in/a', 'sub module/tracked'])
  expect({
    repository: describeRepository(target),
    files: target.files(),
    sub: describeRepository(target, inside),
  }).toEqual(before)
})

it('works in a linked worktree', async () => {
  const target = aDirtyRepository()
  const tree = path.join(path.dirname(target.cwd), 'tree')
  target.git('worktree', 'add', '-q', tree, '-b', 'other')
  const before = describeRepository(target, tree)
  const files = filesBelow(tree)
  const take = async (previous?: string): Promise<string> => {
    const taken = await once(
      target.snapshots.take({ cwd: tree, limitMs: 30_000, ...(previous === undefined ? {} : { before: previous }) }),
    )
    return taken.type === 'taken' ? taken.snapshot : taken.message
  }
  const first = await take()
  writeFileSync(path.join(tree, 'committed'), 'agent')
  const request = { cwd: tree, to: first, since: [{ before: first, after: await take(first) }] }
  const { snapshotBefore, changes } = await once(target.snapshots.changes(request))
  expect(changes).toEqual([{ path: 'committed', change: 'replace' }])
  await once(target.snapshots.restore({ ...request, snapshotBefore }))
  expect(filesBelow(tree)).toEqual(files)
  expect(describeRepository(target, tree)).toEqual(before)
})

it('covers only the folder if the folder is deep in a repository', async () => {
  const target = aDirtyRepository()
  target.write('deep/folder/a', '1')
  const cwd = path.join(target.cwd, 'deep')
  expect(await once(target.snapshots.take({ cwd, limitMs: 30_000 }))).toMatchObject({ files: 1 })
})
