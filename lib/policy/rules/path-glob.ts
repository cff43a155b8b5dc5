// Compiles the path of a rule into a matcher of absolute paths.
// Guarantees: dot files and line feeds match; a name in the rule that is a folder covers all inside it.
import path from 'node:path'
import picomatch from 'picomatch'
import { isInside } from '../../host/files/resolve-path.ts'

/** The bases of the paths of rules; absolute folders. */
export interface RuleRoots {
  readonly folder: string
  readonly home: string
}

export interface PathGlob {
  /** @param file absolute, without `.` and `..` */
  matches(file: string): boolean
  /** True if the rule may match the file, a file in it, or a path whose beginning it is. */
  mayMatchIn(folder: string): boolean
}

const maxLength = 500
/** More let a regular expression take seconds for a hostile path: 0.04 s with three stars in a name, 2 s with four. */
const maxStars = 2

/** Why the text is not a path of a rule; undefined if it is one. */
export function pathFault(text: string): string | undefined {
  if (text.length > maxLength) return `a path has at most ${maxLength} characters`
  if (text.startsWith('!')) return 'a rule cannot be negated: write it in another list'
  if (text.includes('\0')) return 'a path has no NUL'
  const names = text.split('/')
  if (names.filter((name) => name === '**').length > maxStars) return `a path has at most ${maxStars} times \`**\``
  if (names.some((name) => name !== '**' && name.split('*').length - 1 > maxStars))
    return `a name in a path has at most ${maxStars} stars`
  return /(?:^|\/)\.\.(?:\/|$)/.test(text.replace(/^(?:\.\.\/)+/, '')) ? '`..` stands at the beginning only' : undefined
}

/** @param text `~/x`, `/x`, `./x`, `../x`, `a/x` (in the folder) or `x` (anywhere in the folder) */
export function compilePath(text: string, { folder, home }: RuleRoots): PathGlob {
  const globs = absoluteGlobs(text.replace(/(?<=.)\/+$/, ''), folder, home)
  const isMatch = picomatch(
    globs.flatMap((glob) => (glob.endsWith('/**') ? [glob] : [glob, `${glob}/**`])),
    { dot: true, noextglob: true, nonegate: true, nocase: process.platform === 'darwin', flags: flags() },
  )
  const bases = globs.map((glob) => unescape(picomatch.scan(glob).base) || '/')
  return {
    matches: (file) => isMatch(file),
    mayMatchIn: (folder) => bases.some((base) => isInside(base, folder) || isInside(folder, base)),
  }
}

function flags(): string {
  return process.platform === 'darwin' ? 'si' : 's'
}

function absoluteGlobs(text: string, folder: string, home: string): string[] {
  const literal = text.replace(/[()|]/g, String.raw`\$&`)
  if (literal === '~' || literal.startsWith('~/')) return [join(home, literal.slice(2))]
  if (literal.startsWith('/')) return [literal]
  if (literal.startsWith('./')) return [join(folder, literal.slice(2))]
  if (literal === '.') return [join(folder, '')]
  const up = /^(?:\.\.(?:\/|$))+/.exec(literal)?.[0] ?? ''
  if (up !== '') return [join(path.resolve(folder, up), literal.slice(up.length))]
  return [join(folder, literal.includes('/') || literal === '**' ? literal : `**/${literal}`)]
}

function join(root: string, rest: string): string {
  const escaped = (root === '/' ? '' : root).replace(/[\\*?{}()[\]!+@|$^]/g, String.raw`\$&`)
  return rest === '' ? escaped || '/' : `${escaped}/${rest}`
}

function unescape(glob: string): string {
  return glob.replace(/\\(.)/g, '$1')
}
