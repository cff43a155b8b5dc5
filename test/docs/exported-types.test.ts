// Tests that a program can name each exported type, reads what each value does, and that docs/api shows both.
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import { beforeAll, expect, it } from 'vitest'
import { apiPages } from '../../scripts/pages/api/api-pages.ts'
import { readExports } from '../../scripts/pages/api/exported-symbols.ts'
import type { LibraryExports } from '../../scripts/pages/api/exported-symbols.ts'
import { isFull } from '../support/sample-size.ts'

/** Names that only compute other types, or that two files have: a program gets such a value and passes it on. */
const unnamed = new Set(['ExtensionSet', 'Fields', 'HeldSchema', 'Instead', 'Notice'])

const root = process.cwd()

// the program of all sources takes seconds; test/compat/surface.test.ts compares the names in `npm test`
let library: LibraryExports
beforeAll(() => {
  if (isFull) library = readExports(root)
}, 60_000)

it.runIf(isFull)(
  'every type that an exported signature names is exported too, and every value has a doc comment',
  () => {
    const { checker, entries, resolve, exportsOf } = library
    const exported = new Set(entries.flatMap(({ symbols }) => [...symbols.values()]))
    const missing = new Set<string>()
    const check = (name: ts.Identifier): void => {
      const found = checker.getSymbolAtLocation(name)
      const symbol = found && resolve(found)
      const file = symbol?.declarations?.[0]?.getSourceFile()
      if (symbol === undefined || file === undefined || exported.has(symbol) || unnamed.has(symbol.name)) return
      if (!file.fileName.startsWith(path.join(root, 'lib/')) || !exportsOf(file).includes(symbol)) return
      missing.add(`${symbol.name} of ${path.relative(root, file.fileName)}`)
    }
    for (const symbol of exported) for (const declaration of symbol.declarations ?? []) eachTypeName(declaration, check)
    expect(exported.size).toBeGreaterThan(500)
    expect([...missing].sort()).toEqual([])
    const isUndocumented = (symbol: ts.Symbol): boolean =>
      (symbol.flags & ts.SymbolFlags.Value) !== 0 &&
      symbol.getDocumentationComment(checker).length === 0 &&
      symbol.getJsDocTags(checker).length === 0
    const ofProject = [...exported].filter(({ declarations: [declaration] = [] }) => {
      if (declaration === undefined || ts.isBindingElement(declaration)) return false // `read` … are parts of `tools`
      return declaration.getSourceFile().fileName.startsWith(path.join(root, 'lib/'))
    })
    expect(ofProject.filter(isUndocumented).map(({ name }) => name)).toEqual([])
  },
  60_000,
)

it.runIf(isFull)('docs/api is up to date; after a change: npx node scripts/pages/api/api-pages.ts', () => {
  const pages = apiPages(library)
  expect(readdirSync('docs/api').sort()).toEqual(pages.map(({ file }) => file).sort())
  const outdated = pages.filter(({ file, text }) => readFileSync(path.join('docs/api', file), 'utf8') !== text)
  expect(outdated.map(({ file }) => file)).toEqual([])
  const described = pages.map(({ text }) => text.match(/^## /gm)?.length ?? 0).reduce((sum, count) => sum + count)
  expect(described).toBeGreaterThan(600)
  // no examples, but declarations: they name internal types, so that they can be read by the compiler and not checked
  let declarations = 0
  for (const { file, text } of pages) {
    const blocks = Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = '']) => code.replaceAll('= …', '= 0'))
    declarations += blocks.length
    const { diagnostics = [] } = ts.transpileModule(blocks.join(';\n'), { reportDiagnostics: true })
    expect(diagnostics.map(({ messageText, start }) => [file, start, messageText])).toEqual([])
  }
  expect(declarations).toBeGreaterThan(600)
})

/** Calls `check` for each type that the declaration names; bodies and values are no part of a signature. */
function eachTypeName(declaration: ts.Node, check: (name: ts.Identifier) => void): void {
  const visit = (node: ts.Node): void => {
    if (ts.isBlock(node) || ts.isPrivateIdentifier(node)) return
    if ((ts.isVariableDeclaration(node) || ts.isParameter(node)) && node.initializer !== undefined) {
      if (node.type !== undefined) visit(node.type)
      return
    }
    if (ts.isTypeReferenceNode(node) && ts.isIdentifier(node.typeName)) check(node.typeName)
    if (ts.isExpressionWithTypeArguments(node) && ts.isIdentifier(node.expression)) check(node.expression)
    ts.forEachChild(node, visit)
  }
  visit(declaration)
}
