// Tests the licences of the packages that a bundle contains.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { licencesOf } from '../../scripts/build/licences.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'rxpi-licences-'))
})
afterEach(() => rmSync(root, { recursive: true }))

/** Returns a module of the package. */
function addPackage(name: string, manifest: object, texts: Readonly<Record<string, string>> = {}): string {
  const folder = path.join(root, 'node_modules', name)
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name, ...manifest }))
  for (const [file, text] of Object.entries(texts)) writeFileSync(path.join(folder, file), text)
  return path.join(folder, 'index.js')
}

const manifest = { version: '1.0.0', license: 'MIT' }

it('names each package with its texts, and writes a repeated text once', () => {
  const modules = [
    addPackage('b', manifest, { LICENSE: 'Do it.', NOTICE: 'By B.' }),
    addPackage('a', manifest, { LICENSE: 'Do it.\n' }),
    addPackage('c', manifest, { 'licence.md': 'Do it well.' }),
  ]
  const text = licencesOf([...modules, path.join(root, 'own.js')])
  expect(text).toContain('a 1.0.0 (MIT)\n\nDo it.\n\n---')
  expect(text).toContain('b 1.0.0 (MIT)\n\nThe text is that of a, above.\n\nBy B.')
  expect(text).toContain('c 1.0.0 (MIT)\n\nDo it well.')
})

it('refuses a package without a licence', () => {
  expect(() => licencesOf([addPackage('d', { version: '1.0.0' })])).toThrow('check the licence before you bundle it')
})
