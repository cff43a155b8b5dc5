// The hooks of a session that are commands of the user's settings.
// Guarantees: a command only tightens: its `allow` leaves the decision to rules and person.
import { EMPTY, catchError, concatMap, defer, forkJoin, from, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandHook, CommandHooks, HookEventName, HookGroup } from '../../streams/config/hook-settings.ts'
import type { ContextNotes, ContextUpdate } from '../../streams/ports/context-notes.ts'
import type {
  BeforeToolCallAnswer,
  Hooks,
  InputAnswer,
  RunEndAnswer,
  ToolCallHookInput,
} from '../../streams/ports/hooks.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { Failure, describeThrown } from '../../streams/values/failure.ts'
import { argsOf, namedCall, namesOf } from './hook-names.ts'
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

export interface SessionCommandHooks {
  readonly hooks: Hooks
  /** The notes of commands for the model, and their faults. */
  readonly notes: ContextNotes
  /** Runs the commands of the session's end; completes when they have ended. */
  readonly end$: Observable<never>
}

/** Milliseconds of a command that sets no limit. */
const defaultLimitMs = 60_000
/** More than the longest limit of a command: each ends by its own. */
const limitMs = 630_000
/** Notes and faults that wait for the next request; the oldest ones go. */
const maxUpdates = 100
/** Names of the tools that a matcher is compared with; undefined for events without a subject. */
type Subject = readonly string[] | undefined

/** Undefined if no event has a command. @throws Failure `bad_config` for a matcher that is no regular expression */
export function commandHooks(options: CommandHookOptions): SessionCommandHooks | undefined {
  const { commands } = options
  if (Object.values(commands).every((groups) => groups.length === 0)) return undefined
  checkMatchers(options)
  const updates: ContextUpdate[] = []
  const ask$ = (name: HookEventName, subject: Subject, fields: object): Observable<CommandAnswer> =>
    askCommands(options, { name, subject, fields }).pipe(
      map((answers) => {
        const joined = joinAnswers(answers)
        const isRefused = name === 'UserPromptSubmit' && joined.block !== undefined
        updates.push(...answers.flatMap((answer) => updatesOf(isRefused ? withoutContext(answer) : answer, name)))
        updates.splice(0, updates.length - maxUpdates)
        return joined
      }),
    )
  const has = (name: HookEventName): boolean => (commands[name] ?? []).length > 0
  const hooks: Hooks = {
    limitMs,
    ...(has('UserPromptSubmit') && {
      input: ({ text }) => ask$('UserPromptSubmit', undefined, { prompt: text }).pipe(map(inputAnswer)),
    }),
    ...(has('PreToolUse') && {
      beforeToolCall: (input) =>
        ask$('PreToolUse', namesOf(input.tool.name), callFields(input, options)).pipe(
          map((answer) => callAnswer(answer, input.tool.name)),
        ),
    }),
    ...(has('PostToolUse') && {
      afterToolCall: (input) =>
        ask$('PostToolUse', namesOf(input.tool.name), {
          ...callFields(input, options),
          tool_response: { content: textOf(input.result), is_error: input.result.isError === true },
        }).pipe(map((answer) => changedResult(answer, input.result))),
    }),
    ...(has('Stop') && {
      runEnd: ({ continued }) => ask$('Stop', undefined, { stop_hook_active: continued > 0 }).pipe(map(endAnswer)),
    }),
  }
  const start$ = has('SessionStart') ? sessionStart(options, ask$) : undefined
  return { hooks, notes: notesOf(updates, start$), end$: sessionEnd(options) }
}

interface HookCall {
  readonly name: HookEventName
  readonly subject: Subject
  readonly fields: object
}

/** Runs the commands that match side by side, each line once, and emits their answers in the order of the settings. */
function askCommands(options: CommandHookOptions, { name, subject, fields }: HookCall): Observable<CommandAnswer[]> {
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

function checkMatchers({ commands, file }: Pick<CommandHookOptions, 'commands' | 'file'>): void {
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
function joinAnswers(answers: readonly CommandAnswer[]): CommandAnswer {
  return answers.reduce<CommandAnswer>((joined, answer) => ({ ...answer, ...joined }), {})
}

/** The note belongs to an input that the model does not get. */
function withoutContext({ context: _, ...answer }: CommandAnswer): CommandAnswer {
  return answer
}

function updatesOf({ context, notice }: CommandAnswer, name: HookEventName): ContextUpdate[] {
  const isForModel = name === 'SessionStart' || name === 'UserPromptSubmit' || name === 'PreToolUse'
  return [
    ...(context !== undefined && isForModel ? [{ type: 'note', note: noteOf(context) } as const] : []),
    ...(notice === undefined ? [] : [{ type: 'problem', code: 'hook', message: notice } as const]),
  ]
}

function noteOf(content: string) {
  return { kind: 'hook', digest: '', content }
}

function inputAnswer({ block }: CommandAnswer): InputAnswer {
  return block === undefined ? {} : { block: { reason: block } }
}

function callAnswer({ block, ask, updatedInput }: CommandAnswer, tool: string): BeforeToolCallAnswer {
  return {
    ...(block === undefined ? {} : { block: { reason: block } }),
    ...(ask === undefined ? {} : { ask: { reason: ask } }),
    ...(updatedInput === undefined ? {} : { args: { ...argsOf(tool, updatedInput) } }),
  }
}

/** A command that has nothing to say leaves the result as it is. */
function changedResult({ block, context, stop }: CommandAnswer, result: ToolResult): ToolResult {
  const texts = [block, context].filter((text) => text !== undefined)
  if (texts.length === 0) return result
  const content = [...result.content, ...texts.map((text) => ({ type: 'text' as const, text }))]
  return { ...result, content, ...(stop === true ? { terminate: true } : {}) }
}

function endAnswer({ block, stop }: CommandAnswer): RunEndAnswer {
  return block === undefined || stop === true ? {} : { continueWith: block }
}

function callFields({ call, tool, args }: ToolCallHookInput, { cwd }: CommandHookOptions): object {
  return { ...namedCall(tool.name, args, cwd), tool_use_id: call.id, rxpi: { tool: tool.name, arguments: args } }
}

function textOf({ content }: ToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

type AskEvent = (name: HookEventName, subject: Subject, fields: object) => Observable<CommandAnswer>

function sessionStart({ isResumed }: CommandHookOptions, ask$: AskEvent): Observable<unknown> {
  const source = isResumed ? 'resume' : 'startup'
  return ask$('SessionStart', [source], { source })
}

/** Takes what commands have said since the last request; `start$` goes before the first one. */
function notesOf(updates: ContextUpdate[], start$: Observable<unknown> | undefined): ContextNotes {
  let isStarted = start$ === undefined
  const take$ = defer(() => from(updates.splice(0)))
  return {
    due: () => {
      if (start$ === undefined || isStarted) return updates.length === 0 ? undefined : take$
      isStarted = true
      return start$.pipe(concatMap(() => take$))
    },
    close: () => {
      updates.length = 0
    },
  }
}

function sessionEnd(options: CommandHookOptions): Observable<never> {
  return defer(() =>
    askCommands(options, { name: 'SessionEnd', subject: ['other'], fields: { reason: 'other' } }),
  ).pipe(mergeMap(() => EMPTY))
}
