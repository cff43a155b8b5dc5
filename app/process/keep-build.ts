// A server runs for days and loads parts of its bundle late: its build says meanwhile that it is in use (scripts/build/switch-build.ts).
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Until this process ends, no build of rxpi removes the folder that it runs from. Does nothing where `module` is no part of a
 * bundle, or where nothing may be written beside it: nobody who cannot write there builds there either.
 * @param module the URL or path of a module of the bundle
 */
export function keepBuild(module: string, pid: number = process.pid): void {
  const [, dist = '', build = ''] = /^(.*\/dist)\/([0-9a-f]{12})\//.exec(module) ?? []
  if (build === '') return
  const mark = join(dist, 'in-use', `${build}.${pid}`)
  try {
    mkdirSync(dirname(mark), { recursive: true })
    writeFileSync(mark, '')
  } catch {
    return // read-only, or another user's
  }
  process.once('exit', () => {
    rmSync(mark, { force: true })
  })
}
