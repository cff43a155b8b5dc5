// Replaces a file atomically: a reader sees the old or the new text, also if several runs write it.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Writes `text` beside `file` and renames it over it; missing parents are created. */
export function replaceFile(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, text)
  renameSync(temporary, file)
}
