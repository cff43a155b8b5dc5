// The hooks of a session that are commands of the user's settings.
// Guarantees: a command only tightens: its `allow` leaves the decision to rules and person.
import { EMPTY, concatMap, defer, from, ignoreElements, map, mergeMap, tap } from 'rxjs'
import type { Observable } from 'rxjs'
import type { HookEventName } from '../../streams/config/hook-settings.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import type { ContextNotes, ContextUpdate } from '../../streams/ports/context-notes.ts'
import type {
  BeforeToolCallAnswer,
  Hooks,
  InputAnswer,
  RunEndAnswer,
  ToolCallHookInput,
} from '../../streams/ports/hooks.ts'
import type { ToolResult } from '../../streams/ports/tool.ts'
import { Failure } from '../../streams/values/failure.ts'
import { askCommands, checkMatchers, joinAnswers } from './ask-commands.ts'
import type { CommandHookOptions, Subject } from './ask-commands.ts'
import { argsOf, namedCall, namesOf } from './hook-names.ts'
import { notifications } from './notification-hooks.ts'
import type { CommandAnswer } from './read-answer.ts'

export interface SessionCommandHooks {
  readonly hooks: Hooks
  /** The notes of commands for the model, and their faults. */
  readonly notes: ContextNotes
  /** Completes if the compaction may go on. Fails with `cancelled` if a command refuses it. Absent: there is no command. */
  beforeCompaction?(input: CompactionHookInput): Observable<never>
  /** Runs the commands that are to know of questions and waiting. Emits nothing. */
  follow(event$: Observable<AgentEvent>): Observable<never>
  /** Runs the commands of the session's end; completes when they have ended. */
  readonly end$: Observable<never>
}

/** A compaction that needs a summary. */
interface CompactionHookInput {
  readonly trigger: 'manual' | 'auto'
  /** The words of a person about what matters. */
  readonly focus?: string
}

/** More than the longest limit of a command: each ends by its own. */
const limitMs = 630_000
/** Notes and faults that wait for the next request; the oldest ones go. */
const maxUpdates = 100

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
  return {
    ...{ hooks, notes: notesOf(updates, start$), end$: sessionEnd(options) },
    ...(has('PreCompact') && { beforeCompaction: (input) => beforeCompaction(input, ask$) }),
    follow: (event$) => (has('Notification') ? followNotifications(event$, ask$) : EMPTY),
  }
}

function beforeCompaction({ trigger, focus = '' }: CompactionHookInput, ask$: AskEvent): Observable<never> {
  return ask$('PreCompact', [trigger], { trigger, custom_instructions: focus }).pipe(
    mergeMap(({ block }) => {
      if (block === undefined) return EMPTY
      throw new Failure('cancelled', `A hook cancelled the compaction: ${block}`)
    }),
  )
}

function followNotifications(event$: Observable<AgentEvent>, ask$: AskEvent): Observable<never> {
  return notifications(event$).pipe(
    mergeMap((notice) => ask$('Notification', [notice.notification_type], notice), mostNotifications),
    ignoreElements(),
  )
}

/** Commands of `Notification` that run at the same time for different events. */
const mostNotifications = 4

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
      return start$.pipe(
        tap(() => (isStarted = true)), // not before: a stop of the run ends the commands, and their notes stay due
        concatMap(() => take$),
      )
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
