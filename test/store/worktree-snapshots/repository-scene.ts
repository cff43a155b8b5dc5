// A folder, a home of rxpi, and a git without user configuration; all removed after the test.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Observable } from 'rxjs'
import { onTestFinished } from 'vitest'
import { fileSnapshots } from '../../../lib/store/worktree-snapshots/file-snapshots.ts'
import type { RestorePlan, RestoredFiles, SnapshotPair, Snapshots } from '../../../lib/streams/ports/snapshots.ts'

export interface TestFolder {
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly snapshots: Snapshots
  git(...args: string[]): string
  gitIn(folder: string, ...args: string[]): string
  write(name: string, content: string | Buffer, mode?: number): void
  link(name: string, target: string): void
  remove(name: string): void
  read(name: string): string
  /** Every file and link below, with mode and content, except `.git`. */
  files(): Record<string, string>
  /** A snapshot's id. */
  take(before?: string): Promise<string>
  plan(to: string, since: readonly SnapshotPair[]): Promise<RestorePlan>
  restore(to: string, since: readonly SnapshotPair[]): Promise<RestoredFiles>
}

export function aFolder(): TestFolder {
  const top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-snapshots-')))
  onTestFinished(() => {
    rmSync(top, { recursive: true, force: true })
  })
  const [cwd, home, user] = ['folder', 'rxpi', 'user'].map((name) => path.join(top, name)) as [string, string, string]
  for (const folder of [cwd, user]) mkdirSync(folder)
  writeFileSync(
    path.join(user, '.gitconfig'),
    '[user]\nname = A\nemail = a@example.org\n[init]\ndefaultBranch = main\n[gc]\nauto = 0\n[protocol "file"]\nallow = always\n',
  )
  const env = { HOME: user, PATH: process.env['PATH'] ?? '' }
  const snapshots = fileSnapshots({ home, env })
  const at = (name: string): string => path.join(cwd, name)
  const gitIn = (folder: string, ...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  const plan = (to: string, since: readonly SnapshotPair[]): Promise<RestorePlan> =>
    once(snapshots.changes({ cwd, to, since }))
  return {
    cwd,
    home,
    env,
    snapshots,
    gitIn,
    git: (...args) => gitIn(cwd, ...args),
    write: (name, content, mode) => {
      mkdirSync(path.dirname(at(name)), { recursive: true })
      writeFileSync(at(name), content)
      if (mode !== undefined) chmodSync(at(name), mode)
    },
    link: (name, target) => {
      symlinkSync(target, at(name))
    },
    remove: (name) => {
      rmSync(at(name), { recursive: true })
    },
    read: (name) => readFileSync(at(name), 'utf8'),
    files: () => filesBelow(cwd),
    take: async (before) => {
      const taken = await once(snapshots.take({ cwd, limitMs: 30_000, ...(before === undefined ? {} : { before }) }))
      if (taken.type === 'skipped') throw new Error(`skipped: ${taken.message}`)
      return taken.snapshot
    },
    plan,
    restore: async (to, since) => {
      const { snapshotBefore } = await plan(to, since)
      return once(snapshots.restore({ cwd, to, since, snapshotBefore }))
    },
  }
}

/** The same as a git repository without a commit. */
export function aRepository(): TestFolder {
  const workspace = aFolder()
  workspace.git('init', '-q')
  return workspace
}

/** The only value of a stream. */
export function once<Value>(value$: Observable<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    value$.subscribe({ next: resolve, error: reject })
  })
}

/** Like `Place.files`, of any folder; names by their bytes. */
export function filesBelow(folder: string, skip = '.git'): Record<string, string> {
  const found: Record<string, string> = {}
  const visit = (inside: Buffer, shown: string): void => {
    for (const entry of readdirSync(inside, { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString('latin1')
      const workspace = Buffer.concat([inside, Buffer.from('/'), entry.name])
      if (name === skip) continue
      if (entry.isDirectory()) visit(workspace, `${shown}${name}/`)
      else found[shown + name] = described(workspace)
    }
  }
  visit(Buffer.from(folder), '')
  return found
}

function described(workspace: Buffer): string {
  const status = lstatSync(workspace)
  if (status.isSymbolicLink()) return `-> ${readlinkSync(workspace, 'latin1')}`
  const digest = createHash('sha256').update(readFileSync(workspace)).digest('hex').slice(0, 12)
  return `${(status.mode & 0o777).toString(8)} ${status.size} ${digest}`
}
