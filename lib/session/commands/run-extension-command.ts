// Runs the command of an extension that a prompt names.
import { merge, mergeMap, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import { parseSlash } from '../../streams/ports/prompt-commands.ts'
import type { CommandOutcome, PromptCommands } from '../../streams/ports/prompt-commands.ts'
import { Failure } from '../../streams/values/failure.ts'

interface PromptText {
  readonly text: string
  readonly expand?: boolean | undefined
}

interface CommandSource {
  readonly commands: PromptCommands | undefined
  /** Fails when the session is closed. */
  readonly closed$: Observable<never>
}

/** Undefined if the text names no command of an extension. Emits once; fails as the command does, and when the session is closed. */
export function runExtensionCommand(
  { text, expand }: PromptText,
  { commands, closed$ }: CommandSource,
): Observable<CommandOutcome> | undefined {
  const outcome$ = expand === false ? undefined : commands?.run?.(text)
  return outcome$ && merge(outcome$, closed$).pipe(take(1))
}

/** The answer to a prompt that an extension has handled. */
export const handled$: Observable<object> = of({ status: 'handled' })

/**
 * Runs the command that the prompt names, also beside a run; its answer may be a prompt for `send$`. A prompt that names none
 * is sent in the call itself.
 */
export function runOrSend<Prompt extends PromptText>(
  source: CommandSource,
  prompt: Prompt,
  send$: (prompt: Prompt) => Observable<object>,
): Observable<object> {
  const outcome$ = runExtensionCommand(prompt, source)
  if (outcome$ === undefined) return send$(prompt)
  return outcome$.pipe(
    mergeMap(({ text, prompt: next }) => {
      if (next !== undefined) return send$({ ...prompt, text: next, expand: false })
      return of({ status: 'handled', ...(text === undefined ? {} : { text }) })
    }),
  )
}

/** @throws Failure `bad_request` for a command of an extension, which only a prompt runs */
export function requireNoExtensionCommand(
  { type, text }: PromptText & { readonly type: string },
  commands: PromptCommands | undefined,
): void {
  if (type === 'prompt' || commands?.run?.(text) === undefined) return
  const name = parseSlash(text)?.name ?? ''
  throw new Failure(
    'bad_request',
    `/${name} is a command of an extension, which runs beside the run: send it as a prompt`,
  )
}
