// Gathers all files of a folder and its nested repositories, except rxpi's own files.
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'
import type { ByteName } from './byte-name.ts'
import type { KnownFile } from './folder-index.ts'
import { TooManyFiles, listFiles, maxFiles } from './list-worktree-files.ts'
import type { ListOptions, Listing } from './list-worktree-files.ts'
import { readFileStates } from './read-file-states.ts'
import type { SkippedFile } from './read-file-states.ts'
import { GitFailure } from './run-git.ts'
import { wasIgnored } from './snapshot-notes.ts'

export interface GatherOptions extends ListOptions {
  readonly known: ReadonlyMap<ByteName, KnownFile>
  /** `$RXPI_HOME`, real path. */
  readonly home: string
  /** Names to leave out, in addition to those ignored now. */
  readonly alsoIgnored: readonly ByteName[]
}

export interface Gathered {
  readonly files: Map<ByteName, KnownFile>
  readonly skipped: SkippedFile[]
  readonly ignored: readonly ByteName[]
  /** Object folders of all the repositories. */
  readonly objects: readonly string[]
}

/** @throws GitFailure if git refuses the folder itself, TooManyFiles */
export async function gatherFiles(options: GatherOptions): Promise<Gathered> {
  const files = new Map<ByteName, KnownFile>()
  const skipped: SkippedFile[] = []
  const ignored: ByteName[] = [...options.alsoIgnored]
  const objects: string[] = []
  const isOut = outsideOf(options)
  const waiting: ByteName[] = ['']
  for (let below = waiting.shift(); below !== undefined; below = waiting.shift()) {
    const listing = await listOrSkip(options, below)
    if (listing === undefined) {
      skipped.push({ name: below, size: 0, mtimeMs: 0 })
      continue
    }
    const names = listing.names.filter((name) => !isOut(name))
    if (files.size + names.length > maxFiles) throw new TooManyFiles()
    const looked = await readFileStates(options.folder, names, options.known, options.signal)
    for (const [name, file] of looked.files) files.set(name, file)
    skipped.push(...looked.skipped)
    waiting.push(...looked.folders.map((name) => `${name}/`))
    ignored.push(...listing.ignored)
    objects.push(...listing.objects)
  }
  return { files, skipped, ignored: [...new Set(ignored)], objects: [...new Set(objects)] }
}

/** Undefined for a nested repository that git refuses, as it does for those of other users. */
async function listOrSkip(options: GatherOptions, below: ByteName): Promise<Listing | undefined> {
  try {
    return await listFiles(options, below)
  } catch (thrown) {
    if (below !== '' && thrown instanceof GitFailure) return undefined
    throw thrown
  }
}

function outsideOf({ folder, home, alsoIgnored }: GatherOptions): (name: ByteName) => boolean {
  const isBelow = home !== folder && isInside(home, folder)
  const own = isBelow ? [`${Buffer.from(path.relative(folder, home)).toString('latin1')}/`] : []
  return wasIgnored([...own, ...alsoIgnored])
}
