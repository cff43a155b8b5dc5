// Collects the licences of the packages that a bundle contains: name, version and licence text.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

interface Carried {
  readonly name: string
  readonly version: string
  readonly licence: string
  readonly texts: readonly string[]
}

/**
 * Returns the licences of the packages of these modules as one text, in alphabetical order.
 * @param modules absolute paths of files; files outside packages are skipped
 * @throws Error with the name of a package without licence information
 */
export function licencesOf(modules: Iterable<string>): string {
  const folders = new Set([...modules].flatMap((module) => folderOf(module) ?? []))
  const all = [...folders].map(carriedIn).sort((a, b) => (a.name < b.name ? -1 : 1))
  const firsts = new Map<string, string>()
  const parts = all.map(({ name, version, licence, texts }) =>
    [`${name} ${version} (${licence})`, ...texts.map((text) => withoutRepeat(text, name, firsts))].join('\n\n'),
  )
  return `rxpi carries parts of these packages.\n\n${parts.join(`\n\n${'-'.repeat(72)}\n\n`)}\n`
}

/** Returns a text that an earlier package has, word for word, as a reference to that package. */
function withoutRepeat(text: string, name: string, firsts: Map<string, string>): string {
  const first = firsts.get(text)
  if (first === undefined) firsts.set(text, name)
  return first === undefined ? text : `The text is that of ${first}, above.`
}

/** Name of the innermost package of a path. */
function folderOf(module: string): string | undefined {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(module) ?? []
  return folder !== undefined && existsSync(path.join(folder, 'package.json')) ? folder : undefined
}

function carriedIn(folder: string): Carried {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
  const { name, version, license: licence } = manifest
  if (typeof name !== 'string' || typeof version !== 'string' || typeof licence !== 'string') {
    throw new Error(`${folder} does not state name, version and licence; check the licence before you bundle it`)
  }
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
  return { name, version, licence, texts: files.map((file) => readFileSync(path.join(folder, file), 'utf8').trim()) }
}
