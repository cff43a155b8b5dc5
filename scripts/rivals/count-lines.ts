// Counts the lines of the compared programs: all lines but blank ones and comments.
import { readFileSync } from 'node:fs'
import path from 'node:path'

/** The compared programs: name → file in `programs`, and the packages that are installed for it. */
export const programs = [
  { name: 'rxpi', file: 'rxpi.mjs', packages: [] },
  { name: 'AI SDK', file: 'ai-sdk.mjs', packages: ['ai@7.0.173'] },
  { name: 'pi-agent-core', file: 'pi-agent-core.mjs', packages: ['@earendil-works/pi-agent-core@0.87.1'] },
] as const

export const programFolder = path.join(import.meta.dirname, 'programs')

export interface LineCounts {
  readonly all: number
  /** Of the tool alone: the lines between `// tool` and `// end`. */
  readonly tool: number
}

export function countLines(file: string): LineCounts {
  const text = readFileSync(path.join(programFolder, file), 'utf8')
  const [, tool] = /^\/\/ tool\n([^]*?)^\/\/ end$/m.exec(text) ?? []
  if (tool === undefined) throw new Error(`${file} has no lines between // tool and // end`)
  return { all: codeLines(text), tool: codeLines(tool) }
}

function codeLines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '' && !line.trim().startsWith('//')).length
}
