// Finds the processes of this machine that have a text in their command line.
import { readFileSync, readdirSync } from 'node:fs'

/** Process ids, without this one. */
export function processesWith(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((id) => commandLine(id).includes(text))
}

function commandLine(id: number): string {
  try {
    return readFileSync(`/proc/${id}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    return '' // the process has ended meanwhile
  }
}
