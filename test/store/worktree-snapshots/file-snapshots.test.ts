// Tests snapshots of a working folder, with and without a repository.
// Over 250 lines: one contract for both kinds of snapshots, and the bounds of each.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { holdPlaceholders } from '../../../lib/host/sandbox/guarded-paths.ts'
import { fileSnapshots } from '../../../lib/store/worktree-snapshots/file-snapshots.ts'
import { listFiles } from '../../../lib/store/worktree-snapshots/list-worktree-files.ts'
import { openWorkspace } from '../../../lib/store/worktree-snapshots/take-snapshot.ts'
import type { SnapshotPair } from '../../../lib/streams/ports/snapshots.ts'
import { aFolder, aRepository, once } from './repository-scene.ts'
import type { TestFolder } from './repository-scene.ts'
import { isFull, sampleSize } from '../../support/sample-size.ts'

/** The changes of the agent between its two snapshots. */
async function run(workspace: TestFolder, act: () => void): Promise<SnapshotPair & { readonly before: string }> {
  const before = await workspace.take()
  act()
  return { before, after: await workspace.take(before) }
}

const kinds = [
  { kind: 'a git repository', make: aRepository },
  { kind: 'a plain folder', make: aFolder },
]

it('of a plain folder are taken while a sandbox holds an empty .git there', async () => {
  const workspace = aFolder()
  workspace.write('kept.txt', 'kept')
  const before = await workspace.take()
  const release = holdPlaceholders([path.join(workspace.cwd, '.git')])
  try {
    expect(await workspace.take(before)).toBe(before)
  } finally {
    release()
  }
})

