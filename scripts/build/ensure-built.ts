// Builds if a source differs from the last build: before `npm start` and `npm test`.
import path from 'node:path'
import { buildSources, readBuildRecord } from './build-record.ts'
import { ensureValidators } from '../validators/validators.ts'

const root = path.resolve(import.meta.dirname, '../..')
ensureValidators(root)
if (readBuildRecord(root)?.sources !== buildSources(root)) {
  // The bundler is loaded only when there is something to bundle.
  const { build } = await import('./build.ts')
  await build(root)
}
