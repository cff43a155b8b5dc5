// Tests snapshots of a working folder, with and without a repository.
// Over 250 lines: one contract for both kinds of snapshots, and the bounds of each.
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileSnapshots } from '../../../lib/store/worktree-snapshots/file-snapshots.ts'
import type { SnapshotPair } from '../../../lib/streams/ports/snapshots.ts'
import { aFolder, aRepository, once } from './repository-scene.ts'
import type { TestFolder } from './repository-scene.ts'

/** The changes of the agent between its two snapshots. */
async function run(place: TestFolder, act: () => void): Promise<SnapshotPair & { readonly before: string }> {
  const before = await place.take()
  act()
  return { before, after: await place.take(before) }
}

const kinds = [
  { kind: 'a git repository', make: aRepository },
  { kind: 'a plain folder', make: aFolder },
]

describe.each(kinds)('snapshots of $kind', ({ make }) => {
  it('restore changed, removed and created files', async () => {
    const place = make()
    place.write('kept.txt', 'kept')
    place.write('changed.txt', 'old')
    place.write('deep/er/removed.txt', 'gone?')
    const files = place.files()
    const agent = await run(place, () => {
      place.write('changed.txt', 'new')
      place.remove('deep')
      place.write('made/up/created.txt', 'x')
    })
    const plan = await place.plan(agent.before, [agent])
    expect(plan.changes.toSorted((one, other) => one.path.localeCompare(other.path))).toEqual([
      { path: 'changed.txt', change: 'replace' },
      { path: 'deep/er/removed.txt', change: 'create' },
      { path: 'made/up/created.txt', change: 'remove' },
    ])
    expect(plan.conflicts).toEqual([])
    const { paths, failure, snapshotAfter } = await place.restore(agent.before, [agent])
    expect(failure).toBeUndefined()
    expect(paths).toHaveLength(3)
    expect(place.files()).toEqual(files)
    expect(existsSync(path.join(place.cwd, 'made'))).toBe(false)
    expect(snapshotAfter).toBe(await place.take())
  })

  it('can be restored themselves', async () => {
    const place = make()
    place.write('a', '1')
    const agent = await run(place, () => {
      place.write('a', '2')
      place.write('b', '2')
    })
    const files = place.files()
    const { snapshotBefore } = await place.plan(agent.before, [agent])
    const restored = await place.restore(agent.before, [agent])
    expect(place.read('a')).toBe('1')
    const back = { before: snapshotBefore, ...(restored.snapshotAfter && { after: restored.snapshotAfter }) }
    await place.restore(snapshotBefore, [back])
    expect(place.files()).toEqual(files)
  })

  it('keep permissions and symbolic links', async () => {
    const place = make()
    place.write('run.sh', 'x', 0o755)
    place.write('secret', 'x', 0o600)
    place.write('open', 'x', 0o644)
    place.write('other', 'x', 0o644)
    place.link('link', 'no/where')
    place.link('up', '../outside')
    const files = place.files()
    const agent = await run(place, () => {
      place.write('run.sh', 'x', 0o644)
      place.remove('secret')
      place.write('open', 'x', 0o600)
      place.remove('link')
      place.write('link', 'a file now')
      place.remove('up')
      place.link('up', 'elsewhere')
    })
    await place.restore(agent.before, [agent])
    expect(place.files()).toEqual(files)
  })

  it.each([
    ['spaces', 'a b/c d.txt'],
    ['a line feed', 'a\nb/c\n.txt'],
    ['a leading dash', '-rf'],
    ['quotes and a backslash', '"a\\b'],
    ['a tab and a star', '\t*?[x]'],
    ['an umlaut', 'Größe/ö'],
  ])('contain names with %s', async (_what, name) => {
    const place = make()
    place.write(name, 'old')
    const files = place.files()
    const agent = await run(place, () => {
      place.remove(name)
    })
    expect((await place.plan(agent.before, [agent])).changes).toHaveLength(1)
    await place.restore(agent.before, [agent])
    expect(place.files()).toEqual(files)
  })

  it('contain names that are not UTF-8, and show them escaped', async () => {
    const place = make()
    const name = Buffer.concat([Buffer.from(`${place.cwd}/caf`), Buffer.from([0xe9])])
    writeFileSync(name, 'old')
    const files = place.files()
    const agent = await run(place, () => {
      writeFileSync(name, 'new')
    })
    expect((await place.plan(agent.before, [agent])).changes).toEqual([{ path: '"caf\\351"', change: 'replace' }])
    await place.restore(agent.before, [agent])
    expect(place.files()).toEqual(files)
  })

  it('replace files by folders and folders by files', async () => {
    const place = make()
    place.write('a', 'file')
    place.write('b/c', 'inside')
    const files = place.files()
    const agent = await run(place, () => {
      place.remove('a')
      place.write('a/x/y', 'now a folder')
      place.remove('b')
      place.write('b', 'now a file')
    })
    await place.restore(agent.before, [agent])
    expect(place.files()).toEqual(files)
  })

  it('leave changes of the user alone', async () => {
    const place = make()
    place.write('agent', '1')
    place.write('user', '1')
    const agent = await run(place, () => {
      place.write('agent', '2')
    })
    place.write('user', 'mine')
    place.write('new', 'mine')
    const plan = await place.plan(agent.before, [agent])
    expect(plan).toMatchObject({ changes: [{ path: 'agent', change: 'replace' }], conflicts: [] })
    await place.restore(agent.before, [agent])
    expect([place.read('agent'), place.read('user'), place.read('new')]).toEqual(['1', 'mine', 'mine'])
  })

  it.each([
    ['edited', (place: TestFolder) => place.write('a', 'mine')],
    ['removed', (place: TestFolder) => place.remove('a')],
  ])('report as a conflict a file that the user %s after the agent', async (_what, edit) => {
    const place = make()
    place.write('a', '1')
    const agent = await run(place, () => {
      place.write('a', '2')
    })
    edit(place)
    const { conflicts } = await place.plan(agent.before, [agent])
    expect(conflicts).toEqual([{ path: 'a', reason: 'it was changed, but not by the agent' }])
    await place.restore(agent.before, [agent])
    expect(place.read('a')).toBe('1')
  })

  it('see an edit between two runs', async () => {
    const place = make()
    place.write('a', '1')
    const first = await run(place, () => place.write('a', '2'))
    place.write('a', 'mine')
    const second = await run(place, () => place.write('a', '3'))
    expect((await place.plan(second.before, [second])).conflicts).toEqual([])
    expect((await place.plan(first.before, [first, second])).conflicts).toMatchObject([{ path: 'a' }])
  })

  it('report everything as a conflict if the state after the run is unknown', async () => {
    const place = make()
    place.write('a', '1')
    const before = await place.take()
    place.write('a', '2')
    expect((await place.plan(before, [{ before }])).conflicts).toMatchObject([{ path: 'a' }])
  })

  it('never contain ignored files, nor remove them when they are no longer ignored [S15c]', async () => {
    const place = make()
    place.write('.gitignore', '.env\nbuild/\n')
    place.write('.env', 'TOKEN=hunter2hunter2')
    place.write('build/out', 'hunter2hunter2')
    const agent = await run(place, () => {
      place.write('.gitignore', '')
      place.write('fresh', 'x')
    })
    const plan = await place.plan(agent.before, [agent])
    expect(plan.changes.map((change) => change.path).sort()).toEqual(['.gitignore', 'fresh'])
    await place.restore(agent.before, [agent])
    expect(place.read('.env')).toBe('TOKEN=hunter2hunter2')
    expect(everythingUnder(place.home)).not.toContain('hunter2hunter2')
  })

  it('do not overwrite files that are ignored now, unless it is requested', async () => {
    const place = make()
    place.write('out', '1')
    const agent = await run(place, () => {
      place.write('.gitignore', 'out\n')
    })
    place.write('out', 'mine')
    const plan = await place.plan(agent.before, [agent])
    expect(plan.conflicts).toMatchObject([{ path: 'out' }])
  })

  it('do not follow a link that replaced a folder', async () => {
    const place = make()
    place.write('folder/a', '1')
    mkdirSync(`${place.cwd}-outside`)
    writeFileSync(`${place.cwd}-outside/a`, 'outside')
    const files = place.files()
    const agent = await run(place, () => {
      place.remove('folder')
      place.link('folder', `${place.cwd}-outside`)
    })
    await place.restore(agent.before, [agent])
    expect(place.files()).toEqual(files)
    expect(lstatSync(path.join(place.cwd, 'folder')).isDirectory()).toBe(true)
    expect(readFileSync(`${place.cwd}-outside/a`, 'utf8')).toBe('outside')
  })

  it('name the files that they do not contain, and leave them unchanged', async () => {
    const place = make()
    place.write('large', Buffer.alloc(17 * 2 ** 20))
    const before = await once(place.snapshots.take({ cwd: place.cwd, limitMs: 30_000 }))
    expect(before).toMatchObject({ type: 'taken', notKept: 1 })
    if (before.type !== 'taken') return
    place.write('large', 'small now')
    const plan = await place.plan(before.snapshot, [{ before: before.snapshot, after: await place.take() }])
    expect(plan).toMatchObject({ changes: [], kept: [{ path: 'large' }, { path: 'large' }] })
  })

  it('are identical while nothing changes', async () => {
    const place = make()
    place.write('a', '1')
    const first = await place.take()
    expect(await place.take()).toBe(first)
    place.write('a', '2')
    expect(await place.take()).not.toBe(first)
  })

  it('can be taken of two sessions at once', async () => {
    const place = make()
    for (let file = 0; file < 100; file += 1) place.write(`f${file}`, `${file}`)
    const other = fileSnapshots({ home: place.home, env: place.env })
    const taken = await Promise.all(
      [place.snapshots, other, place.snapshots, other].map((each) =>
        once(each.take({ cwd: place.cwd, limitMs: 30_000 })),
      ),
    )
    expect(taken.filter(({ type }) => type === 'skipped')).toEqual([])
    const ids = taken.flatMap((each) => (each.type === 'taken' ? [each.snapshot] : []))
    place.write('f1', 'new')
    const after = await place.take()
    for (const before of ids) expect((await place.plan(before, [{ before, after }])).changes).toHaveLength(1)
  })

  it('cannot be read by other users [S15b]', async () => {
    const place = make()
    place.write('a', '1')
    await place.take()
    for (const file of pathsUnder(place.home)) expect(statSync(file).mode & 0o077, file).toBe(0)
  })

  it('survive a kill during their creation', async () => {
    const place = make()
    for (let file = 0; file < 500; file += 1) place.write(`f${file}`, `${file}`.repeat(1000))
    for (const delay of [0, 5, 15, 30, 60]) {
      const subscription = place.snapshots.take({ cwd: place.cwd }).subscribe()
      await new Promise((resolve) => setTimeout(resolve, delay))
      subscription.unsubscribe()
      place.write('f0', `${delay}`)
    }
    const before = await place.take()
    place.write('f1', 'new')
    const agent = { before, after: await place.take(before) }
    await place.restore(before, [agent])
    expect(place.read('f1')).toBe('1'.repeat(1000))
  })
})

