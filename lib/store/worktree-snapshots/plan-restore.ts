// Plans a restore before anything changes.
// Guarantees: changes that are not the agent's are lost only with consent.
import type {
  FileChange,
  FileReason,
  RestorePlan,
  RestoreRequest,
  SnapshotPair,
} from '../../streams/ports/snapshots.ts'
import { parentOf, shownName } from './byte-name.ts'
import type { ByteName } from './byte-name.ts'
import { absolutePath, statusOf } from './read-file-states.ts'
import { oidOf, readContent, diffTrees, notesOf } from './snapshot-content.ts'
import type { ContentSource, Difference } from './snapshot-content.ts'
import { modeOf, wasIgnored } from './snapshot-notes.ts'
import type { SnapshotNotes } from './snapshot-notes.ts'
import type { SnapshotWorkspace } from './take-snapshot.ts'
import { readdirSync } from 'node:fs'

/** A change with the data to make it. */
export interface PlannedChange {
  readonly name: ByteName
  readonly change: FileChange['change']
  /** Of the content; '' if the file is removed. */
  readonly oid: string
  readonly isLink: boolean
  /** Permissions. */
  readonly mode: number
}

export interface DetailedPlan extends RestorePlan {
  readonly planned: readonly PlannedChange[]
  /** Object folders to read from. */
  readonly objects: readonly string[]
}

export interface PlanOptions extends RestoreRequest {
  /** Snapshot of the current files. */
  readonly now: string
  /** Current object folders of the folder's repositories. */
  readonly objects: readonly string[]
  readonly signal: AbortSignal
}

interface Sides extends Changers {
  readonly folder: string
  readonly then: SnapshotNotes
  readonly now: SnapshotNotes
  /** All files that would be removed. */
  readonly removed: ReadonlySet<ByteName>
}

type Verdict = 'do' | 'same' | { readonly conflict: string } | { readonly kept: string }

/** Compares both snapshots, and checks the folder for files that the current one lacks. @throws Failure, GitFailure */
export async function planRestore(work: SnapshotWorkspace, options: PlanOptions): Promise<DetailedPlan> {
  const { to, now: current, signal } = options
  const then = await notesOf(work, to, signal)
  const now = await notesOf(work, current, signal)
  const objects = [...new Set([...options.objects, ...then.objects])]
  const source = { ...work, objects }
  const changed = listChanges(await diffTrees(source, { from: current, to }, signal), then, now)
  const removed = new Set(changed.filter(({ change }) => change === 'remove').map(({ name }) => name))
  const between = (from: string, other: string): Promise<readonly ByteName[]> =>
    changedNames(source, from, other, signal)
  const changers = await splitChanges({ to, since: options.since, now: current, between })
  const sides: Sides = { folder: work.folder, then, now, removed, ...changers }
  const planned: PlannedChange[] = []
  const conflicts: FileReason[] = []
  const untouched: FileReason[] = [...changedSkippedFiles(sides)]
  for (const change of changed.filter(({ name }) => changers.touched.has(name))) {
    const verdict = decideChange(change, sides)
    if (verdict === 'same') continue
    const path = shownName(change.name)
    if (verdict !== 'do' && 'kept' in verdict) untouched.push({ path, reason: verdict.kept })
    else planned.push(change)
    if (verdict !== 'do' && 'conflict' in verdict) conflicts.push({ path, reason: verdict.conflict })
  }
  const changes = planned.map(({ name, change }) => ({ path: shownName(name), change }))
  return { snapshotBefore: current, changes, conflicts, kept: untouched, planned, objects }
}

/** Permissions count as well as contents. */
async function changedNames(source: ContentSource, from: string, to: string, signal: AbortSignal): Promise<ByteName[]> {
  if (from === to) return []
  const found = await diffTrees(source, { from, to }, signal)
  const [before, after] = [await notesOf(source, from, signal), await notesOf(source, to, signal)]
  return listChanges(found, after, before).map(({ name }) => name)
}

function listChanges(found: readonly Difference[], then: SnapshotNotes, now: SnapshotNotes): PlannedChange[] {
  const inTrees = new Set(found.map(({ name }) => name))
  const byTree = found.map(({ name, mode, oid, otherOid }): PlannedChange => {
    const change = oid === '' ? 'remove' : otherOid === '' ? 'create' : 'replace'
    return { name, change, oid, isLink: mode === '120000', mode: modeOf(then, name, mode) }
  })
  return [...byTree, ...modeChanges(then, now, inTrees)]
}

/** Files whose permissions alone changed, beyond what git's trees record: oid '' as the content stays. */
function modeChanges(then: SnapshotNotes, now: SnapshotNotes, inTrees: ReadonlySet<ByteName>): PlannedChange[] {
  const names = [...new Set([...then.modes.keys(), ...now.modes.keys()])].filter((name) => !inTrees.has(name))
  return names.flatMap((name) => {
    const gitMode = ((then.modes.get(name) ?? now.modes.get(name) ?? 0) & 0o100) !== 0 ? '100755' : '100644'
    const mode = modeOf(then, name, gitMode)
    const isSame = mode === modeOf(now, name, gitMode)
    return isSame ? [] : [{ name, change: 'replace' as const, oid: '', isLink: false, mode }]
  })
}

