// Finds descriptors that this process got from its parent and would pass on to every child.
import { readdirSync, readFileSync } from 'node:fs'

let found: readonly number[] | undefined

/**
 * Descriptors above 2 without the close-on-exec flag. Node opens its own with that flag, so they are those of the
 * start; found once. Empty without /proc.
 */
export function inheritedDescriptors(): readonly number[] {
  found ??= descriptorsIn('/proc/self/fdinfo')
  return found
}

function descriptorsIn(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .map(Number)
      .filter((descriptor) => descriptor > 2 && !closesOnExec(`${folder}/${descriptor}`))
  } catch {
    return [] // no /proc
  }
}

const closeOnExec = 0o2000000

function closesOnExec(file: string): boolean {
  try {
    const flags = /^flags:\s*([0-7]+)/m.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
    return (Number.parseInt(flags, 8) & closeOnExec) !== 0
  } catch {
    return true // closed meanwhile
  }
}