describe.each(kinds)('snapshots of $kind', ({ kind, make }) => {
  // how files are listed and read depends on the kind; plans and the store do not, so `npm test` has these for one
  const itOnce = it.runIf(isFull || kind === 'a plain folder')

  it('restore changed, removed and created files', async () => {
    const workspace = make()
    workspace.write('kept.txt', 'kept')
    workspace.write('changed.txt', 'old')
    workspace.write('deep/er/removed.txt', 'gone?')
    const files = workspace.files()
    const agent = await run(workspace, () => {
      workspace.write('changed.txt', 'new')
      workspace.remove('deep')
      workspace.write('made/up/created.txt', 'x')
    })
    const plan = await workspace.plan(agent.before, [agent])
    expect(plan.changes.toSorted((one, other) => one.path.localeCompare(other.path))).toEqual([
      { path: 'changed.txt', change: 'replace' },
      { path: 'deep/er/removed.txt', change: 'create' },
      { path: 'made/up/created.txt', change: 'remove' },
    ])
    expect(plan.conflicts).toEqual([])
    const { paths, failure, snapshotAfter } = await workspace.restore(agent.before, [agent])
    expect(failure).toBeUndefined()
    expect(paths).toHaveLength(3)
    expect(workspace.files()).toEqual(files)
    expect(existsSync(path.join(workspace.cwd, 'made'))).toBe(false)
    expect(snapshotAfter).toBe(await workspace.take())
  })

  itOnce('can be restored themselves', async () => {
    const workspace = make()
    workspace.write('a', '1')
    const agent = await run(workspace, () => {
      workspace.write('a', '2')
      workspace.write('b', '2')
    })
    const files = workspace.files()
    const { snapshotBefore } = await workspace.plan(agent.before, [agent])
    const restored = await workspace.restore(agent.before, [agent])
    expect(workspace.read('a')).toBe('1')
    const back = { before: snapshotBefore, ...(restored.snapshotAfter && { after: restored.snapshotAfter }) }
    await workspace.restore(snapshotBefore, [back])
    expect(workspace.files()).toEqual(files)
  })

  it('keep permissions and symbolic links', async () => {
    const workspace = make()
    workspace.write('run.sh', 'x', 0o755)
    workspace.write('secret', 'x', 0o600)
    workspace.write('open', 'x', 0o644)
    workspace.write('other', 'x', 0o644)
    workspace.link('link', 'no/where')
    workspace.link('up', '../outside')
    const files = workspace.files()
    const agent = await run(workspace, () => {
      workspace.write('run.sh', 'x', 0o644)
      workspace.remove('secret')
      workspace.write('open', 'x', 0o600)
      workspace.remove('link')
      workspace.write('link', 'a file now')
      workspace.remove('up')
      workspace.link('up', 'elsewhere')
    })
    await workspace.restore(agent.before, [agent])
    expect(workspace.files()).toEqual(files)
  })

  it('contain names with spaces, line feeds, dashes, quotes, tabs, stars and umlauts', async () => {
    const workspace = make()
    const names = ['a b/c d.txt', 'a\nb/c\n.txt', '-rf', '"a\\b', '\t*?[x]', 'Größe/ö']
    for (const name of names) workspace.write(name, `old ${name}`)
    const files = workspace.files()
    const agent = await run(workspace, () => {
      for (const name of names) workspace.remove(name)
    })
    expect((await workspace.plan(agent.before, [agent])).changes).toHaveLength(names.length)
    await workspace.restore(agent.before, [agent])
    expect(workspace.files()).toEqual(files)
  })

  it('contain names that are not UTF-8, and show them escaped', async () => {
    const workspace = make()
    const name = Buffer.concat([Buffer.from(`${workspace.cwd}/caf`), Buffer.from([0xe9])])
    writeFileSync(name, 'old')
    const files = workspace.files()
    const agent = await run(workspace, () => {
      writeFileSync(name, 'new')
    })
    expect((await workspace.plan(agent.before, [agent])).changes).toEqual([{ path: '"caf\\351"', change: 'replace' }])
    await workspace.restore(agent.before, [agent])
    expect(workspace.files()).toEqual(files)
  })

  it('replace files by folders and folders by files', async () => {
    const workspace = make()
    workspace.write('a', 'file')
    workspace.write('b/c', 'inside')
    const files = workspace.files()
    const agent = await run(workspace, () => {
      workspace.remove('a')
      workspace.write('a/x/y', 'now a folder')
      workspace.remove('b')
      workspace.write('b', 'now a file')
    })
    await workspace.restore(agent.before, [agent])
    expect(workspace.files()).toEqual(files)
  })

  itOnce('leave changes of the user alone', async () => {
    const workspace = make()
    workspace.write('agent', '1')
    workspace.write('user', '1')
    const agent = await run(workspace, () => {
      workspace.write('agent', '2')
    })
    workspace.write('user', 'mine')
    workspace.write('new', 'mine')
    const plan = await workspace.plan(agent.before, [agent])
    expect(plan).toMatchObject({ changes: [{ path: 'agent', change: 'replace' }], conflicts: [] })
    await workspace.restore(agent.before, [agent])
    expect([workspace.read('agent'), workspace.read('user'), workspace.read('new')]).toEqual(['1', 'mine', 'mine'])
  })

  itOnce.each([
    ['edited', (workspace: TestFolder) => workspace.write('a', 'mine')],
    ['removed', (workspace: TestFolder) => workspace.remove('a')],
  ])('report as a conflict a file that the user %s after the agent', async (_what, edit) => {
    const workspace = make()
    workspace.write('a', '1')
    const agent = await run(workspace, () => {
      workspace.write('a', '2')
    })
    edit(workspace)
    const { conflicts } = await workspace.plan(agent.before, [agent])
    expect(conflicts).toEqual([{ path: 'a', reason: 'it was changed, but not by the agent' }])
    await workspace.restore(agent.before, [agent])
    expect(workspace.read('a')).toBe('1')
  })

  itOnce('see an edit between two runs', async () => {
    const workspace = make()
    workspace.write('a', '1')
    const first = await run(workspace, () => workspace.write('a', '2'))
    workspace.write('a', 'mine')
    const second = await run(workspace, () => workspace.write('a', '3'))
    expect((await workspace.plan(second.before, [second])).conflicts).toEqual([])
    expect((await workspace.plan(first.before, [first, second])).conflicts).toMatchObject([{ path: 'a' }])
  })

  itOnce('report everything as a conflict if the state after the run is unknown', async () => {
    const workspace = make()
    workspace.write('a', '1')
    const before = await workspace.take()
    workspace.write('a', '2')
    expect((await workspace.plan(before, [{ before }])).conflicts).toMatchObject([{ path: 'a' }])
  })

  it('never contain ignored files, nor remove them when they are no longer ignored [S15c]', async () => {
    const workspace = make()
    workspace.write('.gitignore', '.env\nbuild/\n')
    workspace.write('.env', 'TOKEN=hunter2hunter2')
    workspace.write('build/out', 'hunter2hunter2')
    const agent = await run(workspace, () => {
      workspace.write('.gitignore', '')
      workspace.write('fresh', 'x')
    })
    const plan = await workspace.plan(agent.before, [agent])
    expect(plan.changes.map((change) => change.path).sort()).toEqual(['.gitignore', 'fresh'])
    await workspace.restore(agent.before, [agent])
    expect(workspace.read('.env')).toBe('TOKEN=hunter2hunter2')
    expect(everythingUnder(workspace.home)).not.toContain('hunter2hunter2')
  })

  it('do not overwrite files that are ignored now, unless it is requested', async () => {
    const workspace = make()
    workspace.write('out', '1')
    const agent = await run(workspace, () => {
      workspace.write('.gitignore', 'out\n')
    })
    workspace.write('out', 'mine')
    const plan = await workspace.plan(agent.before, [agent])
    expect(plan.conflicts).toMatchObject([{ path: 'out' }])
  })

  it('do not follow a link that replaced a folder', async () => {
    const workspace = make()
    workspace.write('folder/a', '1')
    mkdirSync(`${workspace.cwd}-outside`)
    writeFileSync(`${workspace.cwd}-outside/a`, 'outside')
    const files = workspace.files()
    const agent = await run(workspace, () => {
      workspace.remove('folder')
      workspace.link('folder', `${workspace.cwd}-outside`)
    })
    await workspace.restore(agent.before, [agent])
    expect(workspace.files()).toEqual(files)
    expect(lstatSync(path.join(workspace.cwd, 'folder')).isDirectory()).toBe(true)
    expect(readFileSync(`${workspace.cwd}-outside/a`, 'utf8')).toBe('outside')
  })

  it('name the files that they do not contain, and leave them unchanged', async () => {
    const workspace = make()
    workspace.write('large', Buffer.alloc(17 * 2 ** 20))
    const before = await once(workspace.snapshots.take({ cwd: workspace.cwd, limitMs: 30_000 }))
    expect(before).toMatchObject({ type: 'taken', notKept: 1 })
    if (before.type !== 'taken') return
    workspace.write('large', 'small now')
    const plan = await workspace.plan(before.snapshot, [{ before: before.snapshot, after: await workspace.take() }])
    expect(plan).toMatchObject({ changes: [], kept: [{ path: 'large' }, { path: 'large' }] })
  })

  itOnce('are identical while nothing changes', async () => {
    const workspace = make()
    workspace.write('a', '1')
    const first = await workspace.take()
    expect(await workspace.take()).toBe(first)
    workspace.write('a', '2')
    expect(await workspace.take()).not.toBe(first)
  })

  itOnce('can be taken of two sessions at once', async () => {
    const workspace = make()
    for (let file = 0; file < 100; file += 1) workspace.write(`f${file}`, `${file}`)
    const other = fileSnapshots({ home: workspace.home, env: workspace.env })
    const taken = await Promise.all(
      [workspace.snapshots, other, workspace.snapshots, other].map((each) =>
        once(each.take({ cwd: workspace.cwd, limitMs: 30_000 })),
      ),
    )
    expect(taken.filter(({ type }) => type === 'skipped')).toEqual([])
    const ids = taken.flatMap((each) => (each.type === 'taken' ? [each.snapshot] : []))
    workspace.write('f1', 'new')
    const after = await workspace.take()
    for (const before of ids) expect((await workspace.plan(before, [{ before, after }])).changes).toHaveLength(1)
  })

  it('cannot be read by other users [S15b]', async () => {
    const workspace = make()
    workspace.write('a', '1')
    await workspace.take()
    for (const file of pathsUnder(workspace.home)) expect(statSync(file).mode & 0o077, file).toBe(0)
  })

  itOnce('survive a kill during their creation', async () => {
    const workspace = make()
    for (let file = 0; file < 500; file += 1) workspace.write(`f${file}`, `${file}`.repeat(1000))
    for (const delay of [0, 5, 15, 30, 60]) {
      const subscription = workspace.snapshots.take({ cwd: workspace.cwd }).subscribe()
      await new Promise((resolve) => setTimeout(resolve, delay))
      subscription.unsubscribe()
      workspace.write('f0', `${delay}`)
    }
    const before = await workspace.take()
    workspace.write('f1', 'new')
    const agent = { before, after: await workspace.take(before) }
    await workspace.restore(before, [agent])
    expect(workspace.read('f1')).toBe('1'.repeat(1000))
  })
})

