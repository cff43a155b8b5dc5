// Expands an input that begins with a slash: a skill, template, command or scenario.
import { defer, merge, mergeMap, of, take, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { runHook } from '../../operators/hooks/run-hook.ts'
import type { Hooks } from '../../streams/ports/hooks.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isSameJson } from '../../streams/values/json.ts'
import type { Invocation, UserContent } from '../../streams/messages/message.ts'
import { isResourcePart } from '../../streams/messages/resource-part.ts'
import { parseSlash } from '../../streams/ports/prompt-commands.ts'
import type { ExpandedPrompt, PromptCommands } from '../../streams/ports/prompt-commands.ts'
import { requireNoExtensionCommand } from './run-extension-command.ts'
import { inputContent } from './validate-input.ts'
import type { Input } from './validate-input.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { SessionCore } from '../runs/session-core.ts'
import { phasePrompt } from './phase-prompt.ts'
import type { SlashPrompt } from './phase-prompt.ts'

/** An input for the log: its text as the model gets it, and how it came about. */
export interface InputMessage {
  readonly content: string | readonly UserContent[]
  readonly invocation?: Invocation
}

type ExpandedInput = Input & {
  readonly type: 'prompt' | 'steer' | 'follow_up' | 'edit_queued'
  readonly expand?: boolean | undefined
}

interface Expansion {
  readonly commands: PromptCommands | undefined
  /** Enters the phase that the prompt names; emits undefined if it names none. Absent: prompts name no phases. */
  enterPhase?(slash: SlashPrompt): Observable<ExpandedPrompt | undefined>
  readonly hooks: Hooks | undefined
  /** Emits what the resources that the text names hold; undefined if it names none. */
  readResources(text: string): Observable<readonly UserContent[]> | undefined
  /** Fails when the session is closed. */
  readonly closed$: Observable<never>
}

/** Expands by the commands and the scenarios of a session. */
export function expansionOf({ core, pipeline, closed$ }: ExpansionParts): Expansion {
  const { commands, hooks, scenarios } = core.parts.options
  const enterPhase$ = (slash: SlashPrompt) => phasePrompt(slash, { scenario: core.scenario, pipeline, scenarios })
  const resources$ = (text: string) => core.parts.servers?.readResources(text)
  return { commands, hooks, closed$, readResources: resources$, ...(scenarios && { enterPhase: enterPhase$ }) }
}

interface ExpansionParts extends Pick<Expansion, 'closed$'> {
  readonly core: SessionCore
  readonly pipeline: Pipeline
}

const handledFailure$ = throwError(
  () => new Failure('bad_request', 'A hook has handled the input, which is for prompts alone'),
)

/**
 * Subscribes to `answer` in the call itself for a plain text without a hook, otherwise when the hook has answered and the
 * files have been read. A name that no command and no scenario has is plain text. Fails with `bad_request` for a file that
 * cannot be read, and for an input that the hook refuses.
 * @param handled$ the answer if a hook has handled the input. Default: a failure
 */
export function expandInput<Answer extends object>(
  input: ExpandedInput,
  expansion: Expansion,
  answer: (message: InputMessage) => Observable<Answer>,
  handled$: Observable<Answer> = handledFailure$,
): Observable<Answer> {
  const { hooks, closed$ } = expansion
  if (hooks?.input === undefined || input.type === 'edit_queued') return expandSlash(input, expansion, answer)
  const hook = { source: input.type, text: input.text }
  return merge(
    runHook('input', () => hooks.input?.(hook), hooks),
    closed$,
  ).pipe(
    take(1),
    mergeMap((decision) => {
      const reason = decision?.block?.reason
      if (reason !== undefined) throw new Failure('bad_request', `A hook refused the input: ${reason}`)
      if (decision?.handled === true) return handled$
      const { text = input.text } = decision ?? {}
      return expandSlash({ ...input, text }, expansion, answer)
    }),
  )
}

function expandSlash<Answer extends object>(
  input: ExpandedInput,
  { commands, closed$, enterPhase, readResources: read$ }: Expansion,
  onMessage: (message: InputMessage) => Observable<Answer>,
): Observable<Answer> {
  const resources$ = input.expand === false ? undefined : read$(input.text)
  const answer$ = (message: InputMessage): Observable<Answer> => {
    if (resources$ === undefined) return onMessage(message)
    return merge(resources$, closed$).pipe(
      take(1),
      mergeMap((parts) => onMessage({ ...message, content: [...partsOf(message.content), ...parts] })),
    )
  }
  const slash = input.expand === false ? undefined : parseSlash(input.text)
  if (slash !== undefined) requireNoExtensionCommand(input, commands)
  if (slash === undefined || (commands === undefined && enterPhase === undefined))
    return answer$({ content: inputContent(input) })
  const command$ = defer(() => commands?.expand(input.text) ?? of(undefined)).pipe(
    take(1),
    mergeMap((found) => (found === undefined ? (enterPhase?.(slash) ?? of(undefined)) : of(found))),
  )
  return merge(command$, closed$).pipe(
    take(1),
    mergeMap((expanded) => {
      if (expanded === undefined) return answer$({ content: inputContent(input) })
      const { text, invocation } = expanded
      return answer$({ content: inputContent({ ...input, text }), invocation })
    }),
  )
}

function partsOf(content: InputMessage['content']): readonly UserContent[] {
  if (typeof content !== 'string') return content
  return content === '' ? [] : [{ type: 'text', text: content }]
}

/** Whether the recorded message is that of this input. What a template or a resource said then does not count. */
export function isInputOf({ content, invocation }: InputMessage, input: Input): boolean {
  if (invocation === undefined) {
    const own = inputContent(input)
    if (isSameJson(content, own)) return true
    const [written, recorded] = [partsOf(own), partsOf(content)]
    const added = recorded.slice(written.length)
    return added.some(isResourcePart) && isSameJson(recorded.slice(0, written.length), written)
  }
  const { name, args } = parseSlash(input.text) ?? {}
  if (invocation.name !== name || (invocation.args ?? '') !== args) return false
  const images = typeof content === 'string' ? [] : content.filter(({ type }) => type === 'image')
  return isSameJson(images, input.images ?? [])
}
