// Says how a file of an extension is loaded: as JSON, a native library, JavaScript or TypeScript.
import path from 'node:path'

export type SourceKind = 'json' | 'native' | 'typescript' | 'javascript'

const kinds: Readonly<Record<string, SourceKind>> = {
  '.json': 'json',
  '.node': 'native',
  '.ts': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.tsx': 'typescript',
}

/** By the name alone. */
export function sourceKind(file: string): SourceKind {
  return kinds[path.extname(file)] ?? 'javascript'
}

/** Statements of ES modules, and what CommonJS cannot evaluate by itself. Text in a string counts too: it only costs time. */
const esmSyntax =
  /(?:^|[\s;}])(?:import\s*["'{*]|import\s+[\w$]|export\s*[{*]|export\s+(?:default|class|type|interface|enum|abstract|namespace|declare|function|const|var|let|async)\b)|\bimport\s*\(|\bimport\.meta\b/

/** False for plain CommonJS, which runs as it is. */
export function needsCompiling(file: string, source: string): boolean {
  if (sourceKind(file) === 'typescript' || /\.(?:mjs|jsx)$/.test(file)) return true
  return esmSyntax.test(source)
}
