// Reads and digests dist/build.json, the inputs of a build, which the build writes last.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { sourceDigest } from '../shared/source-digest.ts'

export interface BuildRecord {
  /** Digest of the sources of the build. */
  readonly sources: string
  /** Name of its folder in dist. */
  readonly build: string
}

const sources = [
  'lib',
  'app',
  'scripts',
  'examples/web',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.types.json',
]

/** Digests all current inputs of a build. */
export function buildSources(root: string): string {
  return sourceDigest(root, sources)
}

/** Returns the last build if it is complete and recorded. */
export function readBuildRecord(root: string): BuildRecord | undefined {
  const file = path.join(root, 'dist/build.json')
  if (!existsSync(file)) return undefined
  const record: unknown = JSON.parse(readFileSync(file, 'utf8'))
  return isBuildRecord(record) && existsSync(path.join(root, 'dist', record.build)) ? record : undefined
}

function isBuildRecord(value: unknown): value is BuildRecord {
  return (
    typeof value === 'object' &&
    value !== null &&
    'sources' in value &&
    typeof value.sources === 'string' &&
    'build' in value &&
    typeof value.build === 'string'
  )
}
