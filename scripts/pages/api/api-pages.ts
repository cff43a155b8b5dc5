// Writes docs/api: one page for each entry of the library, with declarations and doc comments.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type ts from 'typescript'
import { declarationText } from './declaration-text.ts'
import { readExports } from './exported-symbols.ts'
import type { EntryExports, LibraryExports } from './exported-symbols.ts'

const root = path.join(import.meta.dirname, '../../..')

/** What each entry is for; the order of the pages. A symbol of several entries is described with the first of them. */
const purposes: Readonly<Record<string, string>> = {
  'rxpi/core': 'sessions without files, processes and providers: for pages, and for hosts of your own',
  rxpi: 'sessions on this machine, with the built-in tools; everything of `rxpi/core` too',
  'rxpi/operators': 'operators for events, contexts and providers, and the parts of the loop',
  'rxpi/providers': 'models and their HTTP APIs',
  'rxpi/tools': 'the built-in tools, one by one',
  'rxpi/store': 'session logs in files, in memory or in your own store',
  'rxpi/server': 'a server, its socket and its protocol',
  'rxpi/client': 'a client of a server, also on a page',
  'rxpi/testing': 'scripted models, virtual time and contracts for tests',
}

export interface ApiPage {
  /** In docs/api. */
  readonly file: string
  readonly text: string
}

/** The pages of all entries, and README.md, which lists them. */
export function apiPages({ entries }: Pick<LibraryExports, 'entries'>): readonly ApiPage[] {
  const described = new Map<ts.Symbol, string>()
  const pages = Object.keys(purposes).map((name) => {
    const entry = entries.find((each) => each.name === name)
    if (entry === undefined) throw new Error(`there is no entry ${name}`)
    return pageOf(entry, described)
  })
  if (pages.length !== entries.length) throw new Error('an entry has no purpose in scripts/pages/api/api-pages.ts')
  return [indexOf(entries), ...pages]
}

function fileOf(entry: string): string {
  return `${entry.replace('/', '-')}.md`
}

function indexOf(entries: readonly EntryExports[]): ApiPage {
  const rows = Object.entries(purposes).map(([name, purpose]) => {
    const count = entries.find((each) => each.name === name)?.symbols.size ?? 0
    return `| [\`${name}\`](${fileOf(name)}) | ${count} | ${purpose} |`
  })
  const text = [
    '# API reference',
    '',
    'The exports of each entry with their declarations and doc comments. `npx node scripts/pages/api/api-pages.ts` writes these pages from',
    'the sources. [library.md](../library.md) and the other pages about building on rxpi say how the parts fit together.',
    '',
    '| entry | exports | what it is for |',
    '| --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
  return { file: 'README.md', text }
}

function pageOf({ name, symbols }: EntryExports, described: Map<ts.Symbol, string>): ApiPage {
  const elsewhere = new Map<string, string[]>()
  const sections: string[] = []
  for (const [exported, symbol] of symbols) {
    const other = described.get(symbol)
    if (other !== undefined) {
      elsewhere.set(other, [...(elsewhere.get(other) ?? []), exported])
      continue
    }
    const found = declarationText(symbol, isOfLibrary)
    if (found === undefined) continue
    described.set(symbol, name)
    sections.push(`## ${exported}`, '', ...(found.comment === '' ? [] : [found.comment, '']), '```ts', found.code, '```', '')
  }
  const links = [...elsewhere].map(
    ([other, names]) => `- of [\`${other}\`](${fileOf(other)}): ${names.map((each) => `\`${each}\``).join(', ')}`,
  )
  const also = links.length === 0 ? [] : ['It also exports:', '', ...links, '']
  const head = [`# ${name}`, '', `For ${purposes[name] ?? ''}. The list of entries is [here](README.md).`, '']
  return { file: fileOf(name), text: [...head, ...also, ...sections].join('\n') }
}

function isOfLibrary(node: ts.Node): boolean {
  return node.getSourceFile().fileName.startsWith(path.join(root, 'lib/'))
}

if (import.meta.filename === process.argv[1]) {
  const folder = path.join(root, 'docs/api')
  const pages = apiPages(readExports(root))
  mkdirSync(folder, { recursive: true })
  for (const { file, text } of pages) writeFileSync(path.join(folder, file), text)
  for (const file of readdirSync(folder)) if (!pages.some((page) => page.file === file)) rmSync(path.join(folder, file))
}
