// Stores the files of recordings; large ones are compressed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** Larger files are stored compressed, under the same name with `.gz`. */
const plainBytes = 64 * 1024

export function storeFile(file: string, bytes: Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true })
  if (bytes.length <= plainBytes) writeFileSync(file, bytes)
  else writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
}

export const isStored = (file: string): boolean => existsSync(file) || existsSync(`${file}.gz`)

export const storedFile = (file: string): Buffer =>
  existsSync(file) ? readFileSync(file) : gunzipSync(readFileSync(`${file}.gz`))
