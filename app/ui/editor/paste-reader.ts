// Reads a paste or a dropped file: attaches images whose paths exist, else inserts the text.
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFileArgument } from '../../cli/input/file-argument.ts'
import type { EditorEdit } from './editor-state.ts'

/** Returns the edits of a paste. */
export type PasteReader = (text: string) => readonly EditorEdit[]

const imageFile = /\.(?:png|jpe?g|gif|webp)$/i

/** @param cwd absolute base of relative paths */
export function createPasteReader(cwd: string): PasteReader {
  return (text) => {
    const edits = pathsOf(text, cwd).map((path) => imageEdit(path, cwd))
    const isImages = edits.length > 0 && edits.every((edit) => edit !== undefined)
    return isImages ? edits.flatMap((edit) => [edit, { type: 'insert', text: ' ' }]) : [{ type: 'paste', text }]
  }
}

/** Terminals write a dropped path quoted, escaped, as a URL, or plain; several are separated by spaces. */
function pathsOf(text: string, cwd: string): readonly string[] {
  const trimmed = text.trim()
  if (trimmed.length > 8_192 || !imageFile.test(trimmed.replace(/['"]$/, ''))) return []
  if (existsSync(resolve(cwd, trimmed))) return [trimmed]
  const words = trimmed.match(/'[^']*'|"[^"]*"|(?:\\.|[^\s\\])+/g) ?? []
  return words.map((word) => (/^['"]/.test(word) ? word.slice(1, -1) : word.replace(/\\(.)/g, '$1'))).map(fromUrl)
}

function fromUrl(path: string): string {
  if (!path.startsWith('file:')) return path
  try {
    return fileURLToPath(path)
  } catch {
    return path // a URL of another machine stays text
  }
}

function imageEdit(path: string, cwd: string): EditorEdit | undefined {
  if (!imageFile.test(path)) return undefined
  try {
    const file = readFileArgument(path, cwd)
    return 'image' in file ? { type: 'image', name: basename(resolve(cwd, path)), image: file.image } : undefined
  } catch {
    return undefined // a path that cannot be sent stays text
  }
}
