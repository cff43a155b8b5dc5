// What the page shows is run as it stands there, against the sources.
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as exported from '../../lib/operators/index.ts'

const execute = promisify(execFile)
const page = readFileSync('docs/operators.md', 'utf8')
/** Every example of the page. */
const examples = Array.from(page.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => fromSources(code))
const own = examples.find((code) => code.includes('marbles(')) ?? ''
let folder: string

beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-docs-')))
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'))
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}')
})

afterAll(() => rmSync(folder, { recursive: true }))

/** `rxpi` and `rxpi/testing` become the files that they are built from. */
function fromSources(code: string): string {
  return code.replaceAll(/ from 'rxpi(?:\/(\w+))?'/g, (_, entry: string | undefined) => {
    return ` from ${JSON.stringify(path.resolve('lib', entry ?? '.', 'index.ts'))}`
  })
}

async function run(code: string): Promise<string> {
  const file = path.join(folder, 'example.ts')
  writeFileSync(file, code)
  return execute(process.execPath, [file], { cwd: folder }).then(
    () => 'ran',
    (error: unknown) => (error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error)),
  )
}

describe('docs/operators.md', () => {
  it('has a row for everything that rxpi/operators exports, and for nothing else', () => {
    const rows = Array.from(page.matchAll(/^\| `(\w+)\(/gm), ([, name]) => name)
    expect(rows.toSorted()).toEqual(Object.keys(exported).toSorted())
  })

  it('has a transform of one’s own whose test passes', async () => {
    expect(await run(own)).toBe('ran')
  })

  it.each([
    ['the transform is another', 'length <= after', 'length < after'],
    ['it holds on to its source for longer', '^----!', '^---!'],
  ])('has a test that fails where %s', async (_, from, to) => {
    expect(own).toContain(from)
    expect(await run(own.replace(from, to))).toContain('The streams differ')
  })

  it('has examples that type check as they stand', async () => {
    examples.forEach((code, index) => writeFileSync(path.join(folder, `page-${index}.ts`), code))
    const compilerOptions = {
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: true },
      ...{ module: 'nodenext', target: 'es2024', types: ['node'], allowImportingTsExtensions: true, allowJs: true },
    }
    const files = examples.map((_, index) => `page-${index}.ts`)
    writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
    const said = await execute(process.execPath, [path.resolve('node_modules/tsgo/bin/tsc'), '-p', folder]).catch(
      (error: unknown) => error,
    )
    expect(said).toMatchObject({ stdout: '' })
  })
})
