// Prepares the working folder of a situation: files, and a git repository if it is to be one.
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Situation } from '../contract/situation.ts'

/** What a child process receives as its one argument. */
export interface ChildInput {
  /** The package of pi's coding agent. */
  readonly packageFolder: string
  /** The folder of the examples. */
  readonly examples: string
  /** The module; undefined plays the situation without an extension. */
  readonly extension: string | undefined
  readonly situation: Situation
  /** The mode of pi; rxpi has none. */
  readonly mode: 'tui' | 'rpc'
  /** A folder of this run alone. */
  readonly folder: string
  /** The file for the record. */
  readonly result: string
}

export function prepareFolder(cwd: string, { files = {}, git = false }: Situation): void {
  mkdirSync(cwd, { recursive: true })
  const all = { 'notes.txt': 'one\ntwo\nthree\n', ...files }
  for (const [name, text] of Object.entries(all)) {
    const file = path.resolve(cwd, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  if (!git) return
  const run = (...args: string[]): void => {
    execFileSync('git', args, { cwd, stdio: 'ignore' })
  }
  run('init', '-q', '-b', 'main')
  run('config', 'user.email', 'nobody@localhost')
  run('config', 'user.name', 'nobody')
  run('add', '.')
  run('commit', '-q', '-m', 'start')
}
