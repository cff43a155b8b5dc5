// Checks what other programs need of rxpi: token files, `rxpi` on PATH, completion in the shell.
// Guarantees: no token is read, and no file is changed.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { errnoOf } from '../../host/files/storage-failure.ts'
import { findProgram } from '../../host/process/find-program.ts'
import type { CommandNamed, ResultOf } from '../../streams/commands/command.ts'
import { describeThrown } from '../../streams/values/failure.ts'

type Check = ResultOf<'doctor'>['checks'][number]
type Request = Pick<CommandNamed<'doctor'>, 'cwd' | 'env'>

/** @param home `$RXPI_HOME` */
export function accessChecks(request: Request, home: string): readonly Check[] {
  return [...tokenChecks(home), editorsCheck(request), completionCheck(request)]
}

const tokenFiles = {
  'http-token': 'rxpi serve --http',
  'mcp-token': 'rxpi mcp serve --http',
  'proxy-token': 'rxpi serve --proxy',
}

/** One check a token file; none before the first of them is created. */
function tokenChecks(home: string): Check[] {
  return Object.entries(tokenFiles).flatMap(([name, user]) => {
    const file = path.join(home, name)
    try {
      const status = lstatSync(file, { throwIfNoEntry: false })
      return status === undefined ? [] : [check('token', ...tokenState(file, user, status))]
    } catch (thrown) {
      return [check('token', false, `${file}: ${describeThrown(thrown)}`)]
    }
  })
}

interface FileState {
  readonly mode: number
  readonly uid: number
  isFile(): boolean
}

/** The same conditions as those under which the command reads the file. */
function tokenState(file: string, user: string, status: FileState): [boolean, string] {
  if (!status.isFile()) return [false, `${file} is not a file; remove it, and ${user} creates a new token`]
  const isPrivate = (status.mode & 0o077) === 0 && status.uid === process.geteuid?.()
  if (isPrivate) return [true, `${file}, for clients of ${user}, is private`]
  return [false, `${file} can be read by other users; remove it, and ${user} creates a new token`]
}

/** An editor starts `rxpi` by its name, or by a path in the editor's settings. */
function editorsCheck({ cwd, env = {} }: Request): Check {
  const found = findProgram('rxpi', { searchPath: env['PATH'], workspace: cwd })
  return found === undefined
    ? check('editors', false, 'rxpi is not on PATH: run npm link, or give the editor its full path (docs/editors.md)')
    : check('editors', true, `Zed, JetBrains, Neovim and Emacs start ${found} acp (docs/editors.md)`)
}

/** The files that may set completion up, below the home folder, and the line that does. */
const shells: Readonly<Record<string, { readonly files: readonly string[]; readonly remedy: string }>> = {
  bash: { files: ['.bashrc', '.bash_profile', '.profile'], remedy: 'source <(rxpi completions bash) in ~/.bashrc' },
  zsh: { files: ['.zshrc', '.zprofile'], remedy: 'source <(rxpi completions zsh) in ~/.zshrc, after compinit' },
  fish: {
    files: ['.config/fish/completions/rxpi.fish', '.config/fish/config.fish'],
    remedy: 'rxpi completions fish > ~/.config/fish/completions/rxpi.fish',
  },
}

/** Bytes of a file of the shell that are searched. */
const searched = 262_144

function completionCheck({ env = {} }: Request): Check {
  const name = path.basename(env['SHELL'] ?? '')
  const shell = Object.hasOwn(shells, name) ? shells[name] : undefined
  if (shell === undefined) return check('completion', true, 'rxpi completions bash|zsh|fish completes with Tab')
  const home = env['HOME'] ?? homedir()
  const file = shell.files.map((each) => path.join(home, each)).find((each) => mentionsCompletion(each))
  return file === undefined
    ? check('completion', false, `not set up for ${name}: ${shell.remedy}`)
    : check('completion', true, `set up for ${name} in ${file}`)
}

/** Whether the first part of a file names rxpi beside completions; a file that cannot be read does not. */
function mentionsCompletion(file: string): boolean {
  try {
    const text = readStart(file)
    return /rxpi completions /.test(text) || text.includes('__rxpi_candidates')
  } catch (thrown) {
    if (errnoOf(thrown) === undefined) throw thrown
    return false
  }
}

/** Does not wait for a writer if the file is a pipe. */
function readStart(file: string): string {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) return ''
    const bytes = Buffer.alloc(searched)
    return bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, searched, 0))
  } finally {
    closeSync(descriptor)
  }
}

function check(name: string, ok: boolean, message: string): Check {
  return { name, ok, required: false, message }
}
