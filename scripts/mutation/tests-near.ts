// Finds the tests of a file: the nearest by imports, level by level, within its room.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface TestsNearOptions {
  /** Includes every test of the room that reaches the file over any number of imports. Default: only the nearest. */
  readonly wide?: boolean
}

/**
 * Returns the tests (paths from `root`) of the room of `file` that import it, else those that import its importers, and
 * so on. Leaves out long suites and tests that start processes, except the test of the file itself.
 */
export function testsNear(root: string, file: string, { wide = false }: TestsNearOptions = {}): string[] {
  const [, room = ''] = file.split('/')
  const found = sourcesIn(root, `test/${room}/**/*.test.{ts,tsx}`).filter((test) => isQuick(test) || isOf(file, test))
  const scenes = sourcesIn(root, `test/${room}/**/*-scene.ts`)
  const tests = found.map((test) => withScenes(test, scenes))
  const sources = sourcesIn(root, 'lib/**/*.ts')
  const levels = [...levelsAbove(file, sources)].map((level) =>
    tests.filter(({ imports }) => level.some((below) => imports.has(below))),
  )
  const requests = wide ? levels.flat() : (levels.find((level) => level.length > 0) ?? [])
  return [...new Set(requests.map((test) => test.file))].sort()
}

/** The file, its importers, their importers, until no new file appears. */
function* levelsAbove(file: string, sources: readonly Source[]): Generator<string[]> {
  const reached = new Set<string>()
  for (let level = [file]; level.length > 0;) {
    yield level
    for (const below of level) reached.add(below)
    const importers = sources.filter(({ imports }) => level.some((below) => imports.has(below)))
    level = importers.map((source) => source.file).filter((above) => !reached.has(above))
  }
}

interface Source {
  readonly file: string
  readonly text: string
  readonly imports: ReadonlySet<string>
}

function sourcesIn(root: string, pattern: string): Source[] {
  return globSync(pattern, { cwd: root }).map((file) => {
    const text = readFileSync(path.join(root, file), 'utf8')
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)]
    return { file, text, imports: new Set(imports.map(([, to = '']) => path.join(path.dirname(file), to))) }
  })
}

/** A test reaches everything that its scenes import. */
function withScenes(test: Source, scenes: readonly Source[]): Source {
  const used = scenes.filter(({ file }) => test.imports.has(file))
  return { ...test, imports: new Set([test, ...used].flatMap(({ imports }) => [...imports])) }
}

/** True if the test starts no processes and is no long suite. */
function isQuick({ text }: Source): boolean {
  return !/node:child_process|RXPI_FULL|RXPI_TORTURE|sampleSize/.test(text)
}

function isOf(file: string, test: Source): boolean {
  return test.file.replace(/^test/, 'lib').replace(/\.test\.tsx?$/, '.ts') === file
}
