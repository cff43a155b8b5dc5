// Stores the whole content of each version of a file whose lines were shown with anchors.
// Guarantees: an id names one version of one file of one session; at most 64 files, 8 versions a file and 32 MiB.
import { BoundedMap } from '../../../streams/values/bounded-map.ts'
import { digestOf } from '../../shared/digest.ts'
import { encode, versionLength } from './anchor.ts'

export interface ShownVersion {
  readonly id: string
  /** The file's real path. */
  readonly target: string
  /** SHA-256 of the bytes. */
  readonly digest: string
  readonly bytes: Buffer
  /** Marks lines as shown, from 0. */
  addShown(first: number, last: number): void
  hasShown(line: number): boolean
}

export interface ShownVersions {
  /** Stores the version, or finds it: an unchanged file keeps its id. */
  add(session: string, target: string, bytes: Buffer): ShownVersion
  /** Undefined if it was never shown, or has been forgotten. */
  find(session: string, id: string): ShownVersion | undefined
}

export interface ShownVersionLimits {
  readonly files?: number
  readonly versionsPerFile?: number
  readonly bytes?: number
}

/** Ranges of one version; beyond them the oldest is forgotten, and its anchors are refused. */
const maxRanges = 200
/** Ids of forgotten versions that are not used again. */
const maxIds = 8_192
const idCount = 32 ** versionLength

/** The version that was used longest ago is forgotten first, and never the newest. */
export function shownVersions(limits: ShownVersionLimits = {}): ShownVersions {
  const { files = 64, versionsPerFile = 8, bytes: maxBytes = 32 * 2 ** 20 } = limits
  const versions = new Map<string, ShownVersion>() // by session and id, the oldest first
  const owners = new BoundedMap<string, string>(maxIds) // the version of each id, forgotten ones too
  let stored = 0
  const forget = (key: string, { bytes }: ShownVersion): void => {
    versions.delete(key)
    stored -= bytes.length
  }
  const trim = (newest: string): void => {
    const perFile = new Map<string, number>()
    const excess = new Set<string>()
    for (const [key, { target }] of [...versions].reverse()) {
      const count = (perFile.get(fileKey(key, target)) ?? 0) + 1
      perFile.set(fileKey(key, target), count)
      if (count > versionsPerFile || perFile.size > files) excess.add(key)
    }
    for (const [key, version] of versions) {
      if (key !== newest && (excess.has(key) || stored > maxBytes)) forget(key, version)
    }
  }
  return {
    add: (session, target, bytes) => {
      const digest = digestOf(bytes)
      const id = freeId(owners, `${session}\0${target}\0${digest}`, `${target}\0${digest}`)
      const key = `${session}\0${id}`
      const version = versions.get(key) ?? createVersion({ id, target, digest, bytes })
      if (versions.delete(key)) stored -= version.bytes.length
      versions.set(key, version)
      stored += version.bytes.length
      trim(key)
      return version
    },
    find: (session, id) => versions.get(`${session}\0${id}`),
  }
}

function fileKey(key: string, target: string): string {
  return `${key.slice(0, key.indexOf('\0'))}\0${target}`
}

/** The id depends on the content, so that a new process names it alike; a taken one is passed over. */
function freeId(owners: Map<string, string>, owner: string, content: string): string {
  const first = Number.parseInt(digestOf(content).slice(0, 8), 16)
  for (let step = 0; step < idCount; step += 1) {
    const id = encode((first + step) % idCount, versionLength)
    const taken = owners.get(id)
    if (taken !== undefined && taken !== owner) continue
    owners.set(id, owner)
    return id
  }
  throw new Error('All ids of versions are taken.') // impossible: fewer are remembered than there are
}

function createVersion(fields: Pick<ShownVersion, 'id' | 'target' | 'digest' | 'bytes'>): ShownVersion {
  const ranges: (readonly [number, number])[] = []
  return {
    ...fields,
    addShown: (first, last) => {
      if (last < first || ranges.some(([from, to]) => from <= first && last <= to)) return
      ranges.push([first, last])
      if (ranges.length > maxRanges) ranges.shift()
    },
    hasShown: (line) => ranges.some(([from, to]) => from <= line && line <= to),
  }
}