it('keeps the last 100 of a folder in few packs [S15b]', { timeout: 120_000 }, async () => {
  const workspace = aFolder()
  workspace.write('a', 'content')
  const first = await workspace.take()
  const oldest = isFull ? first : plantSnapshots(workspace, first)
  const ids = [first]
  for (let turn = 0; turn < sampleSize(2, 110); turn += 1) {
    workspace.write('a', `content ${turn}`)
    ids.push(await workspace.take(ids.at(-1)))
  }
  await expect(workspace.plan(oldest, [])).rejects.toMatchObject({ code: 'bad_request' })
  const [before = '', after = ''] = ids.slice(-2)
  expect((await workspace.plan(before, [{ before, after }])).changes).toHaveLength(1)
  const refs = pathsUnder(workspace.home).filter((file) => file.includes('/refs/snapshots/'))
  expect(refs).toHaveLength(100)
  expect(pathsUnder(workspace.home).filter((file) => file.endsWith('.pack')).length).toBeLessThanOrEqual(51)
})

/** Copies a snapshot to 110 older ones, each with packs of its own; returns the oldest. */
function plantSnapshots({ home }: TestFolder, snapshot: string): string {
  const files = pathsUnder(home)
  const ref = files.find((file) => file.endsWith(`/refs/snapshots/${snapshot}`)) ?? ''
  const pack = files.find((file) => file.endsWith('.pack')) ?? ''
  const planted = Array.from({ length: 110 }, (_, age) => ({
    id: `${1_000_000_000_000 + age}-aaaaaaaa`,
    hash: age.toString(16).padStart(40, '0'),
    seconds: 1_000 + age,
  }))
  for (const { id, hash, seconds } of planted) {
    copyFileSync(ref, path.join(path.dirname(ref), id))
    utimesSync(path.join(path.dirname(ref), id), seconds, seconds)
    for (const end of ['.pack', '.idx'])
      copyFileSync(pack.replace(/\.pack$/, end), path.join(path.dirname(pack), `pack-${hash}${end}`))
  }
  return planted[0]?.id ?? ''
}

