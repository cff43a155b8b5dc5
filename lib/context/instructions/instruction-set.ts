// Reads the instruction files of a folder: the user's, and those of each folder from the root down.
// Guarantees: at most 128 KiB; files near the folder come before those far above it when the room is short.
import { realpathSync } from 'node:fs'
import path from 'node:path'
import { repositoryRoot } from '../../host/files/repository-root.ts'
import { isInside } from '../../host/files/resolve-path.ts'
import type { ContextProblem } from '../../streams/ports/context-notes.ts'
import { instructionPath, readInstructionFile } from './instruction-file.ts'
import type { InstructionFile, ReadInstructions } from './instruction-file.ts'
import type { InstructionGuard } from './instruction-guard.ts'

export interface InstructionSet {
  /** The user's first, then from the root of the file system down, then nested ones. */
  readonly files: readonly InstructionFile[]
  /** Files that were refused, cut or cleaned. */
  readonly problems: readonly ContextProblem[]
}

/** The folders of a session that may hold instruction files. */
export interface InstructionFolders {
  /** Real paths with their guards, in the order of the prompt. */
  readonly chain: readonly GuardedFolder[]
  /** The real path of the repository; of the folder itself outside of repositories. */
  readonly root: string
}

export interface GuardedFolder {
  readonly folder: string
  readonly guard: InstructionGuard
}

/** Bytes of all files. */
const maxBytes = 131_072

/** @param configFolder the user's; absent: none is read */
export function instructionFolders(cwd: string, configFolder?: string): InstructionFolders {
  const real = realFolder(cwd)
  const root = repositoryRoot(real) ?? real
  const chain = foldersDownTo(real).map((folder): GuardedFolder => {
    return { folder, guard: isInside(folder, root) ? { kind: 'inside', root } : { kind: 'above' } }
  })
  const user: GuardedFolder[] = configFolder === undefined ? [] : [{ folder: configFolder, guard: { kind: 'user' } }]
  return { chain: [...user, ...chain.filter(({ folder }) => folder !== configFolder)], root }
}

/** Reads the files of these folders now. */
export function readInstructions(folders: readonly GuardedFolder[]): InstructionSet {
  const read = folders.map(({ folder, guard }) => readFolder(folder, guard))
  const problems = read.flatMap((each) => each.problems)
  const files: InstructionFile[] = []
  let left = maxBytes
  for (const { file } of read.toReversed()) {
    if (file === undefined) continue
    left -= Buffer.byteLength(file.text)
    if (left >= 0) files.unshift(file)
    else problems.push(leftOut(file))
  }
  return { files, problems }
}

function readFolder(folder: string, guard: InstructionGuard): ReadInstructions {
  const file = instructionPath(folder)
  return file === undefined ? { problems: [] } : readInstructionFile(file, guard)
}

function leftOut({ path: file }: InstructionFile): ContextProblem {
  const message = `${file}: it was left out, because all instruction files together have more than ${maxBytes} bytes`
  return { type: 'problem', code: 'instructions', message }
}

/** From the root of the file system to the folder itself. */
export function foldersDownTo(folder: string): string[] {
  const parent = path.dirname(folder)
  return parent === folder ? [folder] : [...foldersDownTo(parent), folder]
}

function realFolder(folder: string): string {
  try {
    return realpathSync(folder)
  } catch {
    return folder // missing: it has no files
  }
}
