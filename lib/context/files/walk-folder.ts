// Finds the files of a kind below a folder, or takes a single file, within bounds.
// Guarantees: no link leads out of the folder; nothing is read but names and status.
import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import type { Dirent, Stats } from 'node:fs'
import path from 'node:path'
import { isInside } from '../../host/files/resolve-path.ts'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import type { CommandProblem } from '../../streams/ports/prompt-commands.ts'

export interface FoundFile {
  readonly path: string
  readonly bytes: number
  /** Differs after a change of the file: no program but the system sets the time in it. */
  readonly stamp: string
}

export interface WalkOptions {
  /** Which of the names of a folder are taken, and whether the folders below are searched too. */
  choose(names: readonly string[]): { readonly files: readonly string[]; readonly descend: boolean }
  /** Default 4. */
  readonly maxDepth?: number
  /** Files that are returned, and folders that are searched, at most. Default 1,000. */
  readonly max?: number
}

export interface Walked {
  readonly files: readonly FoundFile[]
  readonly problems: readonly CommandProblem[]
}

/** In the order of names. Empty if there is no such folder. @param root a folder, or one file that `choose` takes */
export function walkFolder(root: string, options: WalkOptions): Walked {
  const walk = new Walk(root, options)
  walk.attempt(root, () => {
    if (statSync(root).isDirectory()) walk.visit(root, 0)
    else walk.visitFile(root)
  })
  return walk.result()
}

class Walk {
  readonly #root: string
  readonly #options: Required<WalkOptions>
  readonly #files: FoundFile[] = []
  readonly #problems: CommandProblem[] = []
  #realRoot: string | undefined
  #folders = 0

  constructor(root: string, { choose, maxDepth = 4, max = 1_000 }: WalkOptions) {
    this.#root = root
    this.#options = { choose, maxDepth, max }
  }

  result(): Walked {
    const { max } = this.#options
    if (this.#folders > max || this.#files.length >= max)
      this.#report(this.#root, `it has too many files; the first ${max} are used`)
    return { files: this.#files, problems: this.#problems }
  }

  visitFile(file: string): void {
    const name = path.basename(file)
    if (this.#options.choose([name]).files.includes(name)) this.#take(file)
  }

  visit(folder: string, depth: number): void {
    const { choose, maxDepth, max } = this.#options
    this.#folders += 1
    if (this.#folders > max) return
    const entries = readdirSync(folder, { withFileTypes: true }).sort(byName)
    const { files, descend } = choose(entries.map(({ name }) => name))
    for (const name of files) {
      const file = path.join(folder, name)
      this.attempt(file, () => {
        this.#take(file)
      })
    }
    if (!descend || depth >= maxDepth) return
    for (const entry of entries) {
      const below = path.join(folder, entry.name)
      if (isSkipped(entry) || files.includes(entry.name)) continue
      this.attempt(below, () => {
        if (entry.isDirectory()) this.visit(below, depth + 1)
        else this.#statusOf(below) // a folder that a link names is found in its own place, or it is outside
      })
    }
  }

  attempt(file: string, look: () => void): void {
    try {
      look()
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === 'ENOENT' || errno === 'ENOTDIR') return // removed meanwhile, or never there
      this.#report(file, `it could not be read: ${describeThrown(error)}`)
    }
  }

  #take(file: string): void {
    const status = this.#statusOf(file)
    if (status === undefined || status.isDirectory() || this.#files.length >= this.#options.max) return
    if (!status.isFile()) {
      this.#report(file, 'it is no regular file')
      return
    }
    this.#files.push({ path: file, bytes: status.size, stamp: `${status.ino} ${status.size} ${status.ctimeMs}` })
  }

  /** The status behind links; undefined if it is out of the folder, or missing. */
  #statusOf(file: string): Stats | undefined {
    const status = lstatSync(file, { throwIfNoEntry: false })
    if (status?.isSymbolicLink() !== true) return status
    if (isInside(realpathSync(file), (this.#realRoot ??= realpathSync(this.#root)))) return statSync(file)
    this.#report(file, `the link leads out of ${this.#root}; copy what it points to`)
    return undefined
  }

  #report(file: string, message: string): void {
    this.#problems.push({ path: file, level: 'error', message })
  }
}

function isSkipped(entry: Dirent): boolean {
  if (entry.name.startsWith('.') || entry.name === 'node_modules') return true
  return !entry.isDirectory() && !entry.isSymbolicLink()
}

function byName(one: Dirent, other: Dirent): number {
  return one.name < other.name ? -1 : 1
}
