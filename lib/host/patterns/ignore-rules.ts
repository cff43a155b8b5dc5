// Applies the rules of .gitignore files to the paths of a folder.
// Guarantees: a rule costs as much as its pattern times the path: a repository cannot hold the server.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import path from 'node:path'
import { compileGlob } from './glob.ts'
import { isInRepository, isRepository } from '../files/repository-root.ts'
import type { Glob } from './glob.ts'

interface IgnoreRule {
  readonly glob: Glob
  readonly isFolderOnly: boolean
  readonly isNegated: boolean
}

/** The rules of a folder and of those above it. */
export interface IgnoreRules {
  /** @param file an absolute path below the folder */
  ignores(file: string, isFolder: boolean): boolean
  /** The rules of a folder directly below. */
  below(folder: string): Promise<IgnoreRules>
}

/** A larger .gitignore is cut here. */
const maxBytes = 1_048_576

/**
 * The rules for a folder, with those of its parents: up to the root of its repository, and to the root of the file
 * system outside of repositories. If they ignore the folder itself, only its own count: the caller named it.
 */
export async function ignoreRulesOf(folder: string): Promise<IgnoreRules> {
  const inRepository = isInRepository(folder)
  const above = await levelsAbove(folder, inRepository)
  return rulesOf([await levelOf(folder), ...(decide(above, folder, true) ? [] : above)], inRepository)
}

interface Level {
  readonly folder: string
  readonly rules: readonly IgnoreRule[]
}

/** The nearest first. */
async function levelsAbove(folder: string, inRepository: boolean): Promise<Level[]> {
  const parent = path.dirname(folder)
  if (parent === folder || (inRepository && isRepository(folder))) return []
  return [await levelOf(parent), ...(await levelsAbove(parent, inRepository))]
}

function rulesOf(levels: readonly Level[], inRepository: boolean): IgnoreRules {
  const filled = levels.filter(({ rules }) => rules.length > 0)
  return {
    ignores: (file, isFolder) => path.basename(file) === '.git' || decide(filled, file, isFolder),
    below: async (folder) =>
      rulesOf([await levelOf(folder), ...(inRepository && isRepository(folder) ? [] : filled)], inRepository),
  }
}

/** The last rule of the nearest level that has one decides. */
function decide(levels: readonly Level[], file: string, isFolder: boolean): boolean {
  for (const { folder, rules } of levels) {
    const name = path.relative(folder, file).split(path.sep).join('/')
    const rule = rules.findLast((each) => (isFolder || !each.isFolderOnly) && each.glob.matches(name))
    if (rule !== undefined) return !rule.isNegated
  }
  return false
}

async function levelOf(folder: string): Promise<Level> {
  return { folder, rules: parseIgnoreRules(await readRules(path.join(folder, '.gitignore'))) }
}

/** Empty if there is none, or if it cannot be read. A pipe does not hold the search. */
async function readRules(file: string): Promise<string> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      if (!(await handle.stat()).isFile()) return ''
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(maxBytes), 0, maxBytes, 0)
      return buffer.toString('utf8', 0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch {
    return '' // as ripgrep: what cannot be read has no rules
  }
}

/** The rules of a .gitignore, in its order. */
export function parseIgnoreRules(text: string): IgnoreRule[] {
  return text
    .replace(/^\u{FEFF}/u, '')
    .split(/\r?\n/)
    .map((line) => line.replace(/(?<!\\)[ \t]+$/, ''))
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isNegated = line.startsWith('!')
      const pattern = isNegated ? line.slice(1) : line
      const isFolderOnly = pattern.endsWith('/')
      return { glob: compileGlob(isFolderOnly ? pattern.slice(0, -1) : pattern), isFolderOnly, isNegated }
    })
}
