// Moves a session to another phase by the result of a tool, and by an accepted plan.
// Guarantees: a step that lets calls do more, or changes the model, waits for a person (docs/design/security.md#S1).
import { catchError, concat, defer, filter, from, ignoreElements, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import type { PlanAnswer } from '../../streams/ports/tool.ts'
import { addsPower, endsWithPlan, phaseOf, planTool } from '../../streams/ports/scenarios.ts'
import type { ActivePhase, PhaseTransition, ScenarioPhase } from '../../streams/ports/scenarios.ts'
import { describeThrown } from '../../streams/values/failure.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { QuestionAnswer, UiRequests } from '../questions/ui-requests.ts'
import type { SessionScenario } from './session-scenario.ts'

export interface PhaseTransitions {
  /** Emits the events of the step that a tool's result asked for; undefined if none did. Never fails. */
  due(): Observable<AgentEvent> | undefined
  /** Asks a person about a plan, and enters the next phase if it is accepted: emits the answer once, never fails. */
  propose(plan: string, toolCallId: string): Observable<PlanAnswer>
}

export interface PhaseTransitionOptions {
  readonly scenario: SessionScenario
  readonly requests: Pick<UiRequests, 'ask' | 'askQuestion' | 'form'>
  readonly pipeline: Pick<Pipeline, 'events$' | 'write'>
  /** The model of the next request. */
  modelName(): string
  runId(): string | undefined
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
  let waiting: Step | undefined // the first match of a phase counts
  pipeline.events$.pipe(filter((event): event is ToolEnd => event.type === 'tool_execution_end')).subscribe((event) => {
    waiting ??= stepAfter(event, scenario.current())
  })
  return {
    due: () => {
      const step = waiting
      waiting = undefined
      return step === undefined || step.from !== scenario.current() ? undefined : takeStep(step, options)
    },
    propose: (plan, toolCallId) => defer(() => proposePlan(plan, toolCallId, options)),
  }
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
  const changesModel = to.model !== undefined && to.model !== options.modelName()
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
  return { type: 'warning', code: 'phase_stays', message, recoverable: true }
}

/** Emits undefined if nobody can answer. */
function askPerson({ from: { scenario, phase }, to, tool }: Step, { requests }: PhaseTransitionOptions) {
  return defer((): Observable<boolean | undefined> => {
    const form = requests.form()
    if (form === undefined) return of(undefined)
    const text = `May the scenario ${scenario.name} go on from ${phase.name} to ${to.name}?`
    const model = to.model === undefined ? '' : ` and uses the model ${to.model}`
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

function proposePlan(plan: string, toolCallId: string, options: PhaseTransitionOptions): Observable<PlanAnswer> {
  const { scenario, requests, pipeline } = options
  const planning = scenario.current()
  const transition = planning?.phase.transitions.find(({ on }) => on === 'plan_accepted')
  const next = planning && transition && phaseOf(planning.scenario, transition.to)
  if (planning === undefined || next === undefined || !endsWithPlan(planning.phase))
    return of({ outcome: 'not_planning' })
  const form = requests.form()
  if (form === undefined) return of({ outcome: 'unattended' })
  const answer$ = form === 'question' ? askAboutPlan(plan, toolCallId, options) : askFallback(plan, toolCallId, options)
  const enter$ = (edited: PlanAnswer): Observable<PlanAnswer> =>
    scenario.findPhase({ scenario: planning.scenario, phase: next }).pipe(
      mergeMap((choice) => {
        const events = scenario.current() === planning ? scenario.enter(choice, 'client') : []
        const written$ = from(events).pipe(mergeMap((event) => pipeline.write({ event, runId: options.runId() })))
        return concat(written$.pipe(ignoreElements()), of({ ...edited, phase: next.name }))
      }),
    )
  return answer$.pipe(
    mergeMap(({ outcome: { choice, text }, by }): Observable<PlanAnswer> => {
      const words = text === undefined || text.trim() === '' ? {} : { text }
      if (scenario.current() !== planning) return of({ outcome: 'not_planning' })
      if (by !== 'client') return of({ outcome: 'unattended' })
      return choice === 'accept' ? enter$({ outcome: 'accepted', ...words }) : of({ outcome: 'rejected', ...words })
    }),
  )
}

/** A command that changes the phase meanwhile ends the question. */
function askAboutPlan(
  plan: string,
  toolCallId: string,
  { requests, pipeline }: PhaseTransitionOptions,
): Observable<Pick<QuestionAnswer, 'outcome' | 'by'>> {
  return requests.askQuestion({
    kind: 'plan',
    source: 'core',
    text: plan,
    choices: ['accept', 'reject'],
    default: { choice: 'reject' },
    toolCallId,
    tool: planTool,
    allowed$: pipeline.events$.pipe(filter(({ type }) => type === 'scenario_change')),
  })
}

const acceptOption = 'Accept the plan and go on'

function askFallback(
  plan: string,
  toolCallId: string,
  { requests }: PhaseTransitionOptions,
): Observable<Pick<QuestionAnswer, 'outcome' | 'by'>> {
  const options = ['Not yet: go on planning', acceptOption]
  return requests
    .ask({ kind: 'select', source: 'core', text: plan, options, toolCallId, tool: planTool })
    .pipe(map(({ outcome, by }) => ({ outcome: { choice: outcome === acceptOption ? 'accept' : 'reject' }, by })))
}
