// Creates pi's tools ls, find and grep for extensions, with exchangeable operations.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Type } from '@sinclair/typebox'
import { bashToolFor, createEditTool, createReadTool, createWriteTool, resolveIn, textOf } from './builtin-tools.ts'
import type { CreateTool } from './builtin-tools.ts'
import { localFolders } from './file-operations.ts'
import type { FolderOperations } from './file-operations.ts'
import type { PiTool } from '../contract/pi-shapes.ts'
import { truncateHead, truncateLine } from './truncate-output.ts'

interface FolderToolOptions {
  readonly operations?: Partial<FolderOperations> & {
    isDirectory?(file: string): Promise<boolean> | boolean
    readFile?(file: string): Promise<string> | string
  }
}

const folder = Type.Optional(Type.String({ description: 'The folder; the working folder by default' }))
const most = Type.Optional(Type.Number({ description: 'The most results' }))

export const createLsTool: CreateTool<FolderToolOptions> = (cwd, { operations = {} } = {}) => ({
  name: 'ls',
  label: 'ls',
  description: 'Lists a folder, sorted; folders end with a slash.',
  parameters: Type.Object({ path: folder, limit: most }),
  execute: async (_id, args) => {
    const { path: name = '.', limit = 500 } = args as { path?: string; limit?: number } // checked by the schema
    const { readdir, stat } = { ...localFolders, ...operations }
    const root = resolveIn(cwd, name)
    const names = (await readdir(root)).toSorted((one, other) => one.toLowerCase().localeCompare(other.toLowerCase()))
    const lines = await Promise.all(
      names
        .slice(0, limit)
        .map(async (entry) => ((await stat(path.join(root, entry))).isDirectory() ? `${entry}/` : entry)),
    )
    return textOf(lines.length === 0 ? '(empty directory)' : truncateHead(lines.join('\n')).content)
  },
})

export const createFindTool: CreateTool<FolderToolOptions> = (cwd, { operations = {} } = {}) => ({
  name: 'find',
  label: 'find',
  description: 'Finds files by a glob pattern.',
  parameters: Type.Object({
    pattern: Type.String({ description: 'The glob, such as *.ts' }),
    path: folder,
    limit: most,
  }),
  execute: async (_id, args) => {
    const { pattern, path: name = '.', limit = 1000 } = args as { pattern: string; path?: string; limit?: number } // checked by the schema
    const { glob } = { ...localFolders, ...operations }
    const found = await glob(pattern, resolveIn(cwd, name), { ignore: ['node_modules', '.git'], limit })
    return textOf(found.length === 0 ? 'No files found matching pattern' : truncateHead(found.join('\n')).content)
  },
})

export const createGrepTool: CreateTool<FolderToolOptions> = (cwd, { operations = {} } = {}) => ({
  name: 'grep',
  label: 'grep',
  description: 'Searches the contents of files for a pattern.',
  parameters: Type.Object({
    pattern: Type.String({ description: 'A regular expression' }),
    path: folder,
    glob: Type.Optional(Type.String({ description: 'Only files of this glob' })),
    ignoreCase: Type.Optional(Type.Boolean()),
    literal: Type.Optional(Type.Boolean({ description: 'The pattern is plain text' })),
    limit: most,
  }),
  execute: async (_id, args) => {
    const {
      pattern,
      path: name = '.',
      glob: files = '*',
      ignoreCase = false,
      literal = false,
      limit = 100,
    } = args as {
      pattern: string
      path?: string
      glob?: string
      ignoreCase?: boolean
      literal?: boolean
      limit?: number
    } // checked by the schema
    const { glob, readFile: read = (file: string) => readFile(file, 'utf8') } = { ...localFolders, ...operations }
    const root = resolveIn(cwd, name)
    const wanted = new RegExp(literal ? pattern.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : pattern, ignoreCase ? 'i' : '')
    const lines: string[] = []
    for (const file of await glob(files, root, { ignore: ['node_modules', '.git'], limit: 10_000 })) {
      if (lines.length >= limit) break
      lines.push(...(await matchesIn(read, path.resolve(root, file), file, wanted)))
    }
    return textOf(lines.length === 0 ? 'No matches found' : truncateHead(lines.slice(0, limit).join('\n')).content)
  },
})

/** Folders and files that are not text have no matches. */
async function matchesIn(
  read: (file: string) => Promise<string> | string,
  file: string,
  name: string,
  wanted: RegExp,
): Promise<string[]> {
  let text: string
  try {
    text = await read(file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EISDIR') return []
    throw error
  }
  if (text.includes('\0')) return []
  return text
    .split('\n')
    .flatMap((line, index) => (wanted.test(line) ? [`${name}:${index + 1}: ${truncateLine(line).text}`] : []))
}

/** @param variables the environment of commands */
export const codingToolsFor =
  (variables: NodeJS.ProcessEnv) =>
  (cwd: string): PiTool[] => [
    createReadTool(cwd),
    bashToolFor(variables)(cwd),
    createEditTool(cwd),
    createWriteTool(cwd),
  ]

export function createReadOnlyTools(cwd: string): PiTool[] {
  return [createReadTool(cwd), createGrepTool(cwd), createFindTool(cwd), createLsTool(cwd)]
}
