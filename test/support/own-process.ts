// Divides the test files in two: files that share a process, and files with one of their own.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Folders of test whose files share processes, unless a file changes or measures its process. */
const sharing = [
  'app',
  'bench',
  'context',
  'contract',
  'docs',
  'extensions',
  'host',
  'operators',
  'policy',
  'providers',
  'server',
  'services',
  'session',
  'store',
  'streams',
  'testing',
  'tools',
]

/** Mocks a module, measures memory or CPU time, or changes what a process has once. */
const claims =
  /\bvi\.(?:mock|doMock|resetModules)\(|\bgc\(|process\.(?:memoryUsage|cpuUsage|chdir|umask)\(|^\/\/ Own process: /m

export interface TestFiles {
  readonly shared: readonly string[]
  readonly own: readonly string[]
}

/** All test files below `test` of the project at `root`, from `root`, with `/`. */
export function divideTestFiles(root: string): TestFiles {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('test', ...name.split(path.sep)))
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort()
  const isOwn = (file: string): boolean =>
    !sharing.includes(file.split('/')[1] ?? '') || claims.test(readFileSync(path.join(root, file), 'utf8'))
  return { shared: files.filter((file) => !isOwn(file)), own: files.filter(isOwn) }
}
