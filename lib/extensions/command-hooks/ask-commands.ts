// Runs the commands of one event that match, and joins their answers.
import { catchError, forkJoin, map, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandHook, CommandHooks, HookEventName, HookGroup } from '../../streams/config/hook-settings.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { readAnswer } from './read-answer.ts'
import type { CommandAnswer } from './read-answer.ts'
import { runHookCommand } from './run-hook-command.ts'

export interface CommandHookOptions {
  readonly commands: CommandHooks
  /** The settings file that names them; for faults. */
  readonly file?: string
  readonly sessionId: string
  /** Absolute path of the session's log; undefined if it leaves none. */
  readonly logPath?: string | undefined
  readonly cwd: string
  /** The environment of the commands. */
  readonly env: Readonly<Record<string, string>>
  /** True if the session continues an earlier one. */
  readonly isResumed: boolean
}

/** Milliseconds of a command that sets no limit. */
const defaultLimitMs = 60_000

/** Names of the tools that a matcher is compared with; undefined for events without a subject. */
export type Subject = readonly string[] | undefined

interface HookCall {
  readonly name: HookEventName
  readonly subject: Subject
  readonly fields: object
}

/** Runs the commands that match side by side, each line once, and emits their answers in the order of the settings. */
export function askCommands(
  options: CommandHookOptions,
  { name, subject, fields }: HookCall,
): Observable<CommandAnswer[]> {
  const { sessionId, logPath, cwd, env, commands } = options
  const isGate = name === 'PreToolUse' || name === 'UserPromptSubmit'
  const matching = (commands[name] ?? []).filter((group) => matches(group, subject)).flatMap(({ hooks }) => hooks)
  const unique = [...new Map(matching.map((hook) => [hook.command, hook])).values()]
  const event = {
    session_id: sessionId,
    ...(logPath === undefined ? {} : { transcript_path: logPath }),
    cwd,
    hook_event_name: name,
    ...fields,
  }
  const answers = unique.map(({ command, timeout }: CommandHook) =>
    runHookCommand({
      command,
      cwd,
      env,
      event,
      limitMs: timeout === undefined ? defaultLimitMs : timeout * 1000,
    }).pipe(
      map((output) => readAnswer(output, command, isGate)),
      catchError((thrown: unknown) => of(failedStart(describeThrown(thrown), command, isGate))),
    ),
  )
  return answers.length === 0 ? of([]) : forkJoin(answers)
}

function failedStart(reason: string, command: string, isGate: boolean): CommandAnswer {
  const notice = `The hook ${command} was not run: ${reason}`
  return isGate ? { block: notice, notice } : { notice }
}

/** @throws Failure `bad_config` for a matcher that is no regular expression */
export function checkMatchers({ commands, file }: Pick<CommandHookOptions, 'commands' | 'file'>): void {
  const source = file === undefined ? '' : ` in ${file}`
  for (const [name, groups] of Object.entries(commands))
    for (const { matcher = '' } of groups)
      try {
        wholeName(matcher)
      } catch (thrown) {
        const message = `The setting hooks.${name}${source} has a matcher that is no regular expression: ${describeThrown(thrown)}`
        throw new Failure('bad_config', message, { cause: thrown, data: { key: `hooks.${name}` } })
      }
}

function matches({ matcher = '' }: HookGroup, subject: Subject): boolean {
  if (subject === undefined) return true
  const pattern = wholeName(matcher)
  return pattern === undefined || subject.some((name) => pattern.test(name))
}

/** Undefined: every name. */
function wholeName(matcher: string): RegExp | undefined {
  return matcher === '' || matcher === '*' ? undefined : new RegExp(`^(?:${matcher})$`)
}

/** A denial precedes a question; of each kind the first reason counts. */
export function joinAnswers(answers: readonly CommandAnswer[]): CommandAnswer {
  return answers.reduce<CommandAnswer>((joined, answer) => ({ ...answer, ...joined }), {})
}