it('keeps the last 100 of a folder in few packs [S15b]', { timeout: 120_000 }, async () => {
  const place = aFolder()
  const ids: string[] = []
  for (let turn = 0; turn < 110; turn += 1) {
    place.write('a', `content ${turn}`)
    ids.push(await place.take(ids.at(-1)))
  }
  await expect(place.plan(ids[0] ?? '', [])).rejects.toMatchObject({ code: 'bad_request' })
  const [before = '', after = ''] = ids.slice(-2)
  expect((await place.plan(before, [{ before, after }])).changes).toHaveLength(1)
  const refs = pathsUnder(place.home).filter((file) => file.includes('/refs/snapshots/'))
  expect(refs.length).toBeLessThanOrEqual(101)
  expect(pathsUnder(place.home).filter((file) => file.endsWith('.pack')).length).toBeLessThanOrEqual(51)
})

it('refuses an invalid id before it touches a path [S9a]', async () => {
  const place = aFolder()
  await expect(place.plan('../../etc', [])).rejects.toMatchObject({ code: 'bad_request' })
})

it('skips a folder with 50,001 files, and reports it [S15b]', async () => {
  const place = aRepository()
  const oid = place.git('hash-object', '-w', '--stdin').trim()
  const entries = Array.from({ length: 50_001 }, (_, file) => `100644 ${oid}\tf${file}\n`).join('')
  execFileSync('git', ['update-index', '--index-info'], { cwd: place.cwd, env: place.env, input: entries })
  const skipped = await once(place.snapshots.take({ cwd: place.cwd, limitMs: 30_000 }))
  expect(skipped).toEqual({ type: 'skipped', message: 'the folder has more than 50,000 files' })
})