it('refuses an invalid id before it touches a path [S9a]', async () => {
  const workspace = aFolder()
  await expect(workspace.plan('../../etc', [])).rejects.toMatchObject({ code: 'bad_request' })
})

it('lists a folder with 50,000 files; skips one with 50,001, and reports it [S15b]', async () => {
  const workspace = aRepository()
  const oid = workspace.git('hash-object', '-w', '--stdin').trim()
  const entries = Array.from({ length: 50_000 }, (_, file) => `100644 ${oid}\tf${file}\n`).join('')
  execFileSync('git', ['update-index', '--index-info'], { cwd: workspace.cwd, env: workspace.env, input: entries })
  const { program, folder } = openWorkspace(workspace, workspace.cwd)
  const listing = { program, folder, env: workspace.env, gitDir: '', signal: new AbortController().signal }
  expect((await listFiles(listing)).names).toHaveLength(50_000)
  workspace.git('update-index', '--add', '--cacheinfo', `100644,${oid},f50000`)
  const skipped = await once(workspace.snapshots.take({ cwd: workspace.cwd, limitMs: 30_000 }))
  expect(skipped).toEqual({ type: 'skipped', message: 'the folder has more than 50,000 files' })
})

it('skips a folder that exceeds the time limit, and reports it [S15b]', async () => {
  const workspace = aFolder()
  workspace.write('a', '1')
  const skipped = await once(workspace.snapshots.take({ cwd: workspace.cwd, limitMs: 1 }))
  expect(skipped).toEqual({ type: 'skipped', message: 'it would have taken longer than 0.001 s' })
})

it('skips a home folder that is no repository', async () => {
  const workspace = aFolder()
  const top = path.dirname(workspace.cwd)
  const skipped = await once(workspace.snapshots.take({ cwd: top }))
  expect(skipped).toEqual({
    type: 'skipped',
    message: 'the folder holds your home folder and is not a git repository',
  })
})

it.each(['state', '..state'])('never contains its own home, %s', async (name) => {
  const workspace = aFolder()
  const inside = path.join(workspace.cwd, name)
  const snapshots = fileSnapshots({ home: inside, env: workspace.env })
  workspace.write('a', '1')
  const first = await once(snapshots.take({ cwd: workspace.cwd, limitMs: 30_000 }))
  expect(first).toMatchObject({ type: 'taken', files: 1 })
})

it('reports that the folder is missing', async () => {
  const workspace = aFolder()
  workspace.remove('.')
  expect(await once(workspace.snapshots.take({ cwd: workspace.cwd }))).toMatchObject({ type: 'skipped' })
})

it('restores nothing if a content is missing', async () => {
  const workspace = aRepository()
  for (let file = 0; file < 100; file += 1) workspace.write(`f${file}`, `${file}`)
  workspace.write('a', 'one a')
  workspace.write('b', 'one b')
  workspace.git('add', '-A')
  workspace.git('commit', '-qm', 'one')
  const agent = await run(workspace, () => {
    workspace.write('a', '2')
    workspace.write('b', '2')
  })
  renameSync(path.join(workspace.cwd, '.git/objects'), path.join(workspace.cwd, '.git/gone'))
  mkdirSync(path.join(workspace.cwd, '.git/objects'))
  await expect(workspace.restore(agent.before, [agent])).rejects.toMatchObject({ code: 'storage' })
  expect(workspace.read('a')).toBe('2')
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
