// Reads which symbols the entries of the library export, with their declarations; checks no types.
import path from 'node:path'
import ts from 'typescript'
import { libraryEntriesOf } from '../../build/bundles.ts'

export interface EntryExports {
  /** As programs import it: `rxpi`, `rxpi/client`. */
  readonly name: string
  /** By the exported name, in its order. */
  readonly symbols: ReadonlyMap<string, ts.Symbol>
}

export interface LibraryExports {
  readonly program: ts.Program
  readonly checker: ts.TypeChecker
  readonly entries: readonly EntryExports[]
  /** The symbol behind an import or export. */
  resolve(symbol: ts.Symbol): ts.Symbol
  exportsOf(file: ts.SourceFile | undefined): readonly ts.Symbol[]
}

export function readExports(root: string): LibraryExports {
  const sources = libraryEntriesOf(root)
  const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), (file) => ts.sys.readFile(file)) as {
    readonly config: unknown
  }
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root)
  const files = sources.map(([, source]) => path.join(root, source))
  const program = ts.createProgram(files, { ...options, types: [], noLib: true, noEmit: true })
  const checker = program.getTypeChecker()
  const resolve = (symbol: ts.Symbol): ts.Symbol =>
    (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol)
  const moduleExports = (file: ts.SourceFile | undefined): readonly ts.Symbol[] => {
    const module = file && checker.getSymbolAtLocation(file)
    return module === undefined ? [] : checker.getExportsOfModule(module)
  }
  return {
    ...{ program, checker, resolve },
    exportsOf: (file) => moduleExports(file).map(resolve),
    entries: sources.map(([name, source]) => ({
      name: name === 'index' ? 'rxpi' : `rxpi/${name}`,
      symbols: new Map(
        moduleExports(program.getSourceFile(path.join(root, source)))
          .map((symbol) => [symbol.name, resolve(symbol)] as const)
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      ),
    })),
  }
}
