// Finds git commands that rewrite or discard history.
import { hasFlag, operandsOf } from './call.ts'
import type { Call } from './call.ts'

export function gitFindings({ program, args, run, invocation }: Call): void {
  if (program === 'git-filter-repo' || program === 'bfg') {
    run.find('history_rewriting', invocation, 'rewrites the history')
    return
  }
  if (program !== 'git') return
  const [verb = '', ...rest] = subcommand(args)
  const reason = reasonOf(verb, rest)
  if (reason !== undefined) run.find('history_rewriting', invocation, reason)
}

/** The verb and its words, behind git's own options. */
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
      return args.some((word) => /^--(?:abort|show-current-patch|quit)$/.test(word)) ? undefined : 'rewrites commits'
    case 'filter-branch':
    case 'filter-repo':
      return 'rewrites the whole history'
    case 'commit':
      return hasFlag(args, '', '--amend') ? 'replaces the last commit' : undefined
    case 'reset':
      return hasFlag(args, '', '--hard', '--merge') ? 'discards changes and moves the branch' : undefined
    case 'reflog':
      return /^(?:expire|delete|drop)$/.test(operands[0] ?? '') ? 'removes the way back to lost commits' : undefined
    case 'gc':
      return args.some((word) => /^--prune=(?:now|all)/.test(word))
        ? 'removes commits that nothing refers to'
        : undefined
    case 'prune':
      return hasFlag(args, 'n', '--dry-run') ? undefined : 'removes commits that nothing refers to'
    case 'update-ref':
      return hasFlag(args, 'd') || args.includes('--stdin') ? 'moves or deletes references' : undefined
    case 'symbolic-ref':
      return hasFlag(args, 'd', '--delete') ? 'deletes references' : undefined
    case 'branch':
      return hasFlag(args, 'DMCf', '--force') ? 'deletes or moves a branch with its commits' : undefined
    case 'checkout':
    case 'switch':
      return hasFlag(args, 'BC', '--force-create') ? 'moves a branch' : undefined
    case 'tag':
      return hasFlag(args, 'df', '--delete', '--force') ? 'deletes or moves a tag' : undefined
    case 'stash':
      return /^(?:drop|clear)$/.test(operands[0] ?? '') ? 'discards stashed changes' : undefined
    case 'replace':
    case 'fast-import':
      return 'rewrites objects of the history'
    default:
      return undefined
  }
}

function pushReason(args: readonly string[], operands: readonly string[]): string | undefined {
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
