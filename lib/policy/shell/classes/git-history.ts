// Finds git commands that rewrite or discard history.
import { wordText } from '../model/word-marks.ts'
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

export function gitFindings({ program, args, run, invocation }: Call): void {
  if (program === 'git-filter-repo' || program === 'bfg') {
    run.find('history_rewriting', invocation, 'rewrites the history')
    return
  }
  const other = otherReason(program, operandsOf(args), args)
  if (other !== undefined) run.find('history_rewriting', invocation, other)
  if (program !== 'git') return
  const [verb = '', ...rest] = subcommand(args)
  const reason = reasonOf(verb, rest)
  if (reason !== undefined) run.find('history_rewriting', invocation, reason)
}

/** Other version controls, and the service that has the repository. */
function otherReason(program: string, operands: readonly string[], args: readonly string[]): string | undefined {
  const text = operands.join(' ')
  switch (program) {
    case 'hg':
      return /^(?:strip|histedit|rollback|evolve|prune|uncommit)\b|^(?:update|up) .*-C/.test(text) ||
        (/^(?:update|up|revert)\b/.test(text) && hasFlag(args, 'C', '--clean', '--all'))
        ? 'rewrites or discards commits'
        : undefined
    case 'jj':
      return /^(?:abandon|op (?:restore|abandon)|undo)\b/.test(text) ? 'rewrites or discards commits' : undefined
    case 'svn':
      return /^revert\b/.test(text) && hasFlag(args, 'R', '--recursive', '--depth')
        ? 'discards all changes that are not committed'
        : undefined
    case 'gh':
      if (/^api\b/.test(text) && /(?:-X|--method)[= ]?DELETE\b/.test(args.join(' ')))
        return 'deletes through the service'
      return /^repo sync\b/.test(text) && args.includes('--force') ? 'replaces the history of a branch' : undefined
    case 'git-lfs':
      return /^migrate\b/.test(text) ? 'rewrites the whole history' : undefined
    default:
      return undefined
  }
}

/** The verb and its words, after git's own options. */
export function subcommand(args: readonly string[]): readonly string[] {
  let at = 0
  while (args[at]?.startsWith('-') === true) {
    at += /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|super-prefix|config-env))$/.test(args[at] ?? '') ? 2 : 1
  }
  return args.slice(at)
}

function reasonOf(verb: string, args: readonly string[]): string | undefined {
  const operands = operandsOf(args)
  switch (verb) {
    case 'push':
      return pushReason(args, operands)
    case 'rebase':
      return args.some((word) => /^--(?:abort|show-current-patch|quit|continue|skip|edit-todo)$/.test(word))
        ? undefined
        : 'rewrites commits'
    case 'filter-branch':
    case 'filter-repo':
    case 'lfs':
      if (verb === 'lfs' && operands[0] !== 'migrate') return undefined
      return 'rewrites the whole history'
    case 'commit':
      return hasFlag(args, '', '--amend') ? 'replaces the last commit' : undefined
    case 'reset':
      return hasFlag(args, '', '--hard', '--merge', '--keep') ? 'discards changes and moves the branch' : undefined
    case 'reflog':
      return /^(?:expire|delete|drop)$/.test(operands[0] ?? '') ? 'removes the way back to lost commits' : undefined
    case 'gc':
      return args.some((word) => /^--prune=(?:now|all)/.test(word))
        ? 'removes commits that nothing refers to'
        : undefined
    case 'prune':
      return hasFlag(args, 'n', '--dry-run') ? undefined : 'removes commits that nothing refers to'
    case 'update-ref':
      return 'moves or deletes references'
    case 'symbolic-ref':
      return hasFlag(args, 'd', '--delete') ? 'deletes references' : undefined
    case 'branch':
      return hasFlag(args, 'DMCf', '--force') ? 'deletes or moves a branch with its commits' : undefined
    case 'tag':
      return hasFlag(args, 'df', '--delete', '--force') ? 'deletes or moves a tag' : undefined
    case 'stash':
      return /^(?:drop|clear)$/.test(operands[0] ?? '') ? 'discards stashed changes' : undefined
    case 'replace':
    case 'fast-import':
    case 'filter':
    case 'obliterate':
    case 'absorb':
      return 'rewrites objects of the history'
    default:
      return discardReason(verb, args, operands)
  }
}

/** Why a call discards work that has no commit; a single file is daily work. */
function discardReason(verb: string, args: readonly string[], operands: readonly string[]): string | undefined {
  switch (verb) {
    case 'checkout':
      if (hasFlag(args, 'f', '--force')) return 'discards changes that are not committed'
      return hasFlag(args, 'B') ? 'moves a branch' : wholeTreeReason(args)
    case 'switch':
      if (hasFlag(args, 'f', '--force', '--discard-changes')) return 'discards changes that are not committed'
      return hasFlag(args, 'C', '--force-create') ? 'moves a branch' : undefined
    case 'restore':
      return hasFlag(args, 'S', '--staged') && !hasFlag(args, 'W', '--worktree') ? undefined : wholeTreeReason(args)
    case 'clean':
      return hasFlag(args, 'f', '--force') &&
        !hasFlag(args, 'n', '--dry-run') &&
        !hasFlag(args, 'dx') &&
        operands.length === 0
        ? 'deletes files that git does not track'
        : undefined
    case 'read-tree':
      return hasFlag(args, '', '--reset') ? 'discards changes that are not committed' : undefined
    case 'worktree':
      return operands[0] === 'remove' && hasFlag(args, 'f', '--force')
        ? 'discards a work tree with its changes'
        : undefined
    case 'submodule':
      return operands[0] === 'deinit' && hasFlag(args, 'f', '--force')
        ? 'discards the changes of submodules'
        : undefined
    case 'rm':
      return hasFlag(args, 'r') && hasFlag(args, 'f', '--force') && operands.some((word) => isWholeTree(word))
        ? 'deletes every tracked file'
        : undefined
    case 'notes':
      return /^(?:remove|prune)$/.test(operands[0] ?? '') ? 'deletes notes' : undefined
    default:
      return undefined
  }
}

/** `git checkout -- .`, `git restore .`: a single file is daily work. */
function wholeTreeReason(args: readonly string[]): string | undefined {
  return operandsOf(args).some((word) => isWholeTree(word)) ? 'discards all changes that are not committed' : undefined
}

function isWholeTree(word: string): boolean {
  return /^(?:\.\/?|:\/?|\*|\.\/\*)$/.test(wordText(word))
}

/** Why a push replaces or deletes what others have; undefined if it only adds. */
export function pushReason(args: readonly string[], operands: readonly string[]): string | undefined {
  if (hasFlag(args, 'n', '--dry-run')) return undefined
  if (hasFlag(args, 'f', '--force', '--force-with-lease', '--force-if-includes', '--mirror', '--prune')) {
    return 'replaces the history of the remote repository'
  }
  if (hasFlag(args, 'd', '--delete') || operands.slice(1).some((word) => word.startsWith(':')))
    return 'deletes a remote branch'
  return operands.slice(1).some((word) => word.startsWith('+'))
    ? 'replaces the history of the remote repository'
    : undefined
}
