// Tests that snapshots leave the user's repository unchanged.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { aRepository, filesBelow, once } from './a-repository.ts'
import type { Place } from './a-repository.ts'

/** Everything that git reports of a repository, and every byte of it. */
function told(place: Place, folder = place.cwd) {
  const gitDir = place.gitIn(folder, 'rev-parse', '--absolute-git-dir').trim()
  const index = path.join(gitDir, 'index')
  return {
    // first, because `status` itself refreshes the index
    bytes: filesBelow(gitDir, 'none'),
    index: createHash('sha256').update(readFileSync(index)).digest('hex'),
    indexTime: statSync(index).mtimeMs,
    status: place.gitIn(folder, '--no-optional-locks', 'status', '--porcelain=v2', '--branch', '--ignored'),
    staged: place.gitIn(folder, 'diff', '--cached', '--raw'),
    stash: place.gitIn(folder, 'stash', 'list'),
    refs: place.gitIn(folder, 'for-each-ref'),
    objects: place.gitIn(folder, 'count-objects', '-v'),
  }
}

function aDirtyRepository(): Place {
  const place = aRepository()
  place.write('.gitignore', '*.log\n')
  place.write('committed', '1')
  place.write('staged', '1')
  place.write('both', '1')
  place.write('removed', '1')
  place.git('add', '-A')
  place.git('commit', '-qm', 'one')
  place.write('stashed', 'x')
  place.git('add', 'stashed')
  place.git('stash', '-q')
  place.write('staged', '2')
  place.write('both', '2')
  place.git('add', 'staged', 'both')
  place.write('both', '3')
  place.write('committed', '2')
  place.remove('removed')
  place.write('untracked', '1')
  place.write('debug.log', 'x')
  place.git('add', '--intent-to-add', 'untracked')
  return place
}

async function keepAndPutBack(place: Place, act: () => void): Promise<void> {
  const before = await place.take()
  act()
  await place.restore(before, [{ before, after: await place.take(before) }])
}

it('leaves index, objects, branches and stash of a dirty repository unchanged [S15c]', async () => {
  const place = aDirtyRepository()
  const before = { repository: told(place), files: place.files() }
  await keepAndPutBack(place, () => {
    place.write('both', 'agent')
    place.write('removed', 'agent')
    place.write('new', 'agent')
  })
  expect({ repository: told(place), files: place.files() }).toEqual(before)
})

it('keeps the agent’s commits, and restores the files', async () => {
  const place = aDirtyRepository()
  const files = place.files()
  let head = ''
  await keepAndPutBack(place, () => {
    place.git('add', '-A')
    place.git('commit', '-qm', 'agent')
    place.git('checkout', '-q', '-b', 'agents')
    place.git('rm', '-qrf', '.')
    head = place.git('rev-parse', 'HEAD')
  })
  expect(place.files()).toEqual(files)
  expect(place.git('rev-parse', 'HEAD')).toBe(head)
})

it('works in a repository without a commit', async () => {
  const place = aRepository()
  place.write('a', '1')
  place.git('add', 'a')
  const before = place.files()
  await keepAndPutBack(place, () => place.write('a', '2'))
  expect(place.files()).toEqual(before)
})

it('covers submodules and nested repositories, and leaves their data unchanged [S15c]', async () => {
  const place = aDirtyRepository()
  const other = path.join(path.dirname(place.cwd), 'other')
  mkdirSync(other)
  place.gitIn(other, 'init', '-q')
  place.gitIn(other, 'commit', '-q', '--allow-empty', '-m', 'one')
  place.git('submodule', '--quiet', 'add', other, 'sub module')
  place.write('sub module/tracked', '1')
  place.gitIn(path.join(place.cwd, 'sub module'), 'add', 'tracked')
  place.gitIn(place.cwd, 'init', '-q', 'nested')
  place.write('nested/.gitignore', 'secret')
  place.write('nested/secret', 'x')
  place.write('nested/in/a', '1')
  place.gitIn(path.join(place.cwd, 'nested'), 'add', '.gitignore')
  const inside = path.join(place.cwd, 'sub module')
  const before = { repository: told(place), files: place.files(), sub: told(place, inside) }
  const taken = await place.take()
  place.write('sub module/tracked', 'agent')
  place.remove('nested/in')
  const since = [{ before: taken, after: await place.take(taken) }]
  const { changes } = await place.plan(taken, since)
  await place.restore(taken, since)
  expect(changes.map((change) => change.path).sort()).toEqual(['nested/in/a', 'sub module/tracked'])
  expect({ repository: told(place), files: place.files(), sub: told(place, inside) }).toEqual(before)
})

it('works in a linked worktree', async () => {
  const place = aDirtyRepository()
  const tree = path.join(path.dirname(place.cwd), 'tree')
  place.git('worktree', 'add', '-q', tree, '-b', 'other')
  const before = told(place, tree)
  const files = filesBelow(tree)
  const take = async (previous?: string): Promise<string> => {
    const taken = await once(
      place.snapshots.take({ cwd: tree, limitMs: 30_000, ...(previous === undefined ? {} : { before: previous }) }),
    )
    return taken.type === 'taken' ? taken.snapshot : taken.message
  }
  const first = await take()
  writeFileSync(path.join(tree, 'committed'), 'agent')
  const request = { cwd: tree, to: first, since: [{ before: first, after: await take(first) }] }
  const { snapshotBefore, changes } = await once(place.snapshots.changes(request))
  expect(changes).toEqual([{ path: 'committed', change: 'replace' }])
  await once(place.snapshots.restore({ ...request, snapshotBefore }))
  expect(filesBelow(tree)).toEqual(files)
  expect(told(place, tree)).toEqual(before)
})

it('covers only the folder if the folder is deep in a repository', async () => {
  const place = aDirtyRepository()
  place.write('deep/folder/a', '1')
  const cwd = path.join(place.cwd, 'deep')
  expect(await once(place.snapshots.take({ cwd, limitMs: 30_000 }))).toMatchObject({ files: 1 })
})
