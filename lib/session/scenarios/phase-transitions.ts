// Ends a phase: by the result of a tool, an accepted plan, or the stop rule of the phase.
import { catchError, defer, filter, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { PlanAnswer } from '../../streams/ports/tool.ts'
import { addsPower, phaseOf } from '../../streams/ports/scenarios.ts'
import type { ActivePhase, PhaseTransition, ScenarioPhase, PhaseStop } from '../../streams/ports/scenarios.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import { proposePlan } from './plan-question.ts'
import type { PlanQuestionOptions } from './plan-question.ts'
import type { FinishedTurn, StopRule } from '../../streams/ports/hooks.ts'
import { innerCalls } from '../../streams/messages/inner-call.ts'

export interface PhaseTransitions {
  /** Emits the events of the step that a tool's result asked for; undefined if none did. Never fails. */
  due(): Observable<AgentEvent> | undefined
  /** Asks a person about a plan, and enters the next phase if it is accepted: emits the answer once, never fails. */
  propose(plan: string, toolCallId: string): Observable<PlanAnswer>
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
  return askPerson(step, options).pipe(
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

/** Emits undefined if no client can answer. */
function askPerson(
  { from: { scenario, phase }, to, tool }: Step,
  { requests, scenario: scenarioOf }: PhaseTransitionOptions,
) {
  return defer((): Observable<boolean | undefined> => {
    const form = requests.form()
    if (form === undefined) return of(undefined)
    const text = `May the scenario ${scenario.name} go on from ${phase.name} to ${to.name}?`
    const name = scenarioOf.modelOf(to)
    const model = name === undefined ? '' : ` and uses the model ${name}`
    const reason = `${tool} ended as the scenario expects. The phase ${to.name} lets calls do more${model}.`
    const shown = { source: 'core', text, reason }
    if (form === 'ui_request')
      return requests.ask({ kind: 'confirm', ...shown }).pipe(map(({ outcome, by }) => answerOf(by, outcome === true)))
    return requests
      .askQuestion({ kind: 'phase', ...shown, choices: ['stay', 'enter'], default: { choice: 'stay' } })
      .pipe(map(({ outcome, by }) => answerOf(by, outcome.choice === 'enter')))
  })
}

function answerOf(by: string, isYes: boolean): boolean | undefined {
  return by === 'client' ? isYes : undefined
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