it('skips a folder that exceeds the time limit, and reports it [S15b]', async () => {
  const place = aFolder()
  place.write('a', '1')
  const skipped = await once(place.snapshots.take({ cwd: place.cwd, limitMs: 1 }))
  expect(skipped).toEqual({ type: 'skipped', message: 'it would have taken longer than 0.001 s' })
})

it('skips a home folder that is no repository', async () => {
  const place = aFolder()
  const top = path.dirname(place.cwd)
  const skipped = await once(place.snapshots.take({ cwd: top }))
  expect(skipped).toEqual({
    type: 'skipped',
    message: 'the folder holds your home folder and is no git repository',
  })
})

it.each(['state', '..state'])('never contains its own home, %s', async (name) => {
  const place = aFolder()
  const inside = path.join(place.cwd, name)
  const snapshots = fileSnapshots({ home: inside, env: place.env })
  place.write('a', '1')
  const first = await once(snapshots.take({ cwd: place.cwd, limitMs: 30_000 }))
  expect(first).toMatchObject({ type: 'taken', files: 1 })
})

it('reports that the folder is missing', async () => {
  const place = aFolder()
  place.remove('.')
  expect(await once(place.snapshots.take({ cwd: place.cwd }))).toMatchObject({ type: 'skipped' })
})

