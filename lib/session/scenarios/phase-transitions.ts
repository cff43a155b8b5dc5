// Ends a phase: by the result of a tool, an accepted plan, or the stop rule of the phase.
import { catchError, filter, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { PlanAnswer } from '../../streams/ports/tool.ts'
import { addsPower, phaseOf } from '../../streams/ports/scenarios.ts'
import type { ActivePhase, PhaseTransition, ScenarioPhase, PhaseStop } from '../../streams/ports/scenarios.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { askAboutPhase } from './ask-about-phase.ts'
import type { PhaseQuestion } from './ask-about-phase.ts'
import { changePhase } from './extension-phase.ts'
import type { PhaseChange } from './extension-phase.ts'
import { proposePlan } from './plan-question.ts'
import type { PlanQuestionOptions } from './plan-question.ts'
import type { FinishedTurn, StopRule } from '../../streams/ports/hooks.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'

export interface PhaseTransitions {
  /** Emits the events of the step that a tool's result asked for; undefined if none did. Never fails. */
  due(): Observable<AgentEvent> | undefined
  /** Asks a person about a plan, and enters the next phase if it is accepted: emits the answer once, never fails. */
  propose(plan: string, toolCallId: string): Observable<PlanAnswer>
  /** Enters or leaves a phase for an extension: emits the response once. Cold; unsubscribing withdraws its question. */
  change(change: PhaseChange, extension: string): Observable<object>
}

export interface PhaseTransitionOptions extends PlanQuestionOptions {
  /** The model of the next request. */
  modelName(): string
  /** Events of the log since the last answer of the model, when the session is opened: a step that they ask for is due. */
  readonly recorded: Iterable<AgentEvent>
}

interface Step {
  readonly from: ActivePhase
  readonly to: ScenarioPhase
  /** The tool whose result asked for it. */
  readonly tool: string
}

type ToolEnd = EventNamed<'tool_execution_end'>

/** Watches the results of tools until the pipeline ends. */
export function phaseTransitions(options: PhaseTransitionOptions): PhaseTransitions {
  const { scenario, pipeline } = options
  let waiting = recordedStep(options) // the first match of a phase counts
  pipeline.events$.pipe(filter((event): event is ToolEnd => event.type === 'tool_execution_end')).subscribe((event) => {
    waiting ??= stepAfter(event, scenario.current())
  })
  return {
    due: () => {
      const step = waiting
      waiting = undefined
      return step === undefined || step.from !== scenario.current() ? undefined : takeStep(step, options)
    },
    propose: (plan, toolCallId) => proposePlan({ plan, toolCallId }, options),
    change: (change, extension) => changePhase(change, extension, options),
  }
}

function recordedStep({ scenario, recorded }: PhaseTransitionOptions): Step | undefined {
  const active = scenario.current()
  let waiting: Step | undefined
  if (active === undefined) return undefined
  for (const event of recorded) {
    if (event.type === 'tool_execution_end') waiting ??= stepAfter(event, active)
    else if (event.type === 'scenario_change' || isStay(event)) waiting = undefined // it was taken, or refused
  }
  return waiting
}

function stepAfter(event: ToolEnd, from: ActivePhase | undefined): Step | undefined {
  const found = from?.phase.transitions.find((transition) => isMatch(transition, event))
  const to = from && found && phaseOf(from.scenario, found.to)
  return from === undefined || to === undefined ? undefined : { from, to, tool: event.toolName }
}

function isMatch(transition: PhaseTransition, { toolName, isError, content }: ToolEnd): boolean {
  if (transition.on !== 'tool' || transition.tool !== toolName) return false
  const { result = 'ok', contains } = transition
  if (result !== 'any' && isError !== (result === 'error')) return false
  return contains === undefined || textOf(content).includes(contains)
}

function textOf(content: ToolEnd['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
}

function takeStep(step: Step, options: PhaseTransitionOptions): Observable<AgentEvent> {
  const { from: before, to } = step
  const model = options.scenario.modelOf(to)
  const changesModel = model !== undefined && model !== options.modelName()
  const enter$ = (by: 'client' | 'tool'): Observable<AgentEvent> =>
    options.scenario.findPhase({ scenario: before.scenario, phase: to }).pipe(
      mergeMap((choice) => (options.scenario.current() === before ? options.scenario.enter(choice, by) : [])),
      catchError((error: unknown) => of(stays(step, describeThrown(error)))),
    )
  if (!changesModel && !addsPower(before.phase, to)) return enter$('tool')
  return askAboutPhase(questionOf(step, model), options.requests).pipe(
    mergeMap((isWanted) => {
      if (isWanted === true) return enter$('client')
      return of(stays(step, isWanted === false ? 'a person refused it' : 'it needs a person, and no client can answer'))
    }),
    catchError((error: unknown) => of(stays(step, describeThrown(error)))),
  )
}

function stays({ from: { scenario, phase }, to, tool }: Step, why: string): AgentEvent {
  const message = `The result of ${tool} asks for the phase ${to.name}; the scenario ${scenario.name} stays in ${phase.name}: ${why}`
  return { type: 'warning', code: staysCode, message, recoverable: true }
}

const staysCode = 'phase_stays'

function isStay(event: AgentEvent): boolean {
  return event.type === 'warning' && event.code === staysCode
}

function questionOf({ from: { scenario, phase }, to, tool }: Step, name: string | undefined): PhaseQuestion {
  const model = name === undefined ? '' : ` and uses the model ${name}`
  return {
    text: `May the scenario ${scenario.name} go on from ${phase.name} to ${to.name}?`,
    reason: `${tool} ended as the scenario expects. The phase ${to.name} lets calls do more${model}.`,
  }
}

interface Totals {
  readonly turns: number
  readonly tokens: number
  readonly usd: number
}

const nothing: Totals = { turns: 0, tokens: 0, usd: 0 }

/** Counts from the beginning of the run or of the phase, whichever is later. Of one run alone: it holds its counts. */
export function phaseStopRule(current: () => ScenarioPhase | undefined): StopRule {
  let phase: ScenarioPhase | undefined
  let base = nothing
  let last = nothing
  return {
    name: 'phase',
    matches: (turn) => {
      const now = current()
      if (now !== phase) base = last
      phase = now
      last = totalsOf(turn)
      return now?.stop !== undefined && isReached(now.stop, turn, base)
    },
  }
}

function totalsOf({ turns, usage }: FinishedTurn): Totals {
  return { turns, tokens: usage.totalTokens, usd: usage.cost === 'unknown' ? 0 : usage.cost.total }
}

function isReached({ turns, tokens, usd, tools = [] }: PhaseStop, turn: FinishedTurn, base: Totals): boolean {
  const now = totalsOf(turn)
  const reaches = (limit: number | undefined, spent: number): boolean => limit !== undefined && spent >= limit
  return (
    reaches(turns, now.turns - base.turns) ||
    reaches(tokens, now.tokens - base.tokens) ||
    reaches(usd, now.usd - base.usd) ||
    innerCalls(turn.message?.content ?? []).some(({ name }) => tools.includes(name))
  )
}
