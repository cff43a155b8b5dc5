// Finds the tests of a file: the nearest by imports, level by level, within its room.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

export interface TestsNearOptions {
  /** Every test of the room that reaches the file by however many imports. Default: only the nearest ones. */
  readonly wide?: boolean
}

/**
 * The test files (paths from `root`) of `file`'s own room that import it; where none does, those that import what imports it, and
 * so on. Long suites and tests that start processes, which would cost each fault seconds, are left out, but for the file's own.
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
  const asked = wide ? levels.flat() : (levels.find((level) => level.length > 0) ?? [])
  return [...new Set(asked.map((test) => test.file))].sort()
}

/** The file itself, what imports it, what imports that, until nothing new does. */
function* levelsAbove(file: string, sources: readonly Source[]): Generator<string[]> {
  const seen = new Set<string>()
  for (let level = [file]; level.length > 0;) {
    yield level
    for (const below of level) seen.add(below)
    const importers = sources.filter(({ imports }) => level.some((below) => imports.has(below)))
    level = importers.map((source) => source.file).filter((above) => !seen.has(above))
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

/** A test reaches what the scenes that it imports do, as if it stood in itself. */
function withScenes(test: Source, scenes: readonly Source[]): Source {
  const used = scenes.filter(({ file }) => test.imports.has(file))
  return { ...test, imports: new Set([test, ...used].flatMap(({ imports }) => [...imports])) }
}

/** Neither starts processes nor is one of the long suites. */
function isQuick({ text }: Source): boolean {
  return !/node:child_process|RXPI_FULL|RXPI_TORTURE|sampleSize/.test(text)
}

function isOf(file: string, test: Source): boolean {
  return test.file.replace(/^test/, 'lib').replace(/\.test\.tsx?$/, '.ts') === file
}
