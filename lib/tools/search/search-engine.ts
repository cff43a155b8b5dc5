// Defines what an engine of grep and find does.
// Guarantees: both engines follow no link, include hidden files but not `.git`, and honour .gitignore files alone.
import type { Observable } from 'rxjs'

/** The end of a search. */
export interface SearchEnd {
  readonly type: 'end'
  /** True if the time limit ended it. */
  readonly isCutShort: boolean
  /** Files and folders that could not be read. */
  readonly unreadable: number
}

/** Some files of the folder: relative paths, unordered. Names that are not UTF-8 are left out. */
export interface ListedPaths {
  readonly type: 'files'
  readonly files: readonly string[]
}

export interface FoundLine {
  /** From 1. */
  readonly number: number
  /** Without its line end, cut around the match. */
  readonly text: string
  readonly isMatch: boolean
}

/** The matches of one file, with their context. */
export interface FoundFile {
  readonly type: 'file'
  /** Relative to the folder. */
  readonly file: string
  readonly lines: readonly FoundLine[]
  /** Matches in lines too long to show. */
  readonly skipped: number
}

export interface SearchScope {
  /** Absolute; it exists. */
  readonly folder: string
  /** Milliseconds. */
  readonly limitMs: number
}

export interface FileSearch extends SearchScope {
  /** An engine may leave out paths without this text: reading 10⁵ names takes longer than finding a few of them. */
  readonly containing?: string
}

export interface LineSearch extends SearchScope {
  /** The name of the only file to search, in the folder. */
  readonly file?: string
  readonly pattern: string
  readonly isLiteral: boolean
  readonly ignoreCase: boolean
  /** Lines before and after each match. */
  readonly context: number
  readonly globs: readonly string[]
  /** True for a path that the globs select. */
  readonly selects: (file: string) => boolean
}

export interface SearchEngine {
  readonly name: 'ripgrep' | 'node'
  /** Emits paths, then one end. Unsubscribing ends it. */
  files(search: FileSearch): Observable<ListedPaths | SearchEnd>
  /** Emits files with matches, unordered, then one end. Fails with `bad_request` for an invalid pattern. */
  lines(search: LineSearch): Observable<FoundFile | SearchEnd>
}

/** The most matches of one file. */
export const maxFileMatches = 10_000
/** Larger files are left out, unless the path names the file and ripgrep reads it. */
export const maxFileBytes = 64 * 2 ** 20
/** A longer line is not shown. */
export const maxLineLength = 1_000_000

/** The characters of a long line that are shown. */
const shownLength = 500

/** A line without its end, cut to 500 characters around the match. @param at index of the match */
export function shownLine(line: string, at = 0): string {
  const text = line.replace(/\r?\n?$/, '')
  if (text.length <= shownLength) return text
  const start = at < shownLength - 100 ? 0 : Math.min(at - 100, text.length - shownLength)
  const end = start + shownLength
  return `${start === 0 ? '' : '…'}${text.slice(start, end)}${end < text.length ? '…' : ''}`
}
