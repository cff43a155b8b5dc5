// Calls the hooks about a person's shell command, and about a step that leaves the session.
import { EMPTY, concat, defer, merge, mergeMap, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { runHook } from '../../operators/hooks/run-hook.ts'
import type { Hooks, LeaveStep, UserCommandAnswer } from '../../streams/ports/hooks.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { SessionCommand } from '../contract/session.ts'
import type { Rewind } from './files-at-entry.ts'

interface HookSource {
  readonly hooks: Hooks | undefined
  /** Fails when the session is closed. */
  readonly closed$: Observable<never>
}

type Named<Name extends SessionCommand['type']> = Extract<SessionCommand, { type: Name }>

/** Completes if the hooks let it happen; fails with `not_allowed` if one cancels it. Synchronous without a hook. */
export function callLeaveHook({ hooks, closed$ }: HookSource, step: LeaveStep): Observable<never> {
  if (hooks?.beforeLeave === undefined) return EMPTY
  return merge(
    runHook('beforeLeave', () => hooks.beforeLeave?.(step), hooks),
    closed$,
  ).pipe(
    take(1),
    mergeMap((answer) => {
      if (answer?.cancel === undefined) return EMPTY
      throw new Failure('not_allowed', `A hook refused it: ${answer.cancel.reason}`)
    }),
  )
}

/**
 * Acts when the hooks let it happen; in the call itself without a hook. A dry run asks none.
 * @param check throws a Failure if the session takes the command no more, after a hook
 */
export function runAfterLeaveHook(
  source: HookSource,
  command: Rewind,
  { check, act }: { readonly check: (command: SessionCommand) => void; readonly act: () => Observable<object> },
): Observable<object> {
  if (source.hooks?.beforeLeave === undefined || command.dryRun === true) return act()
  return concat(
    callLeaveHook(source, leaveStepOf(command)),
    defer(() => {
      check(command)
      return act()
    }),
  )
}

export function leaveStepOf(command: Rewind): LeaveStep & { readonly type: 'branch' } {
  if (command.type === 'undo') return { type: 'branch', copy: false, summarise: false, restoreFiles: true }
  const { entryId, newFile = false, summarise = false, restoreFiles = false } = command
  return { type: 'branch', entryId, copy: newFile, summarise, restoreFiles }
}

/** Applies the hooks to the command; in the call itself without a hook. Fails with `not_allowed` if one blocks it. */
export function runHooked(
  { hooks, closed$ }: HookSource,
  command: Named<'user_bash'>,
  run: (command: Named<'user_bash'>, own?: UserCommandAnswer['run']) => Observable<object>,
): Observable<object> {
  if (hooks?.userCommand === undefined) return run(command)
  const input = { command: command.command, exclude: command.exclude === true }
  return merge(
    runHook('userCommand', () => hooks.userCommand?.(input), hooks),
    closed$,
  ).pipe(
    take(1),
    mergeMap((answer = {}) => {
      const { block, command: text = command.command, run: own } = answer
      if (block !== undefined) throw new Failure('not_allowed', `A hook refused the command: ${block.reason}`)
      return run({ ...command, command: text }, own)
    }),
  )
}
