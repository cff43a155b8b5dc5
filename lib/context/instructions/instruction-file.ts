// Reads the instruction file of one folder.
// Guarantees: bounded; nothing is read that the guard refuses; invisible characters are removed, and each removal is a
// problem.
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import type { ContextProblem } from '../../streams/ports/context-notes.ts'
import type { InstructionGuard } from './instruction-guard.ts'
import { expandImports } from './expand-imports.ts'
import { maxFileBytes, readGuardedText } from './read-guarded-text.ts'

export interface InstructionFile {
  /** Absolute, below the real path of its folder. */
  readonly path: string
  /** SHA-256 of `text`. */
  readonly digest: string
  /** With the text of its imports. */
  readonly text: string
}

export interface ReadInstructions {
  readonly file?: InstructionFile
  readonly problems: readonly ContextProblem[]
}

/** The first that exists counts. */
export const instructionNames = ['AGENTS.override.md', 'AGENTS.md', 'CLAUDE.md'] as const

/** The path of the folder's instruction file; undefined without one. */
export function instructionPath(folder: string): string | undefined {
  return instructionNames
    .map((name) => path.join(folder, name))
    .find((file) => lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === false)
}

/** Reads the file at this path. No file: it is gone, empty or refused. */
export function readInstructionFile(file: string, guard: InstructionGuard): ReadInstructions {
  const problems: ContextProblem[] = []
  const report = (reason: string): void => {
    problems.push({ type: 'problem', code: 'instructions', message: `${file}: ${reason}` })
  }
  const own = readGuardedText(file, guard, maxFileBytes, report)
  if (own === undefined) return { problems }
  const isImporting = path.basename(file) === 'CLAUDE.md'
  const text = isImporting ? expandImports(own, { file, guard, report }) : own
  const trimmed = text.trim()
  if (trimmed === '') return { problems }
  return { file: { path: file, digest: digestOf(trimmed), text: trimmed }, problems }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
