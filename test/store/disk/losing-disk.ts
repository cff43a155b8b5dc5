// A disk that loses power: it keeps synced data and a random part of the rest.
import {
  constants,
  fstatSync,
  readFileSync,
  readdirSync,
  writeFileSync,
  mkdirSync,
  statSync,
  utimesSync,
} from 'node:fs'
import path from 'node:path'
import { timer } from 'rxjs'
import { nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'
import type { FileSystemPort } from '../../../lib/store/disk/file-system-port.ts'
import { applied, survivingBytes } from './surviving-bytes.ts'
import type { Chance, Content, LosingMode } from './surviving-bytes.ts'

export interface LosingDisk {
  /** The files as the program sees them. */
  readonly files: FileSystemPort
  /** Counts as an operation at which the power can fail: a response was sent. */
  moment(): void
  /** Writes into a new folder the files that remain after the power failed at the chosen operation. */
  survivors(into: string): void
}

export interface LosingDiskOptions {
  /** Everything in it at its creation is synced. */
  readonly root: string
  readonly random: () => number
  readonly mode: LosingMode
  /** Called at each operation that replaces the chosen one. */
  chosen(): void
}

/** The factor by which the power fails more likely right after a response, when it does the most harm. */
const answerWeight = 5

/** Names to inode numbers. */
type Entries = ReadonlyMap<string, number>

/** Everything that can survive, at one moment. */
interface Moment {
  readonly contents: ReadonlyMap<number, Content>
  /** By path below the root: the synced content, and the content at the beginning. */
  readonly folders: ReadonlyMap<string, { readonly synced: Entries; readonly now: Entries }>
  /** The initial content of files that the port does not see: locks, stored torn lines. */
  readonly others: ReadonlyMap<number, Buffer>
}

export function losingDisk({ root, random, mode, chosen }: LosingDiskOptions): LosingDisk {
  const contents = new Map<number, Content>()
  const syncedFolders = new Map<string, Entries>()
  const folderOf = new Map<number, string>() // open folders by descriptor
  const others = new Map<number, Buffer>()
  let operations = 0
  let last: Moment | undefined
  for (const folder of foldersBelow(root)) syncedFolders.set(folder, entriesOf(path.join(root, folder)))

  function operation(weight = 1): void {
    operations += weight
    if (random() >= weight / operations) return
    lookAtOthers()
    last = momentOf(root, { contents, others, syncedFolders })
    chosen()
  }
  function lookAtOthers(): void {
    for (const file of filesBelow(root)) {
      const { ino } = statSync(file)
      if (!contents.has(ino)) others.set(ino, readFileSync(file))
    }
  }
  function change(descriptor: number, next: (content: Content) => Content): void {
    const { ino } = fstatSync(descriptor)
    // new to the disk: its content existed when the disk was created, or there was none
    contents.set(ino, next(contents.get(ino) ?? { synced: Buffer.alloc(0), changes: [] }))
  }
  function later(act: () => void): void {
    timer(Math.floor(random() * 5) * 10).subscribe(() => {
      operation()
      act()
      operation()
    })
  }
  for (const file of filesBelow(root)) contents.set(statSync(file).ino, { synced: readFileSync(file), changes: [] })

  const files: FileSystemPort = {
    ...nodeFileSystem,
    openSync: (file, flags) => {
      const descriptor = nodeFileSystem.openSync(file, flags)
      if ((flags & constants.O_DIRECTORY) !== 0) folderOf.set(descriptor, path.relative(root, file))
      return descriptor
    },
    writeSync: (descriptor, buffer, offset, length) => {
      operation()
      const at = nodeFileSystem.fstatSync(descriptor).size
      const count = nodeFileSystem.writeSync(
        descriptor,
        buffer,
        offset,
        random() < 0.05 ? Math.ceil(length / 2) : length,
      )
      const bytes = Buffer.from(buffer.subarray(offset, offset + count))
      change(descriptor, ({ synced, changes }) => ({ synced, changes: [...changes, { at, bytes }] }))
      return count
    },
    ftruncateSync: (descriptor, cutTo) => {
      operation()
      nodeFileSystem.ftruncateSync(descriptor, cutTo)
      change(descriptor, ({ synced, changes }) => ({ synced, changes: [...changes, { cutTo }] }))
    },
    afterStep: (work) => {
      work() // in virtual time there is no step
    },
    fdatasync: (descriptor, done) => {
      operation()
      const { ino } = fstatSync(descriptor)
      const begun = contents.get(ino)?.changes ?? []
      later(() => {
        change(descriptor, ({ synced, changes }) => ({
          synced: begun.reduce(applied, synced),
          changes: changes.slice(begun.length),
        }))
        done(null)
      })
    },
    fsync: (descriptor, done) => {
      operation()
      const folder = folderOf.get(descriptor) ?? ''
      const begun = entriesOf(path.join(root, folder))
      lookAtOthers()
      later(() => {
        syncedFolders.set(folder, begun)
        done(null)
      })
    },
  }
  return {
    files,
    moment: () => {
      operation(answerWeight)
    },
    survivors: (into) => {
      if (last === undefined) throw new Error('nothing was asked of the disk')
      restore(last, into, { random, mode })
    },
  }
}

function foldersBelow(root: string): string[] {
  const below = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isDirectory())
  return ['', ...below.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))]
}