it('restores nothing if a content is missing', async () => {
  const place = aRepository()
  for (let file = 0; file < 100; file += 1) place.write(`f${file}`, `${file}`)
  place.write('a', 'one a')
  place.write('b', 'one b')
  place.git('add', '-A')
  place.git('commit', '-qm', 'one')
  const agent = await run(place, () => {
    place.write('a', '2')
    place.write('b', '2')
  })
  renameSync(path.join(place.cwd, '.git/objects'), path.join(place.cwd, '.git/gone'))
  mkdirSync(path.join(place.cwd, '.git/objects'))
  await expect(place.restore(agent.before, [agent])).rejects.toMatchObject({ code: 'storage' })
  expect(place.read('a')).toBe('2')
})

function pathsUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => path.join(folder, name))
}

/** All bytes, objects inflated by git itself. */
function everythingUnder(home: string): string {
  const raw = pathsUnder(home)
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'latin1'))
  const gitDirs = pathsUnder(home).filter((file) => file.endsWith('/git'))
  const objects = gitDirs.map((gitDir) =>
    execFileSync('git', ['cat-file', '--batch-all-objects', '--batch'], {
      env: { PATH: process.env['PATH'] ?? '', GIT_DIR: gitDir },
      encoding: 'latin1',
    }),
  )
  return [...raw, ...objects].join('\n')
}
