// A small real disk: a tmpfs of 256 KiB, if the test may mount one.
import { execFileSync, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, rmdirSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface SmallDisk extends Disposable {
  /** Leaves this many bytes free, in steps of 4,096. */
  fill(leaving: number): void
  /** Removes the file that filled it. */
  free(): void
  /** Makes it read-only from now on. */
  makeReadOnly(): void
}

/** Creates the folder and mounts the disk on it. Disposing unmounts it, even if a file in it is open. */
export function smallDisk(folder: string, kibibytes = 256): SmallDisk {
  mkdirSync(folder, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kibibytes}k,mode=0700`, 'tmpfs', folder])
  const filler = path.join(folder, 'filler')
  const free = (): void => {
    rmSync(filler, { force: true })
  }
  return {
    fill: (leaving) => {
      free()
      const size = written(filler)
      truncateSync(filler, Math.max(0, size - Math.floor(leaving / 4_096) * 4_096))
    },
    free,
    makeReadOnly: () => {
      execFileSync('mount', ['-o', 'remount,ro', folder])
    },
    [Symbol.dispose]: () => {
      execFileSync('umount', ['-l', folder])
    },
  }
}

/** Whether this process can mount one; prints a line if it cannot. */
export function canMount(): boolean {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-mount-'))
  const mounted = process.platform === 'linux' && spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', folder]).status === 0
  if (mounted) execFileSync('umount', [folder])
  else console.warn('no disk may be mounted here: full ones are only injected')
  rmdirSync(folder)
  return mounted
}

function written(file: string): number {
  const descriptor = openSync(file, 'w')
  const piece = Buffer.alloc(4_096)
  let size = 0
  try {
    for (;;) size += writeSync(descriptor, piece)
  } catch {
    return size // it is full
  } finally {
    closeSync(descriptor)
  }
}
