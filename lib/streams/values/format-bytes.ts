// Formats sizes for people.
import { countOf } from './count-of.ts'

const units = ['KB', 'MB', 'GB', 'TB']

/** `812 bytes`, `50 KB`, `3.6 MB`: one decimal below ten, multiples of 1,024. */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return countOf(bytes, 'byte')
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length)
  const value = bytes / 1024 ** power
  return `${value < 10 ? Math.round(value * 10) / 10 : Math.round(value)} ${units[power - 1] ?? 'KB'}`
}