const overwritten = 'a file is there that no snapshot holds (ignored now, or too large), and it would be lost'

function decideChange(change: PlannedChange, sides: Sides): Verdict {
  const { name } = change
  const refused = change.change === 'remove' ? checkRemoval(name, sides) : checkBlocked(name, sides)
  if (refused !== undefined) return refused
  const found = change.change === 'create' ? checkPresent(change, sides) : undefined
  if (found !== undefined) return found
  const reason = sides.edited.get(name)
  return reason === undefined ? 'do' : { conflict: reason }
}

function checkRemoval(name: ByteName, { then }: Sides): Verdict | undefined {
  if (then.ignored === undefined)
    return { conflict: 'it may have existed as an ignored file: too many were ignored to record them' }
  if (wasIgnored(then.ignored)(name)) return { kept: 'it existed before, ignored' }
  const wasThere = wasIgnored([...then.skipped.keys()])(name)
  return wasThere ? { kept: 'it existed before, but no snapshot holds it: too large, or not readable' } : undefined
}

/** Checks for a remaining file at the path of the file or of a folder above it. */
function checkBlocked(name: ByteName, { folder, removed }: Sides): Verdict | undefined {
  for (let above = parentOf(name); above !== ''; above = parentOf(above)) {
    const status = statusOf(absolutePath(folder, above))
    if (status === undefined || status.isDirectory() || removed.has(above)) continue
    return { kept: `${shownName(above)} blocks its path: it is not a folder and stays` }
  }
  if (statusOf(absolutePath(folder, name))?.isDirectory() !== true) return undefined
  const foreign = findForeignFile(folder, name, removed)
  return foreign === undefined ? undefined : { kept: `a folder has replaced it that holds ${shownName(foreign)}` }
}

/** A file may exist that the current snapshot does not have. */
function checkPresent({ name, oid, isLink }: PlannedChange, { folder }: Sides): Verdict | undefined {
  const status = statusOf(absolutePath(folder, name))
  if (status === undefined || status.isDirectory()) return undefined
  const content = readContent(absolutePath(folder, name))
  const isSame = typeof content === 'object' && oidOf(content.bytes) === oid && status.isSymbolicLink() === isLink
  return isSame ? 'same' : { conflict: overwritten }
}

function changedSkippedFiles({ then, now }: Sides): FileReason[] {
  return Array.from(then.skipped.values()).flatMap((file) => {
    const today = now.skipped.get(file.name)
    if (today?.size === file.size && today.mtimeMs === file.mtimeMs) return []
    return [
      { path: shownName(file.name), reason: 'it has changed, but no snapshot holds it: too large, or not readable' },
    ]
  })
}

/**
 * The first file below the folder `name` that is not to be removed; undefined if there is none. A folder is removed
 * only if nothing else remains in it.
 */
function findForeignFile(folder: string, name: ByteName, removed: ReadonlySet<ByteName>): ByteName | undefined {
  for (const entry of readdirSync(absolutePath(folder, name), { withFileTypes: true, encoding: 'buffer' })) {
    const inside = `${name}/${entry.name.toString('latin1')}`
    const foreign = entry.isDirectory() ? findForeignFile(folder, inside, removed) : inside
    if (foreign !== undefined && !removed.has(foreign)) return foreign
  }
  return undefined
}

// Attributes changes: between the two snapshots of a run to the agent, between runs to others.

interface Changers {
  /** Changed by the agent: nothing else is restored. */
  readonly touched: ReadonlySet<ByteName>
  /** Changed by others, with the evidence. */
  readonly edited: ReadonlyMap<ByteName, string>
}

interface ChangersOptions {
  readonly to: string
  readonly since: readonly SnapshotPair[]
  readonly now: string
  /** The names in which two snapshots differ. */
  between(from: string, to: string): Promise<readonly ByteName[]>
}

const ownEdit = 'it was changed, but not by the agent'
const unknownEnd = 'it is unknown whether the agent changed it: no snapshot followed the run'

/** Of everything changed from `to` until now. */
async function splitChanges({ to, since, now, between }: ChangersOptions): Promise<Changers> {
  const touched = new Set<ByteName>()
  const edited = new Map<ByteName, string>()
  let left = to
  for (const [position, { before, after }] of since.entries()) {
    for (const name of await between(left, before)) edited.set(name, ownEdit)
    const end = after ?? since[position + 1]?.before ?? now
    for (const name of await between(before, end)) {
      touched.add(name)
      if (after === undefined) edited.set(name, unknownEnd)
    }
    left = end
  }
  for (const name of await between(left, now)) edited.set(name, ownEdit)
  return { touched, edited }
}
