// Lists the examples that pi's package ships, and copies them to a folder of this run.
import { cpSync, existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'

export interface Example {
  /** The name of the file without its ending, or of the folder. */
  readonly name: string
  /** The module that is loaded. */
  readonly entry: string
  /** Its folder, if it is a package of several files. */
  readonly folder: string | undefined
}

/** Copies the examples, so that nothing of pi's own packages is found above them. */
export function copyExamples(packageFolder: string, target: string): readonly Example[] {
  cpSync(path.join(packageFolder, 'examples/extensions'), target, { recursive: true })
  return listExamples(target)
}

export function listExamples(folder: string): readonly Example[] {
  return readdirSync(folder)
    .filter((name) => name !== 'README.md')
    .toSorted()
    .map((name) => {
      const file = path.join(folder, name)
      if (!statSync(file).isDirectory()) return { name: name.replace(/\.ts$/, ''), entry: file, folder: undefined }
      const entry = ['index.ts', 'index.js'].map((base) => path.join(file, base)).find((one) => existsSync(one))
      if (entry === undefined) throw new Error(`The example ${name} has no index`)
      return { name, entry, folder: file }
    })
}
