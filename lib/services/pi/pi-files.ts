// Copies skills, prompts and texts of pi into the user's configuration folder.
// Guarantees: nothing is replaced, no link is followed, and a folder has at most 2,000 files and 16 MiB.
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { ImportedItem } from '../../streams/commands/import-commands.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { imported, left, present } from './imported-item.ts'
import type { PiImport } from './imported-item.ts'

const limits = { files: 2_000, bytes: 16_777_216 }

/** Texts that rxpi reads under the same name. */
const texts = ['SYSTEM.md', 'APPEND_SYSTEM.md', 'AGENTS.md', 'AGENTS.override.md', 'CLAUDE.md']
/** Files of pi without a counterpart in rxpi. */
const without: Readonly<Record<string, string>> = {
  extensions: 'code is not imported; docs/pi-extensions.md says how to run it here',
  themes: 'themes of pi have other parts; see docs/extensions.md',
  'keybindings.json': 'the names of actions differ; see docs/terminal.md',
  'trust.json': 'trust is never imported',
}

export function importFiles(from: PiImport): readonly ImportedItem[] {
  return [
    ...namesIn(path.join(from.dir, 'skills')).map((name) => copy('skill', `skills/${name}`, from)),
    ...namesIn(path.join(from.dir, 'prompts')).map((name) => copy('prompt', `prompts/${name}`, from)),
    ...texts.filter((name) => existsSync(path.join(from.dir, name))).map((name) => copy('text', name, from)),
    ...Object.entries(without).flatMap(([name, why]) =>
      existsSync(path.join(from.dir, name)) ? [left('other', name, why)] : [],
    ),
  ]
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted()
  } catch {
    return [] // there is no such folder
  }
}

function copy(kind: ImportedItem['kind'], name: string, { dir, config, dryRun }: PiImport): ImportedItem {
  const [source, target] = [path.join(dir, name), path.join(config, name)]
  try {
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) return present(kind, name)
    checkTree(source, { files: 0, bytes: 0 })
    if (dryRun) return imported(kind, name)
    mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    copyWhole(source, target)
    return imported(kind, name)
  } catch (error) {
    return left(kind, name, describeThrown(error))
  }
}

/** A copy that fails leaves nothing: the next import would take a part of it for the whole. @throws Error */
function copyWhole(source: string, target: string): void {
  try {
    cpSync(source, target, { recursive: true, errorOnExist: true, force: false, verbatimSymlinks: true })
  } catch (error) {
    rmSync(target, { recursive: true, force: true }) // it was not there before
    throw error
  }
}

/** @throws Error for what is not copied */
function checkTree(file: string, sum: { files: number; bytes: number }): void {
  const status = lstatSync(file)
  if (status.isDirectory()) {
    for (const name of readdirSync(file)) checkTree(path.join(file, name), sum)
    return
  }
  if (status.isSymbolicLink()) throw new Error(`${file} is a link; copy what it points to yourself`)
  if (!status.isFile()) throw new Error(`${file} is not a regular file`)
  sum.files += 1
  sum.bytes += status.size
  if (sum.files > limits.files || sum.bytes > limits.bytes) throw new Error('it has more than 2,000 files or 16 MiB')
}
