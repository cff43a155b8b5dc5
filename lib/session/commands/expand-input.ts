// Expands an input that begins with a slash (skill, template, command, scenario), and queues inputs.
import { defer, merge, mergeMap, of, take, concat, ignoreElements, throwError } from 'rxjs'
import type { Observable } from 'rxjs'
import { runHook } from '../../operators/hooks/run-hook.ts'
import type { Hooks } from '../../streams/ports/hooks.ts'
import { Failure } from '../../streams/values/failure.ts'
import { isSameJson } from '../../streams/values/json.ts'
import type { Invocation, UserContent } from '../../streams/messages/message.ts'
import { parseSlash } from '../../streams/ports/prompt-commands.ts'
import type { ExpandedPrompt, PromptCommands } from '../../streams/ports/prompt-commands.ts'
import { requireNoExtensionCommand } from './run-extension-command.ts'
import { inputContent } from './validate-input.ts'
import type { Input } from './validate-input.ts'
import type { QueuedInput } from '../../streams/state/fold-session.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import { respondWhenWritten } from '../pipeline/respond-when-durable.ts'
import type { SessionCore } from '../runs/session-core.ts'
import { addsPower } from '../../streams/ports/scenarios.ts'
import type { Scenarios, ScenarioPhase } from '../../streams/ports/scenarios.ts'
import type { PhaseChoice, SessionScenario } from '../scenarios/session-scenario.ts'

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
  /** Fails when the session is closed. */
  readonly closed$: Observable<never>
}

/** Expands by the commands and the scenarios of a session. */
export function expansionOf({ core, pipeline, closed$ }: ExpansionParts): Expansion {
  const { commands, hooks, scenarios } = core.parts.options
  const enterPhase$ = (slash: SlashPrompt) => phasePrompt(slash, { scenario: core.scenario, pipeline, scenarios })
  return { commands, hooks, closed$, ...(scenarios && { enterPhase: enterPhase$ }) }
}

type ExpansionParts = QueueOptions & Pick<Expansion, 'closed$'>

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
  { commands, closed$, enterPhase }: Expansion,
  answer: (message: InputMessage) => Observable<Answer>,
): Observable<Answer> {
  const slash = input.expand === false ? undefined : parseSlash(input.text)
  if (slash !== undefined) requireNoExtensionCommand(input, commands)
  if (slash === undefined || (commands === undefined && enterPhase === undefined))
    return answer({ content: inputContent(input) })
  const command$ = defer(() => commands?.expand(input.text) ?? of(undefined)).pipe(
    take(1),
    mergeMap((found) => (found === undefined ? (enterPhase?.(slash) ?? of(undefined)) : of(found))),
  )
  return merge(command$, closed$).pipe(
    take(1),
    mergeMap((expanded) => {
      if (expanded === undefined) return answer({ content: inputContent(input) })
      const { text, invocation } = expanded
      return answer({ content: inputContent({ ...input, text }), invocation })
    }),
  )
}

/** Whether the recorded message is that of this input. What a template said then does not count. */
export function isInputOf({ content, invocation }: InputMessage, input: Input): boolean {
  if (invocation === undefined) return isSameJson(content, inputContent(input))
  const { name, args } = parseSlash(input.text) ?? {}
  if (invocation.name !== name || (invocation.args ?? '') !== args) return false
  const images = typeof content === 'string' ? [] : content.filter(({ type }) => type === 'image')
  return isSameJson(images, input.images ?? [])
}

interface QueueOptions {
  readonly core: SessionCore
  readonly pipeline: Pipeline
}

type Origin = { readonly opId?: string }

/** State first: the input is in the queue before its event is published. `more` may bring the input's `queueId`. */
export function enqueue(
  options: QueueOptions,
  queue: QueuedInput['queue'],
  input: InputMessage,
  origin: Origin,
  more: { readonly queueId?: string; readonly status?: 'queued' } = {},
): Observable<object> {
  const { core } = options
  const { queueId = core.ids.short() } = more
  const event = core.queues.add({ queueId, queue, ...input })
  return respondWhenWritten(options, [{ event, ...origin }], { ...more, queueId })
}

/** Changes an input that still waits. @throws Failure `bad_request` if it does not wait any more */
export function editQueued(
  options: QueueOptions,
  { queueId }: { readonly queueId: string },
  { content, invocation }: InputMessage,
  origin: Origin,
): Observable<object> {
  return respondWhenWritten(options, [{ event: options.core.queues.edit(queueId, content, invocation), ...origin }], {})
}

export interface PhasePromptOptions {
  /** Absent: no prompt names a phase. */
  readonly scenarios: Scenarios | undefined
  readonly scenario: SessionScenario
  readonly pipeline: Pick<Pipeline, 'write'>
}

/** A prompt as `parseSlash` returns it. */
export interface SlashPrompt {
  readonly name: string
  readonly args: string
}

/**
 * Emits once: the prompt without its scenario, when the phase is entered; undefined if no scenario has the name. Fails with
 * `bad_request` without a text, for a phase that is not there, and for one that lets calls do more than the present one.
 */
export function phasePrompt(
  { name, args }: SlashPrompt,
  { scenarios, scenario, pipeline }: PhasePromptOptions,
): Observable<ExpandedPrompt | undefined> {
  if (scenarios === undefined) return of(undefined)
  const [scenarioName = '', phaseName] = name.split(':', 2)
  const expanded: ExpandedPrompt = { text: args, invocation: { kind: 'scenario', name, args } }
  const enter$ = (choice: PhaseChoice): Observable<ExpandedPrompt> =>
    defer(() => {
      const events = isPresent(choice, scenario) ? [] : scenario.enter(checkPower(choice, scenario), 'client')
      const written = events.map((event) => pipeline.write({ event }).pipe(ignoreElements()))
      return concat(...written, of(expanded))
    })
  return scenarios.list().pipe(
    take(1),
    mergeMap((list) => {
      if (!list.scenarios.some((each) => each.name === scenarioName)) return of(undefined)
      if (args.trim() === '') throw noTextFailure(name)
      return scenario.find(scenarioName, phaseName).pipe(mergeMap(enter$))
    }),
  )
}

function isPresent(choice: PhaseChoice, { status }: SessionScenario): boolean {
  const now = status()
  return now?.scenario === choice.scenario.name && now.phase === choice.phase.name
}

/** @throws Failure `bad_request` */
function checkPower(choice: PhaseChoice, { current, rules }: SessionScenario): PhaseChoice {
  const held = rules()
  const from: ScenarioPhase | undefined = current()?.phase ?? (held && { ...held, transitions: [] })
  if (from === undefined || !addsPower(from, choice.phase)) return choice
  const { scenario, phase } = choice
  throw new Failure(
    'bad_request',
    `A prompt does not enter ${scenario.name}:${phase.name}, which lets calls do more than the phase ${from.name}; ` +
      `set_scenario_phase enters it (/scenario ${scenario.name}:${phase.name})`,
  )
}

function noTextFailure(name: string): Failure {
  return new Failure(
    'bad_request',
    `/${name} needs a text for the model; set_scenario_phase enters a phase without one`,
  )
}
