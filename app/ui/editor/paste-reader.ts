// What is pasted, or dropped on the terminal, is text, or the paths of images that are there: those are attached.
import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fileArgument } from '../../cli/file-argument.ts'
import type { EditorEdit } from './editor-state.ts'

/** The edits that a paste is made of. */
export type PasteReader = (text: string) => readonly EditorEdit[]

const imageFile = /\.(?:png|jpe?g|gif|webp)$/i

/** @param cwd what relative paths are relative to, absolute */
export function pasteReader(cwd: string): PasteReader {
  return (text) => {
    const edits = pathsOf(text).map((path) => imageEdit(path, cwd))
    const isImages = edits.length > 0 && edits.every((edit) => edit !== undefined)
    return isImages ? edits.flatMap((edit) => [edit, { type: 'insert', text: ' ' }]) : [{ type: 'paste', text }]
  }
}

/** Terminals write a dropped path in quotes, with backslashes, as a URL, or as it is; several with a space between them. */
function pathsOf(text: string): readonly string[] {
  const trimmed = text.trim()
  if (trimmed.length > 8_192 || !imageFile.test(trimmed.replace(/['"]$/, ''))) return []
  if (existsSync(trimmed)) return [trimmed]
  const words = trimmed.match(/'[^']*'|"[^"]*"|(?:\\.|[^\s\\])+/g) ?? []
  return words.map((word) => (/^['"]/.test(word) ? word.slice(1, -1) : word.replace(/\\(.)/g, '$1'))).map(fromUrl)
}

function fromUrl(path: string): string {
  if (!path.startsWith('file:')) return path
  try {
    return fileURLToPath(path)
  } catch {
    return path // of another machine: it is text
  }
}

function imageEdit(path: string, cwd: string): EditorEdit | undefined {
  if (!imageFile.test(path)) return undefined
  try {
    const file = fileArgument(path, cwd)
    return 'image' in file ? { type: 'image', name: basename(resolve(cwd, path)), image: file.image } : undefined
  } catch {
    return undefined // no such file, or one that cannot be sent: the path stays text
  }
}
