// Records what git's trees lack of a snapshot: permissions, skipped files, and ignored names.
import type { ByteName } from './byte-name.ts'
import type { KnownFile } from './folder-index.ts'
import type { SkippedFile } from './read-file-states.ts'

export interface SnapshotNotes {
  /** Permissions of most files. */
  readonly fileMode: number
  /** Of most executable files. */
  readonly programMode: number
  /** Of the others. */
  readonly modes: ReadonlyMap<ByteName, number>
  /** Files that the snapshot does not hold. */
  readonly skipped: ReadonlyMap<ByteName, SkippedFile>
  /** Folders end with `/`. Undefined if there were too many. */
  readonly ignored: readonly ByteName[] | undefined
  /** Object folders of the repositories at that time: committed content is not copied. */
  readonly objects: readonly string[]
}

const maxIgnored = 20_000

export interface NotesSource extends Pick<SnapshotNotes, 'objects'> {
  readonly files: ReadonlyMap<ByteName, KnownFile>
  readonly skipped: readonly SkippedFile[]
  readonly ignored: readonly ByteName[]
}

export function makeNotes({ files, skipped, ignored, objects }: NotesSource): SnapshotNotes {
  const permissions = Array.from(files)
    .filter(([, { mode }]) => !isLink(mode))
    .map(([name, { mode }]) => [name, mode & 0o777] as const)
  const fileMode = mostFrequent(permissions.map(([, mode]) => mode).filter((mode) => !isProgram(mode))) ?? 0o644
  const programMode = mostFrequent(permissions.map(([, mode]) => mode).filter(isProgram)) ?? 0o755
  return {
    fileMode,
    programMode,
    modes: new Map(permissions.filter(([, mode]) => mode !== (isProgram(mode) ? programMode : fileMode))),
    skipped: new Map(skipped.map((file) => [file.name, file])),
    ignored: ignored.length > maxIgnored ? undefined : ignored,
    objects,
  }
}

/** A file's permissions; `gitMode` is the mode in its tree. */
export function modeOf({ modes, fileMode, programMode }: SnapshotNotes, name: ByteName, gitMode: string): number {
  return modes.get(name) ?? (gitMode === '100755' ? programMode : fileMode)
}

/** True if the file was ignored then, itself or by a folder above it. */
export function wasIgnored(ignored: readonly ByteName[]): (name: ByteName) => boolean {
  const names = new Set(ignored)
  return (name) => {
    if (names.has(name)) return true
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1))
      if (names.has(name.slice(0, at + 1))) return true
    return false
  }
}

/** A file's mode as a git tree has it. */
export function gitModeOf(mode: number): '120000' | '100755' | '100644' {
  if (isLink(mode)) return '120000'
  return isProgram(mode) ? '100755' : '100644'
}

export function writeNotes({ modes, skipped, ...rest }: SnapshotNotes): string {
  return JSON.stringify({ ...rest, modes: [...modes], notKept: [...skipped.values()] })
}

/** The JSON of the notes. */
type WrittenNotes = Omit<SnapshotNotes, 'modes' | 'skipped'> & {
  readonly modes: readonly [ByteName, number][]
  readonly notKept: readonly SkippedFile[]
}

/** @throws SyntaxError */
export function readNotes(text: string): SnapshotNotes {
  const { modes, notKept: skipped, ignored, ...rest } = JSON.parse(text) as WrittenNotes // written by rxpi in its own folder
  return { ...rest, ignored, modes: new Map(modes), skipped: new Map(skipped.map((file) => [file.name, file])) }
}

function isLink(mode: number): boolean {
  return (mode & 0o170000) === 0o120000
}

function isProgram(mode: number): boolean {
  return (mode & 0o100) !== 0
}

/** The most frequent one. */
function mostFrequent(modes: readonly number[]): number | undefined {
  const counts = new Map<number, number>()
  for (const mode of modes) counts.set(mode, (counts.get(mode) ?? 0) + 1)
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0]
}
