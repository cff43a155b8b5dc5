// Lists the builds that live processes run from; removes the marks of dead ones in `dist/in-use`.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/** Returns the names of builds. A mark is `<build>.<pid>`. */
export function buildsInUse(dist: string): ReadonlySet<string> {
  const marks = path.join(dist, 'in-use')
  const builds = new Set<string>()
  for (const mark of existsSync(marks) ? readdirSync(marks) : []) {
    const [build = '', pid = ''] = mark.split('.')
    if (isAlive(Number(pid))) builds.add(build)
    else rmSync(path.join(marks, mark), { force: true })
  }
  return builds
}

function isAlive(pid: number): boolean {
  try {
    return pid > 0 && process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' // the process of another user
  }
}
