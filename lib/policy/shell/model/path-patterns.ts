// Resolves words to absolute path patterns and decides what a pattern may match.
// Guarantees: no disk access; matching takes time in the product of both lengths.
import {
  anyCharacter,
  anyFolders,
  anyGlob,
  anyName,
  anyText,
  anyWords,
  environmentText,
  hasMarks,
  networkText,
  ownJob,
  rawText,
  setupText,
  shellText,
} from './word-marks.ts'

const free = new Set([anyText, anyWords, networkText, anyFolders, rawText, shellText, environmentText, setupText])

/** True if the word's beginning is unknown, so that it may be any path. */
export function isAnyPath(word: string): boolean {
  return free.has(word.slice(0, 1)) && !word.startsWith(anyFolders)
}

/**
 * The absolute pattern of a word: marks stay, `.` and `..` are resolved as text.
 * A `..` after unknown text removes nothing, since the number of folders is unknown.
 */
export function resolvePattern(word: string, cwd: string): string {
  if (isAnyPath(word)) return word
  const joined = word.startsWith('/') ? word : `${cwd}/${word}`
  if (!/\/(?:\.{0,2}(?:\/|$))/.test(joined)) return joined // most words; nothing to resolve
  const parts: string[] = []
  for (const part of joined.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.some((each) => hasFreePart(each))) parts.push(anyText)
    else parts.pop()
  }
  return `/${parts.join('/')}`
}

const climbs = /\/\.\.(?:\/|$)/

/**
 * The folder that a shell or a program enters. A shell resolves `..` as text, except by `cd -P`; a program leaves the target
 * of a link, so its `..` stays.
 */
export function enteredFolder(folder: string, cwd: string, isPhysical: boolean): string {
  const joined = folder.startsWith('/') ? folder : `${cwd}/${folder}`
  const stays = climbs.test(joined) && (isPhysical || climbs.test(cwd)) && !isAnyPath(folder)
  return stays ? joined : resolvePattern(folder, cwd)
}

/** The pattern as results show it: `*` for every mark. */
export function patternText(pattern: string): string {
  return pattern.replace(/[\uE000-\uE00B]+/g, '*')
}

/** True if the pattern is the path or may be it. `pattern` is absolute and may have marks; `path` is absolute. */
export function mayBePath(pattern: string, path: string): boolean {
  if (!hasMarks(pattern)) return pattern === path
  if (!path.startsWith(literalHead(pattern))) return false
  // One row per character of the pattern: the lengths of `path` that the pattern up to there can have consumed.
  let reached = [true, ...Array.from(path, () => false)]
  for (const mark of pattern) {
    const next = reached.map(() => false)
    if (free.has(mark) || mark === anyGlob || mark === anyName || mark === ownJob) {
      for (let end = 0, isOpen = false; end <= path.length; end++) {
        if (end > 0 && !free.has(mark) && !canTake(mark, path, end - 1)) isOpen = false
        isOpen ||= reached[end] === true
        next[end] = isOpen
      }
    } else {
      for (let end = 0; end < path.length; end++) {
        if (reached[end] === true)
          next[end + 1] = mark === path[end] || (mark === anyCharacter && canTake(mark, path, end))
      }
    }
    reached = next
  }
  return reached[path.length] === true
}

/** The text before the first mark. */
function literalHead(pattern: string): string {
  return pattern.slice(0, pattern.search(/[\uE000-\uE00B]/))
}

/** Globs and plain names match neither slashes nor the dot of a hidden name. */
function canTake(mark: string, path: string, at: number): boolean {
  if (path[at] === '/') return false
  const isGlob = mark === anyGlob || mark === anyCharacter || mark === anyName
  return !(isGlob && path[at] === '.' && (at === 0 || path[at - 1] === '/'))
}

/** True if the pattern may be the folder itself or something in it. */
export function mayBeWithin(pattern: string, folder: string): boolean {
  if (folder === '/' || pattern === folder || pattern.startsWith(`${folder}/`)) return true
  if (!hasMarks(pattern) || !folder.startsWith(literalHead(pattern))) return false
  for (let end = 1; end <= pattern.length; end++) {
    if (free.has(pattern[end - 1] ?? '') && mayBePath(pattern.slice(0, end), folder)) return true
    if ((end === pattern.length || pattern[end] === '/') && mayBePath(pattern.slice(0, end), folder)) return true
  }
  return false
}

/** True if the pattern may be the path or a folder that holds it. */
export function mayHold(pattern: string, path: string): boolean {
  for (let folder = path; folder !== ''; folder = folder.slice(0, folder.lastIndexOf('/'))) {
    if (mayBePath(pattern, folder)) return true
  }
  return mayBePath(pattern, '/')
}

/** True if the path is the folder or in it; the folder's part of the path has no marks. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}

/** True if the name has a letter or digit besides its globs: `*.log` is narrow, `*` and `.*` are wide. */
export function isNarrow(name: string): boolean {
  return /[\p{L}\p{N}]/u.test(name) || name.includes(anyName) || name.includes(ownJob)
}

function hasFreePart(part: string): boolean {
  return [...free].some((mark) => part.includes(mark))
}

/** The last component of a path. */
export function basename(path: string): string {
  const end = endOf(path)
  return end === 0 ? path.slice(0, 1) : path.slice(path.lastIndexOf('/', end - 1) + 1, end)
}

/** The program that a command name means: without its folder, and without the version that `npx` takes. */
export function programName(name: string): string {
  const last = basename(name).replace(/\.exe$/i, '')
  const at = last.indexOf('@', 1)
  return at < 0 ? last : last.slice(0, at)
}

/** The path without its last component, as `dirname` prints it. */
export function dirname(path: string): string {
  const at = path.slice(0, endOf(path)).lastIndexOf('/')
  return at < 0 ? '.' : at === 0 ? '/' : path.slice(0, at)
}

/** Length without trailing slashes. */
function endOf(path: string): number {
  let end = path.length
  while (end > 0 && path[end - 1] === '/') end--
  return end
}
