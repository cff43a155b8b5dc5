// Runs and type-checks the examples of a page, each as a file of its own.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { withCompileCache } from './compile-cache.ts'

const execute = promisify(execFile)

export interface PageExamples extends Disposable {
  /** In order of the page, with imports of the sources. */
  readonly examples: readonly string[]
  /** `ran`, or the example's stderr; `env` extends this process's own. */
  run(code: string, env?: Readonly<Record<string, string>>): Promise<string>
  /**
   * Several examples, each as a module of one program, one after the other: a process starts once. `ran` or the error,
   * one for each: an example that fails does not end the program.
   */
  runEach(codes: readonly string[], env?: Readonly<Record<string, string>>): Promise<readonly string[]>
}

/** The examples of a page in a language, with a folder for their files, which `dispose` removes. */
export function pageExamples(page: string, language: 'ts' | 'js' = 'ts'): PageExamples {
  const { folder, ...disposable } = folderOf()
  const examples = examplesOf(page, language).map((code) => withEntries(code, sourceOf))
  const start = (code: string, env: Readonly<Record<string, string>>): Promise<{ readonly stderr: string }> => {
    const file = path.join(folder, 'example.ts')
    writeFileSync(file, code)
    return execute(process.execPath, [file], { cwd: folder, env: withCompileCache({ ...process.env, ...env }) })
  }
  const run: PageExamples['run'] = (code, env = {}) =>
    start(code, env).then(
      () => 'ran',
      (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)),
    )
  const writeParts = (codes: readonly string[]): void => {
    codes.forEach((code, index) => writeFileSync(path.join(folder, `part-${index}.ts`), code))
  }
  return {
    examples,
    run,
    runEach: async (codes, env = {}) => {
      writeParts(codes)
      const program = `import { inspect } from 'node:util'
        import { writeFileSync } from 'node:fs'
        const outcomes: string[] = []
        for (let part = 0; part < ${codes.length}; part += 1)
          outcomes.push(await import('./part-' + part + '.ts').then(() => 'ran', (error: unknown) => inspect(error)))
        writeFileSync('outcomes.json', JSON.stringify(outcomes))`
      await start(program, env)
      return JSON.parse(readFileSync(path.join(folder, 'outcomes.json'), 'utf8')) as readonly string[]
    },
    ...disposable,
  }
}

function folderOf(): Disposable & { readonly folder: string } {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-docs-')))
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

function examplesOf(page: string, language: 'ts' | 'js'): readonly string[] {
  const fences = readFileSync(page, 'utf8').matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms'))
  return Array.from(fences, ([, code = '']) => code)
}

/** Maps `rxpi` and `rxpi/testing` to files. */
function withEntries(code: string, fileOf: (entry: string | undefined) => string): string {
  const imports = / from 'rxpi(?:\/(\w+))?'/g
  return code.replaceAll(imports, (_, entry?: string) => ` from ${JSON.stringify(path.resolve(fileOf(entry)))}`)
}

function sourceOf(entry: string | undefined): string {
  return entry === 'core' || entry === 'client' ? `lib/${entry}.ts` : path.join('lib', entry ?? '.', 'index.ts')
}

/** The built module, beside its declarations. */
function builtOf(entry = 'index'): string {
  return `dist/lib/${entry}.js`
}

/**
 * The compiler's messages for the examples of these pages, in one check; empty if there are none. The declarations of
 * the build are those that programs get, and take a fifth of the time of the sources.
 */
export async function typeErrorsOf(pages: readonly string[]): Promise<string> {
  await execute(process.execPath, ['scripts/build/ensure-built.ts'])
  using shown = folderOf()
  const codes = pages.flatMap((page) =>
    examplesOf(page, 'ts').map((code, index) => ({
      name: `${path.basename(page, '.md')}-${index}.ts`,
      code: withEntries(code, builtOf),
    })),
  )
  for (const { name, code } of codes) writeFileSync(path.join(shown.folder, name), code)
  return await checked(
    shown.folder,
    codes.map(({ name }) => name),
  )
}

async function checked(folder: string, names: readonly string[]): Promise<string> {
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
    ...{ module: 'nodenext', target: 'es2024', types: ['node'], allowImportingTsExtensions: true, allowJs: true },
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: names }))
  return execute(process.execPath, [path.resolve('node_modules/tsgo/bin/tsc'), '-p', folder]).then(
    ({ stdout }) => stdout,
    (error: unknown) => (error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)),
  )
}
