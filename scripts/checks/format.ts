// Prints the files that prettier would change, of all or of the named ones; exit code 1 if any.
//
// The same result as `prettier --check .` in two thirds of its time: the project has one set of options, so none is looked up.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { check, getFileInfo, resolveConfig } from 'prettier'
import { projectFiles } from './changed-files.ts'

const root = path.resolve(import.meta.dirname, '../..')
const ignorePath = path.join(root, '.prettierignore')
const options = (await resolveConfig(path.join(root, 'package.json'))) ?? {}
const named = process.argv.slice(2)

for (const file of named.length > 0 ? named : projectFiles(root)) {
  const filepath = path.join(root, file)
  const { ignored, inferredParser } = await getFileInfo(filepath, { ignorePath })
  if (ignored || inferredParser === null) continue
  const text = readFileSync(filepath, 'utf8')
  const problem = await check(text, { ...options, filepath }).then(
    (formatted) => (formatted ? undefined : 'prettier would change it; run: npm run format'),
    (error: unknown) => String(error),
  )
  if (problem === undefined) continue
  console.error(`${file}: ${problem}`)
  process.exitCode = 1
}
