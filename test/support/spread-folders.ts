// Gives the test files a temporary folder whose subfolders ext4 spreads over the disk.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Vitest runs the setup once for each project. */
const isSet = Symbol.for('rxpi.test.spread')

/**
 * Vitest's global setup. ext4 uses the inode of a removed file again after a minute at the earliest, and reads past each of them
 * when it makes a file nearby. Test files make and remove thousands. With the attribute T (`chattr +T`) each subfolder
 * gets a place of its own: docs/decisions/0737. Other file systems refuse the attribute and go without.
 */
export default function setup(): (() => void) | undefined {
  if (Reflect.has(globalThis, isSet)) return undefined
  Reflect.set(globalThis, isSet, true)
  const before = process.env['TMPDIR']
  const folder = mkdtempSync(path.join(tmpdir(), 'rx'))
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    execFileSync('chattr', ['+T', folder], { stdio: 'ignore' })
  } catch {
    remove()
    return undefined
  }
  chmodSync(folder, 0o711) // tests with a second user let this user pass
  process.env['TMPDIR'] = folder
  const removeAtTermination = (): void => {
    remove()
    process.kill(process.pid, 'SIGTERM') // this listener is gone: the default ends the process
  }
  process.once('SIGTERM', removeAtTermination)
  return () => {
    process.off('SIGTERM', removeAtTermination)
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    remove()
  }
}

/**
 * How the name of a test file's own folder in `parent` begins. With the spread folder a path has the same length as without,
 * because recorded outputs contain widths and counts of paths.
 */
export function ownFolderPrefix(parent: string): 't' | 'rxpi-test-' {
  return /^rx.{6}$/.test(path.basename(parent)) ? 't' : 'rxpi-test-'
}
