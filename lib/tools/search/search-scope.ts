// Resolves the path of a search, and shows found paths as the model can use them.
import { statSync } from 'node:fs'
import path from 'node:path'
import { isInside, realTarget, resolvePath } from '../../host/files/resolve-path.ts'
import type { ToolContext } from '../../streams/ports/tool.ts'
import { FileProblem } from '../shared/file-problem.ts'
import { countOf } from '../../streams/values/count-of.ts'

export interface SearchTarget {
  /** Absolute. */
  readonly folder: string
  /** The name of the only file, if the path is a file. */
  readonly file?: string
}

/**
 * @throws FileProblem for a pipe or device; Failure `not_allowed` behind the fence; the system's error for a missing
 * path
 */
export function searchTarget(written: string | undefined, context: SearchContext): SearchTarget {
  const target = insideFence(resolvePath(written ?? '.', context.cwd), context)
  const status = statSync(target)
  if (status.isDirectory()) return { folder: target }
  if (!status.isFile())
    throw new FileProblem(`${target} is a pipe, socket or device, not a regular file; it cannot be searched.`)
  return { folder: path.dirname(target), file: path.basename(target) }
}

export type SearchContext = Pick<ToolContext, 'cwd' | 'sandbox' | 'toolCallId'>

/**
 * The path to search: the sandbox's view of `/tmp` is another folder.
 * @throws Failure `not_allowed` behind the fence
 */
export function insideFence(file: string, { sandbox, toolCallId }: SearchContext): string {
  if (sandbox === undefined) return file
  const checked = sandbox.fenceOf(toolCallId).check(file, 'read')
  if (!checked.allowed) throw checked.failure
  return checked.zone === 'temp' ? checked.path : file
}

/** True for found files that the fence lets a tool read. The search follows no link, so names decide. */
export function readable(folder: string, { sandbox, toolCallId }: SearchContext): (file: string) => boolean {
  if (sandbox === undefined) return () => true
  const fence = sandbox.fenceOf(toolCallId)
  const real = realTarget(folder)
  return (file) => fence.checkReal(path.join(real, file), 'read').allowed
}

/** Relative to the session's folder if it is inside, else absolute; quoted as JSON if it would be ambiguous. */
export function shownPath(file: string, folder: string, cwd: string): string {
  const absolute = path.join(folder, file)
  const shown = isInside(absolute, cwd) ? path.relative(cwd, absolute) : absolute
  return quotedName(shown)
}

const controls = /[\p{Cc}\p{Zl}\p{Zp}]/gu

/** The name, as JSON in one line if it has control characters or line separators, or looks like JSON. */
export function quotedName(name: string): string {
  return name.startsWith('"') || name.search(controls) !== -1 ? jsonName(name) : name
}

/** JSON leaves some of the characters as they are that a reader takes for the end of a line. */
export function jsonName(name: string): string {
  return JSON.stringify(name).replace(
    controls,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
}

/** Sorts by UTF-16 units, so that both engines and all platforms agree. */
export function comparePaths(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}

/** Sentences about what a search left out, as one last line. */
export function searchNotice(sentences: readonly (string | undefined)[]): string | undefined {
  const filled = sentences.filter((sentence) => sentence !== undefined)
  return filled.length === 0 ? undefined : `[${filled.join(' ')}]`
}

export function unreadableSentence(count: number): string | undefined {
  if (count === 0) return undefined
  return `${countOf(count, 'path')} could not be read.`
}

export function cutShortSentence(isCutShort: boolean, limitMs: number): string | undefined {
  return isCutShort ? `The search took over ${limitMs / 1000} s and was ended: name a smaller folder.` : undefined
}
