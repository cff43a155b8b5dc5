// Which processes of this machine have a text in their command line: what a run left behind.
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
    return '' // it has ended meanwhile
  }
}
