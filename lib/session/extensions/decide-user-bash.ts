// Calls the hooks `user_bash` of extensions before a person's shell command runs.
// Guarantees: a hook that fails refuses the command, which would run in another place than the extension is there for.
import { concatMap, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import type { Hooks, UserCommandAnswer, UserCommandInput } from '../../streams/ports/hooks.ts'
import type { Secrets } from '../../streams/ports/secrets.ts'
import { callHook } from './run-extension-hooks.ts'

/** @param secrets hidden in what an extension puts out for the command */
export function userBashHook(set: ExtensionSet, secrets: Secrets | undefined): Pick<Hooks, 'userCommand'> {
  const { user_bash: hooks } = set.contributions.hooks
  return { userCommand: (input) => (hooks.entries.length === 0 ? undefined : decide(set, secrets, input)) }
}

/** The first hook that blocks, has a result or runs the command ends the row; a changed command is what the next one gets. */
function decide(
  set: ExtensionSet,
  secrets: Secrets | undefined,
  input: UserCommandInput,
): Observable<UserCommandAnswer> {
  return set.contributions.hooks.user_bash.entries.reduce<Observable<UserCommandAnswer>>(
    (answer$, entry) =>
      answer$.pipe(
        concatMap((before) => {
          if (before.block !== undefined || before.run !== undefined) return of(before)
          const current = { ...input, command: before.command ?? input.command }
          return callHook(set, 'user_bash', entry, () => entry.value.hook(current), 'fail').pipe(
            map((answer = {}) => ({ ...before, ...set.userCommandAnswer(entry.owner, answer, secrets) })),
          )
        }),
      ),
    of({}),
  )
}
