// Builds a commit in a temporary git worktree of this repository, for comparisons between builds.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** The last commit before the rooms were divided into folders. Logs, wire and exports are compared with it. */
export const baseline = 'b4647a3'

/** The root folder of this checkout. */
export const root = path.resolve(import.meta.dirname, '../../..')

export interface BuiltCommit extends Disposable {
  /** The root folder of the built checkout. */
  readonly folder: string
}

/** Guarantees: `dispose` removes the worktree, also from git's list of worktrees. */
export function builtCommit(commit: string): BuiltCommit {
  const top = mkdtempSync(path.join(tmpdir(), 'rxpi-commit-'))
  const folder = path.join(top, 'checkout')
  const dispose = (): void => {
    if (existsSync(folder)) git('worktree', 'remove', '--force', folder)
    rmSync(top, { recursive: true, force: true })
    git('worktree', 'prune')
  }
  try {
    git('worktree', 'add', '--quiet', '--detach', folder, commit)
    installPackages(folder)
    run(folder, 'npm', ['run', '--silent', 'build']) // its scripts may be at other paths than ours
    return { folder, [Symbol.dispose]: dispose }
  } catch (error) {
    dispose()
    throw error
  }
}

const git = (...args: string[]): void => run(root, 'git', args)

function run(cwd: string, command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** Equal lock files mean equal packages: hard links of ours replace an installation. */
function installPackages(folder: string): void {
  const [own, other] = [root, folder].map((each) => readFileSync(path.join(each, 'package-lock.json'), 'utf8'))
  if (own !== other) {
    run(folder, 'npm', ['ci', '--silent', '--no-audit', '--no-fund'])
    return
  }
  const [from, to] = [path.join(root, 'node_modules'), path.join(folder, 'node_modules')]
  try {
    run(folder, 'cp', ['-al', from, to])
  } catch {
    rmSync(to, { recursive: true, force: true }) // another file system, or a `cp` without hard links
    cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  }
}
