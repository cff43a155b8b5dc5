// Reads the exported names of the package's entries, values and types, from a build's declarations.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'

/** Exported names of each entry (`.`, `./core` …); a name that is only a type is preceded by `type `. */
export function exportedNames(build: string): Record<string, string[]> {
  const manifest = JSON.parse(readFileSync(path.join(build, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, string | { readonly types: string }>>
  }
  const names: Record<string, string[]> = {}
  for (const [entry, target] of Object.entries(manifest.exports)) {
    if (typeof target === 'object') names[entry] = [...namesIn(path.join(build, target.types))].sort()
  }
  return names
}

function namesIn(file: string): Set<string> {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true)
  const names = new Set<string>()
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) addExported(statement, file, names)
    else if (isExported(statement)) addDeclared(statement, names)
  }
  return names
}

function addExported(
  { exportClause, moduleSpecifier, isTypeOnly }: ts.ExportDeclaration,
  file: string,
  names: Set<string>,
): void {
  if (exportClause === undefined) {
    if (moduleSpecifier === undefined || !ts.isStringLiteral(moduleSpecifier)) return
    for (const name of namesIn(declarationOf(file, moduleSpecifier.text))) names.add(name)
  } else if (ts.isNamedExports(exportClause)) {
    for (const { name, isTypeOnly: isType } of exportClause.elements) {
      names.add(isTypeOnly || isType ? `type ${name.text}` : name.text)
    }
  } else names.add(exportClause.name.text)
}

function addDeclared(statement: ts.Statement, names: Set<string>): void {
  if (ts.isVariableStatement(statement)) {
    for (const { name } of statement.declarationList.declarations) names.add(name.getText())
  } else if (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) {
    names.add(`type ${statement.name.text}`)
  } else if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
    if (statement.name !== undefined) names.add(statement.name.text)
  }
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)

/** Declarations name each other as `./x.ts` or `./x.js`. */
function declarationOf(from: string, specifier: string): string {
  const file = path.join(path.dirname(from), specifier.replace(/\.[jt]s$/, '.d.ts'))
  if (!existsSync(file)) throw new Error(`${from} exports from ${specifier}, which has no declarations`)
  return file
}
