// Writes the library's declarations and their maps, with light types in place of TypeBox's.
import { execFile } from 'node:child_process'
import { copyFileSync, cpSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'

/** Writes the declarations of the clone at `root` to `types` of the build `folder`. */
export async function declare(root: string, folder: string): Promise<void> {
  const types = path.join(folder, 'types')
  const compiler = path.join(root, 'node_modules/tsgo/bin/tsc')
  const flags = ['-p', path.join(root, 'tsconfig.types.json'), '--outDir', types]
  try {
    await promisify(execFile)(process.execPath, [compiler, ...flags], { cwd: root })
  } catch (error) {
    const message =
      typeof error === 'object' && error !== null && 'stdout' in error ? String(error.stdout) : String(error)
    throw new Error(`The declarations could not be written:\n${message}`)
  }
  // The compiler reads generated declarations and does not write them.
  for (const generated of ['streams/generated', 'tools/generated']) {
    const from = path.join(root, 'lib', generated)
    const declarations = { recursive: true, filter: (file: string) => !file.endsWith('.js') }
    if (existsSync(from)) cpSync(from, path.join(types, generated), declarations)
  }
  lightenTypes(types)
}

/**
 * Replaces imports of TypeBox's types. A strict check of TypeBox's own declarations takes longer than that of rxjs
 * (docs/decisions/0511).
 */
function lightenTypes(types: string): void {
  const own = path.join(types, 'typebox.d.ts')
  copyFileSync(path.join(import.meta.dirname, 'typebox-types.d.ts'), own)
  for (const name of globSync('**/*.d.ts', { cwd: types })) {
    const file = path.join(types, name)
    if (file === own) continue
    const text = readFileSync(file, 'utf8')
    const local = `./${path.posix.join('../'.repeat(name.split(path.sep).length - 1), 'typebox.ts')}`
    const light = text.replaceAll(/(['"])@sinclair\/typebox\1/g, (_, quote: string) => `${quote}${local}${quote}`)
    if (light !== text) writeFileSync(file, light)
  }
}
