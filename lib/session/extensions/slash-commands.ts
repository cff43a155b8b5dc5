// Adds the commands of extensions to what a prompt can begin with.
import { catchError, defer, map, of, take, takeUntil, throwError, defaultIfEmpty } from 'rxjs'
import type { Observable } from 'rxjs'
import { answerOf } from '../../operators/hooks/run-hook.ts'
import type { Entry } from '../../extensions/lifecycle/contribution-registry.ts'
import type { ExtensionCommand, ExtensionCommandAnswer } from '../../extensions/api/extension-api.ts'
import type { ExtensionSet } from '../../extensions/lifecycle/set-contract.ts'
import { parseSlash } from '../../streams/ports/prompt-commands.ts'
import type { CommandOutcome, PromptCommand, PromptCommands } from '../../streams/ports/prompt-commands.ts'

/** @param others the commands of files; an extension's command precedes one of the same name */
export function extensionCommands(set: ExtensionSet, others: PromptCommands | undefined): PromptCommands {
  const { commands } = set.contributions
  return {
    list: () =>
      (others?.list() ?? of({ commands: [], problems: [] })).pipe(
        map(({ commands: files, problems }) => {
          const own = commands.entries.map(listed)
          const names = new Set(own.map(({ name }) => name))
          return { commands: [...own, ...files.filter(({ name }) => !names.has(name))], problems }
        }),
      ),
    expand: (text) => others?.expand(text) ?? of(undefined),
    run: (text) => {
      const slash = parseSlash(text)
      const entry = commands.entries.find(({ value }) => value.name === slash?.name)
      return slash === undefined || entry === undefined ? undefined : runEntry(set, entry, slash.args)
    },
  }
}

function listed({ owner, value: { name, description, argument } }: Entry<ExtensionCommand>): PromptCommand {
  const syntax = argument === undefined ? {} : { argument }
  return { name, kind: 'extension', description, ...syntax, source: 'extension', extension: owner }
}

/** Emits once. Fails with a Failure that names the extension; a command whose extension is unloaded has no answer. */
function runEntry(
  { faults }: ExtensionSet,
  { owner, value, end$ }: Entry<ExtensionCommand>,
  args: string,
): Observable<CommandOutcome> {
  return defer(() => answerOf(value.run(args))).pipe(
    take(1),
    takeUntil(end$),
    catchError((thrown: unknown) => {
      const failure = faults.report(owner, `the command /${value.name}`, thrown)
      return throwError(() => failure)
    }),
    defaultIfEmpty(undefined),
    map(outcomeOf),
  )
}

function outcomeOf(answer: ExtensionCommandAnswer | undefined): CommandOutcome {
  if (answer === undefined) return {}
  return typeof answer === 'string' ? { text: answer } : answer
}
