// Builds the git calls that store and read snapshots of a worktree.
// Guarantees: git starts no program that a repository or an environment names (docs/design/security.md#S15).
import { devNull } from 'node:os'
import type { GitCall } from './run-git.ts'
import { quotedName } from './byte-name.ts'

type Call = Pick<GitCall, 'args' | 'env'>
type Environment = Readonly<Record<string, string | undefined>>

/** Every setting that could start a program or reach a network; the command line outranks each configuration file. */
const overrides = {
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'core.untrackedCache': 'false',
  'core.pager': 'cat',
  'core.editor': 'false',
  'core.askPass': 'false',
  'core.sshCommand': 'false',
  'core.gitProxy': '',
  'core.alternateRefsCommand': 'false',
  'credential.helper': '',
  'gpg.program': 'false',
  'protocol.allow': 'never',
  'submodule.recurse': 'false',
  'gc.auto': '0',
  'maintenance.auto': 'false',
}

const flags = ['--no-pager', ...Object.entries(overrides).flatMap(([key, value]) => ['-c', `${key}=${value}`])]

const common = {
  PATH: '/usr/bin:/bin',
  LC_ALL: 'C',
  GIT_ALLOW_PROTOCOL: 'none', // a partial clone would fetch missing objects with the commands of its configuration
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'false',
  GIT_PAGER: 'cat',
}

/**
 * A call that queries a repository for names. The user's and the machine's configuration apply, as they define what is
 * ignored; of the client's environment only their locations.
 */
export function queryCall(args: readonly string[], env: Environment): Call {
  const { HOME, XDG_CONFIG_HOME } = env
  return {
    args: [...flags, ...args],
    env: { ...common, ...(HOME && { HOME }), ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }) },
  }
}

/**
 * The same for a folder outside of any repository: rxpi's git directory replaces it, so that .gitignore files apply
 * there too.
 */
export function queryFolderCall(args: readonly string[], env: Environment, gitDir: string, folder: string): Call {
  const call = queryCall(args, env)
  const located = { GIT_DIR: gitDir, GIT_WORK_TREE: folder, GIT_INDEX_FILE: `${gitDir}/no-index` }
  return { ...call, env: { ...call.env, ...located } }
}

/** A call on rxpi's own objects: it reads no configuration but rxpi's, and only objects of the user's repositories. */
export function storeCall(args: readonly string[], gitDir: string, alternates: readonly string[]): Call {
  const objects = alternates.map((folder) => quotedName(Buffer.from(folder).toString('latin1'))).join(':')
  return {
    args: [...flags, ...args],
    env: {
      ...common,
      GIT_DIR: gitDir,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: devNull,
      ...(objects === '' ? {} : { GIT_ALTERNATE_OBJECT_DIRECTORIES: objects }),
    },
  }
}
