// Stores one folder's snapshots in a git directory under $RXPI_HOME.
// Its configuration is rxpi's own.
import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { ensurePrivateFolder } from '../../host/files/private-files.ts'
import { replacePrivateFile } from '../../host/files/replace-file.ts'
import { Failure } from '../../streams/values/failure.ts'
import { randomIds } from '../../streams/values/identifiers.ts'
import { snapshotPattern } from '../../streams/ports/snapshots.ts'
import { sessionFolder } from '../sessions/session-folder.ts'

export interface SnapshotStore {
  readonly gitDir: string
  /** State of the last snapshot: see `folder-index.ts`. */
  readonly indexFile: string
  /** @throws Failure `bad_request` if the snapshot does not exist */
  refOf(snapshot: string): string
  has(snapshot: string): boolean
  /** Marks it as used: pruning removes the oldest first. */
  touch(snapshot: string): void
  newId(): string
  /** Oldest first. */
  list(): string[]
  fileOf(snapshot: string): string
}

const config = `[core]
	repositoryformatversion = 0
	sharedRepository = 0600
	logAllRefUpdates = false
	protectNTFS = false
	protectHFS = false
	looseCompression = 1
[pack]
	compression = 1
	window = 0
	packSizeLimit = 0
[gc]
	auto = 0
[fastimport]
	unpackLimit = 0
`

/** @param home `$RXPI_HOME`, absolute */
export function snapshotsFolder(home: string): string {
  return path.join(home, 'snapshots')
}

/** Opens it, creates it if it is missing. @throws Failure `storage` */
export function openSnapshotStore(home: string, cwd: string): SnapshotStore {
  const folder = path.join(snapshotsFolder(home), sessionFolder(cwd))
  const gitDir = path.join(folder, 'git')
  const refs = path.join(gitDir, 'refs', 'snapshots')
  const fileOf = (snapshot: string): string => path.join(refs, checkSnapshotName(snapshot))
  for (const inside of [path.join(gitDir, 'objects', 'pack'), refs]) ensurePrivateFolder(inside, home)
  const initialFiles = { config, HEAD: 'ref: refs/heads/none\n' }
  for (const [name, text] of Object.entries(initialFiles)) {
    const file = path.join(gitDir, name)
    if (!existsSync(file)) replacePrivateFile(file, text)
  }
  return {
    gitDir,
    indexFile: path.join(folder, 'index.json'),
    fileOf,
    has: (snapshot) => existsSync(fileOf(snapshot)),
    refOf: (snapshot) => {
      if (existsSync(fileOf(snapshot))) return `refs/snapshots/${snapshot}`
      throw new Failure('bad_request', `The snapshot ${snapshot} of ${cwd} no longer exists: old ones are removed`)
    },
    touch: (snapshot) => {
      const now = new Date()
      utimesSync(fileOf(snapshot), now, now)
    },
    newId: () => `${Date.now()}-${randomIds().short()}`,
    list: () =>
      readdirSync(refs)
        .filter((name) => snapshotPattern.test(name))
        .map((name) => ({ name, at: statSync(path.join(refs, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
        .sort((one, other) => one.at - other.at)
        .map(({ name }) => name),
  }
}

/** Names from logs are checked before they reach a path (docs/design/security.md#S9). */
function checkSnapshotName(snapshot: string): string {
  if (snapshotPattern.test(snapshot)) return snapshot
  throw new Failure('bad_request', `${JSON.stringify(snapshot.slice(0, 40))} is not a snapshot id`)
}
