// Finds folders with instruction files below the workspace that tool calls name.
// Guarantees: at most 200 folders; none that is ignored, vendored, hidden behind a link out of the workspace, or
// already read.
import { lstatSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import { isInside, resolvePath } from '../../host/files/resolve-path.ts'
import { instructionPath } from './instruction-file.ts'
import { foldersDownTo } from './instruction-set.ts'
import type { GuardedFolder, InstructionFolders } from './instruction-set.ts'

const maxFolders = 200
/** Words of a command that are looked up. */
const maxWords = 100
/** Parameters of tools that name a file or folder. */
const pathParameters = ['path', 'file', 'cwd', 'folder', 'directory']

/** Folders with the code of others. */
const vendored = new Set([
  'node_modules',
  'bower_components',
  'vendor',
  'third_party',
  'third-party',
  'site-packages',
  'Pods',
  '.git',
  '.venv',
  'venv',
])

type Arguments = Readonly<Record<string, unknown>>

/**
 * The folders with an instruction file that these calls touch for the first time: those between the workspace's root
 * and each named path. `known` are folders that were read or refused; what was looked at is added.
 */
export function touchedFolders(
  calls: readonly Arguments[],
  cwd: string,
  { root }: Pick<InstructionFolders, 'root'>,
  known: Set<string>,
): string[] {
  const found: string[] = []
  for (const written of calls.flatMap(pathsOf)) {
    const folder = realFolderOf(resolvePath(written, cwd))
    if (folder === undefined || !isInside(folder, root)) continue
    for (const each of foldersDownTo(folder)) {
      if (known.has(each) || !isInside(each, root) || known.size >= maxFolders * 20) continue
      known.add(each)
      if (found.length < maxFolders && !isVendored(each, root) && instructionPath(each) !== undefined) found.push(each)
    }
  }
  return found
}

/** Those that no `.gitignore` ignores. */
export async function withoutIgnored(folders: readonly string[], root: string): Promise<readonly GuardedFolder[]> {
  const { ignoreRulesOf } = await import('../../host/patterns/ignore-rules.ts')
  const checked = await Promise.all(
    folders.map(async (folder) => {
      let rules = await ignoreRulesOf(root)
      for (const each of foldersDownTo(folder).filter((above) => above !== root && isInside(above, root))) {
        if (rules.ignores(each, true)) return []
        rules = await rules.below(each)
      }
      const file = instructionPath(folder)
      return file === undefined || rules.ignores(file, false) ? [] : [folder]
    }),
  )
  return checked.flat().map((folder) => ({ folder, guard: { kind: 'inside', root } }))
}

function isVendored(folder: string, root: string): boolean {
  return path
    .relative(root, folder)
    .split(path.sep)
    .some((name) => vendored.has(name))
}

function pathsOf(args: Arguments): string[] {
  const named: unknown[] = pathParameters.map((name) => args[name])
  const listed: readonly unknown[] = Array.isArray(args['paths']) ? args['paths'] : []
  const command = typeof args['command'] === 'string' ? wordsOf(args['command']) : []
  const all = [...named, ...listed, ...command]
  return all.filter((each): each is string => typeof each === 'string' && each !== '').slice(0, maxWords)
}

/** The words of a command that may be paths; what is none does not exist. */
function wordsOf(command: string): string[] {
  return command.split(/[\s'"`;|&()<>=]+/).filter((word) => word !== '' && !word.startsWith('-'))
}

/** The real path of a folder, or of the folder of a file; of a missing file, the nearest folder that exists. */
function realFolderOf(file: string): string | undefined {
  try {
    const status = statSync(file, { throwIfNoEntry: false })
    if (status?.isDirectory() === true) return realpathSync(file)
    if (status === undefined && lstatSync(file, { throwIfNoEntry: false }) !== undefined) return undefined // a dangling link
    const parent = path.dirname(file)
    return statSync(parent, { throwIfNoEntry: false })?.isDirectory() === true ? realpathSync(parent) : undefined
  } catch {
    return undefined // a loop of links, a name that is too long, no access
  }
}