function filesBelow(root: string): string[] {
  const below = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return below.map((entry) => path.join(entry.parentPath, entry.name))
}

function entriesOf(folder: string): Entries {
  return new Map(readdirSync(folder).map((name) => [name, statSync(path.join(folder, name)).ino]))
}

function momentOf(
  root: string,
  {
    contents,
    others,
    syncedFolders,
  }: Pick<Moment, 'contents' | 'others'> & { syncedFolders: ReadonlyMap<string, Entries> },
): Moment {
  const folders = foldersBelow(root).map((folder) => {
    const synced = syncedFolders.get(folder) ?? new Map<string, number>()
    return [folder, { synced, now: entriesOf(path.join(root, folder)) }] as const
  })
  return { contents: new Map(contents), folders: new Map(folders), others: new Map(others) }
}

const nothing: { readonly synced: Entries; readonly now: Entries } = { synced: new Map(), now: new Map() }

/** Each new, removed and renamed name of a folder remains or not, at random; so do parts of a file's content. */
function restore({ folders, contents, others }: Moment, into: string, chance: Chance): void {
  const { random } = chance
  const restoreFolder = (folder: string): void => {
    mkdirSync(path.join(into, folder), { mode: 0o700, recursive: true })
    const { synced, now } = folders.get(folder) ?? nothing
    for (const name of new Set([...synced.keys(), ...now.keys()])) {
      const ino = synced.get(name) === now.get(name) || random() < 0.5 ? synced.get(name) : now.get(name)
      if (ino === undefined) continue
      const below = path.join(folder, name)
      if (folders.has(below)) restoreFolder(below)
      else restoreFile(path.join(into, below), contentOf(ino, name))
    }
  }
  const contentOf = (ino: number, name: string): Buffer => {
    const content = contents.get(ino)
    if (content !== undefined) return survivingBytes(content, chance)
    const other = others.get(ino)
    return other === undefined || name.includes('.torn-') ? (other ?? Buffer.alloc(0)) : unsynced(other, random) // torn ends are synced
  }
  restoreFolder('')
}

/** A restart takes longer than the wait for a lock that cannot be read. */
function restoreFile(file: string, content: Buffer): void {
  writeFileSync(file, content, { mode: 0o600 })
  const minuteAgo = Date.now() / 1_000 - 60
  utimesSync(file, minuteAgo, minuteAgo)
}

const ownBoot = /"bootId":"[^"]*"/
const otherBoot = '"bootId":"00000000-0000-4000-8000-000000000000"'

/** Content that was never synced can be empty, torn or NULs; a lock names an earlier boot. */
function unsynced(content: Buffer, random: () => number): Buffer {
  const bytes = content.includes('"bootId"') ? Buffer.from(content.toString().replace(ownBoot, otherBoot)) : content
  const kind = Math.floor(random() * 4)
  if (kind === 0) return Buffer.alloc(0)
  if (kind === 1) return Buffer.alloc(bytes.length)
  return kind === 2 ? bytes.subarray(0, Math.floor(random() * bytes.length)) : bytes
}
