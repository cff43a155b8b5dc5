// Gives the tests temporary folders: one for all, which ext4 spreads over the disk, and in it one for each file.
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/**
 * Vitest's global setup, which runs once for each project. ext4 uses the inode of a removed file again after a minute at the
 * earliest, and reads past each of them when it makes a file nearby. Test files make and remove thousands. With the attribute T
 * (`chattr +T`) each subfolder gets a place of its own: docs/decisions/0737. If the file system refuses the attribute,
 * the tests go on without.
 */
export default function setup(): (() => void) | undefined {
  if (isSpread(tmpdir())) return undefined
  const spread = ownTemporaryFolder('rx')
  const dispose = (): void => spread[Symbol.dispose]()
  try {
    execFileSync('chattr', ['+T', spread.path], { stdio: 'ignore' })
  } catch {
    dispose()
    return undefined
  }
  chmodSync(spread.path, 0o711) // tests with a second user let this user pass
  const disposeAtTermination = (): void => {
    dispose()
    process.kill(process.pid, 'SIGTERM') // this listener is gone: the default ends the process
  }
  process.once('SIGTERM', disposeAtTermination)
  return () => {
    process.off('SIGTERM', disposeAtTermination)
    dispose()
  }
}

/** Sets a new temporary folder for this process and its children. Removes it when disposed. */
export function ownTemporaryFolder(prefix = filePrefix()): Disposable & { readonly path: string } {
  const before = process.env['TMPDIR']
  const folder = mkdtempSync(path.join(tmpdir(), prefix))
  process.env['TMPDIR'] = folder
  return {
    path: folder,
    [Symbol.dispose]: () => {
      if (before === undefined) delete process.env['TMPDIR']
      else process.env['TMPDIR'] = before
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** In the spread folder a path has the same length as without, because recorded outputs contain widths and counts of paths. */
function filePrefix(): string {
  return isSpread(tmpdir()) ? 't' : 'rxpi-test-'
}

function isSpread(folder: string): boolean {
  return /^rx.{6}$/.test(path.basename(folder))
}
