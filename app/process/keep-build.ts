// Marks a build as in use, so that no later build removes files that this process loads on demand.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Keeps the build until this process ends (scripts/build/switch-build.ts). Does nothing if `module` is not in a bundle
 * or its folder is not writable.
 * @param module URL or path of a module of the bundle
 */
export function keepBuild(module: string, pid: number = process.pid): void {
  const [, dist = '', build = ''] = /^(.*\/dist)\/([0-9a-f]{12})\//.exec(module) ?? []
  if (build === '') return
  const mark = join(dist, 'in-use', `${build}.${pid}`)
  try {
    mkdirSync(dirname(mark), { recursive: true })
    writeFileSync(mark, '')
  } catch {
    return // read-only, or owned by another user
  }
  process.once('exit', () => {
    rmSync(mark, { force: true })
  })
}
