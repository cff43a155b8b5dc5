// Divides the test files: those that share processes, those that start programs, and those with a process of their own.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

/** Folders of test whose files share processes, unless a file changes or measures its process. */
const rooms = [
  'app',
  'bench',
  'context',
  'contract',
  'docs',
  'extensions',
  'host',
  'mcp',
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

/**
 * Folders and files that start many programs. They share small processes: starting a program copies the page tables of its
 * parent, and the processes of the rooms grow to a gigabyte. `host/process` is not among them: it has a process that each
 * rxpi nearby ends as an orphan.
 */
const starting = [
  'compat',
  'end-to-end',
  'first-hour',
  'first-week',
  'host/sandbox',
  'session/commands/rewind.test.ts',
  'store/worktree-snapshots',
  'support',
  'toolchain',
  'tools/faults',
  'tools/shell',
]

/** Mocks a module, or measures memory or CPU time. */
const claims = /\bvi\.(?:mock|doMock|resetModules)\(|\bgc\(|process\.(?:memoryUsage|cpuUsage)\(|^\/\/ Own process: /m

export interface TestFiles {
  readonly shared: readonly string[]
  readonly programs: readonly string[]
  readonly own: readonly string[]
}

/** All test files below `test` of the project at `root`, from `root`, with `/`. */
export function divideTestFiles(root: string): TestFiles {
  const files = readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((name) => path.posix.join('test', ...name.split(path.sep)))
    .filter((file) => /\.test\.tsx?$/.test(file))
    .sort()
  const groups = Map.groupBy(files, (file) => groupOf(file, readFileSync(path.join(root, file), 'utf8')))
  return { shared: groups.get('shared') ?? [], programs: groups.get('programs') ?? [], own: groups.get('own') ?? [] }
}

function groupOf(file: string, code: string): keyof TestFiles {
  if (claims.test(code)) return 'own'
  if (starting.some((each) => `${file}/`.startsWith(`test/${each}/`))) return 'programs'
  return rooms.includes(file.split('/')[1] ?? '') ? 'shared' : 'own'
}
