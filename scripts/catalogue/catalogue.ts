// Writes the catalogue's data from a published package.
// `node scripts/catalogue/catalogue.ts [folder of the unpacked package]`
//
// Without a folder the package is fetched by `npm pack` into a temporary one. The same package gives the same files.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { catalogueFiles } from './catalogue-files.ts'
import type { PublishedModel } from '../../lib/streams/models/catalogue-schemas.ts'

const source = { name: '@earendil-works/pi-ai', version: '1.5.2', date: '2026-11-10', licence: 'MIT' }
const target = path.join(import.meta.dirname, '../../lib/providers/catalogue-data')

const temporary = mkdtempSync(path.join(tmpdir(), 'rxpi-catalogue-'))
try {
  const folder = process.argv[2] ?? fetched(temporary)
  checkVersion(folder)
  const url = pathToFileURL(path.join(folder, 'dist/models.generated.js')).href
  const { MODELS } = (await import(url)) as { MODELS: Record<string, Record<string, PublishedModel>> }
  const files = catalogueFiles(MODELS, source)
  for (const [name, text] of files) writeFileSync(path.join(target, name), text)
  console.log(`${files.size} files written to ${path.relative(process.cwd(), target)}`)
} finally {
  rmSync(temporary, { recursive: true, force: true })
}

function fetched(into: string): string {
  const packed = execFileSync('npm', ['pack', '--silent', `${source.name}@${source.version}`], {
    cwd: into,
    encoding: 'utf8',
  }).trim()
  execFileSync('tar', ['xzf', packed], { cwd: into })
  return path.join(into, 'package')
}

function checkVersion(folder: string): void {
  const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as typeof source
  if (name === source.name && version === source.version) return
  throw new Error(
    `${folder} holds ${name} ${version}, not ${source.name} ${source.version}: change the source here too`,
  )
}
