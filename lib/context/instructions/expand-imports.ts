// Appends the files that CLAUDE.md imports by `@path`.
// Guarantees: at most 20 files, 5 levels and 32 KiB in all; a file is imported once, so cycles end.
import path from 'node:path'
import { isInside, resolvePath } from '../../host/files/resolve-path.ts'
import type { InstructionGuard } from './instruction-guard.ts'
import { maxFileBytes, readGuardedText } from './read-guarded-text.ts'

const maxImports = 20
const maxDepth = 5

interface ImportOptions {
  /** The file with the text. */
  readonly file: string
  readonly guard: InstructionGuard
  /** Reports a problem of the file. */
  report(reason: string): void
}

interface Import {
  readonly file: string
  readonly depth: number
}

/** The text, and after it each imported file under a heading with its path. A name without a file is plain text. */
export function expandImports(text: string, { file, guard, report }: ImportOptions): string {
  const folder = path.dirname(file)
  const imported = new Set([file])
  const waiting: Import[] = namesIn(text).map((name) => ({ file: resolvePath(name, folder), depth: 1 }))
  let parts = [text]
  let left = maxFileBytes - Buffer.byteLength(text)
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { file: target, depth } = next
    if (imported.has(target)) continue
    const name = path.relative(folder, target)
    if (imported.size > maxImports || left <= 0 || depth > maxDepth) {
      report(
        `@${name} was not imported: a file imports at most ${maxImports} files, ${maxDepth} levels and ${maxFileBytes} bytes`,
      )
      break
    }
    if (!isImportable(target, folder, guard)) {
      report(`@${name} was not imported: it is hidden, or not below the workspace`)
      continue
    }
    const content = readGuardedText(target, guard, left, (reason) => {
      report(`@${name} ${reason}`)
    })
    if (content === undefined) continue
    imported.add(target)
    left -= Buffer.byteLength(content)
    parts = [...parts, `[${name}]\n\n${content.trim()}`]
    waiting.push(
      ...namesIn(content).map((each) => ({ file: resolvePath(each, path.dirname(target)), depth: depth + 1 })),
    )
  }
  return parts.join('\n\n')
}

/** Hidden files hold keys and settings; a file of the user may import what stands beside it. */
function isImportable(target: string, folder: string, guard: InstructionGuard): boolean {
  const root = guard.kind === 'inside' ? guard.root : folder
  return (
    isInside(target, root) &&
    !path
      .relative(root, target)
      .split(path.sep)
      .some((name) => name.startsWith('.'))
  )
}

/** `@path` at the start of a word, not in code. An address or a package name names no file and does no harm. */
function namesIn(text: string): string[] {
  const prose = text.replace(/^(`{3,}|~{3,})[^]*?^\1/gm, '').replace(/`[^`\n]*`/g, '')
  const names = Array.from(prose.matchAll(/(?<=^|\s)@([^\s@,;:!?'"()<>[\]{}]+)/gm), ([, name = '']) => name)
  return names.map((name) => name.replace(/\.$/, '')).filter((name) => name !== '')
}
