// Reserves paths that must not appear, and moves away what a sandboxed command created there.
import { lstatSync, mkdirSync, readdirSync, readlinkSync, renameSync, rmdirSync, symlinkSync } from 'node:fs'
import { basename } from 'node:path'
import type { GuardedPath } from './mount-plan.ts'

/** Uses of each placeholder in this process, and whether the last one removes it. */
const uses = new Map<string, { readonly count: number; readonly isOurs: boolean }>()

/**
 * Creates the folders, empty, so that a read-only mount can stand on them. When the last caller of this process
 * releases them, removes those that it created, and an empty `.git` or `.rxpi` that a killed process left: both mean
 * nothing. Another process may remove one that is in use here; then `restoreGuarded` finds what appeared.
 */
export function holdPlaceholders(folders: readonly string[]): () => void {
  for (const folder of folders) {
    const { count = 0, isOurs = ['.git', '.rxpi'].includes(basename(folder)) } = uses.get(folder) ?? {}
    const isCreated = attempt(() => createFolder(folder)) === true
    uses.set(folder, { count: count + 1, isOurs: isOurs || isCreated })
  }
  let isHeld = true
  return () => {
    if (isHeld) folders.forEach(releasePlaceholder)
    isHeld = false
  }
}

function createFolder(folder: string): true {
  mkdirSync(folder, { mode: 0o755 })
  return true
}

function releasePlaceholder(folder: string): void {
  const { count = 1, isOurs = false } = uses.get(folder) ?? {}
  if (count > 1) {
    uses.set(folder, { count: count - 1, isOurs })
    return
  }
  uses.delete(folder)
  if (isOurs)
    attempt(() => {
      rmdirSync(folder)
    })
}

export interface RestoredPaths {
  /** New names of entries that were moved away from a reserved path. */
  readonly moved: readonly string[]
  /** Entries that appeared at a path where a person decides about each write. */
  readonly appeared: readonly string[]
}

/** Moves intruders aside, to `<name>.rxpi-blocked`, and restores links; reports what only needs a person's eye. */
export function restoreGuarded(guarded: readonly GuardedPath[], placeholders: readonly string[]): RestoredPaths {
  const filled = placeholders.filter((folder) => (attempt(() => readdirSync(folder)) ?? []).length > 0)
  const all = [...guarded, ...filled.map((path): GuardedPath => ({ path, protection: 'deny' }))]
  const changed = all.filter(hasChanged)
  const appeared = changed.filter(({ protection }) => protection === 'ask').map(({ path }) => path)
  const moved = changed.filter(({ protection }) => protection === 'deny').flatMap(moveAside)
  return { moved, appeared }
}

function hasChanged({ path, linksTo }: GuardedPath): boolean {
  const status = attempt(() => lstatSync(path, { throwIfNoEntry: false }))
  if (linksTo === undefined) return status !== undefined
  return status?.isSymbolicLink() !== true || attempt(() => readlinkSync(path)) !== linksTo
}

function moveAside({ path, linksTo }: GuardedPath): readonly string[] {
  const target = freeName(path)
  const isMoved = attempt(() => {
    renameSync(path, target)
    return true
  })
  if (linksTo !== undefined)
    attempt(() => {
      symlinkSync(linksTo, path)
    })
  return isMoved === true ? [target] : []
}

function freeName(path: string): string {
  for (let count = 0; ; count += 1) {
    const name = `${path}.rxpi-blocked${count === 0 ? '' : `-${count}`}`
    if (attempt(() => lstatSync(name, { throwIfNoEntry: false })) === undefined) return name
  }
}

/** Undefined if it fails: the path was never there, is there already, or its folder is gone. */
function attempt<Value>(act: () => Value): Value | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}
