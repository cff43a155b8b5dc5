// Tests the stored code of extensions: it is used for the same content, and a damaged file does not count.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { firstValueFrom, of } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import { compilerVersion, maxFiles, readCodes, writeCodes } from '../../../lib/extensions/loader/code-file.ts'
import { loadModule } from '../../../lib/extensions/loader/load-module.ts'

function temporary(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-code-'))
  onTestFinished(() => {
    rmSync(folder, { recursive: true })
  })
  return folder
}

it('a second load runs the stored code, until the content is another', async () => {
  const root = path.join(temporary(), 'own')
  mkdirSync(root)
  const entry = path.join(root, 'index.ts')
  writeFileSync(entry, "export default 'compiled'")
  const code = { folder: path.join(root, '../code'), digest: 'one+/=' }
  const load = (digest = code.digest): Promise<unknown> =>
    firstValueFrom(
      loadModule({ entry, root, code: { ...code, digest } }, () => of({})),
      { defaultValue: '' },
    )
  expect(await load()).toBe('compiled')
  const [name = ''] = readdirSync(code.folder)
  const file = path.join(code.folder, name)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(code.folder).mode & 0o777).toBe(0o700)
  const replaced = readFileSync(file, 'utf8').replace("'compiled'", "'stored'")
  writeFileSync(file, replaced)
  expect(await load()).toBe('stored')
  expect(await load('another')).toBe('compiled')
  for (const text of ['{', '[]', replaced.replace(compilerVersion, 'jiti 1.0.0'), '{"codes":1}']) {
    writeFileSync(file, text)
    expect(await load()).toBe('compiled')
  }
})

it('a file that others could have written does not count, and the oldest make room', () => {
  const folder = path.join(temporary(), 'code')
  const codes = new Map([['key', 'code']])
  for (let index = 0; index <= maxFiles; index++) writeCodes({ folder, digest: `d${index}` }, codes)
  expect(readdirSync(folder)).toHaveLength(maxFiles)
  expect(readCodes({ folder, digest: `d${maxFiles}` })).toEqual(codes)
  chmodSync(path.join(folder, `d${maxFiles}.json`), 0o666)
  expect(readCodes({ folder, digest: `d${maxFiles}` }).size).toBe(0)
  writeCodes({ folder: '/dev/null/none', digest: 'x' }, codes) // a disk that refuses costs time, nothing else
})

it('names the compiler that is installed', () => {
  const { version } = JSON.parse(readFileSync('node_modules/jiti/package.json', 'utf8')) as { version: string }
  expect(compilerVersion).toBe(`jiti ${version}`)
})
