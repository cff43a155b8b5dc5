// Asks a person about a plan, and enters the phase that follows an accepted one.
import { concat, defer, filter, from, ignoreElements, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { PlanAnswer } from '../../streams/ports/tool.ts'
import { endsWithPlan, phaseOf, planTool } from '../../streams/ports/scenarios.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { QuestionAnswer, UiRequests } from '../questions/ui-requests.ts'
import type { SessionScenario } from './session-scenario.ts'

export interface PlanQuestionOptions {
  readonly scenario: SessionScenario
  readonly requests: Pick<UiRequests, 'ask' | 'askQuestion' | 'form'>
  readonly pipeline: Pick<Pipeline, 'events$' | 'write'>
  runId(): string | undefined
}

/** A plan, and the call that handed it over. */
export interface ProposedPlan {
  readonly plan: string
  readonly toolCallId: string
}

/** Emits the answer once and completes. Cold; unsubscribing takes the question back. */
export function proposePlan(proposed: ProposedPlan, options: PlanQuestionOptions): Observable<PlanAnswer> {
  return defer(() => askAndEnter(proposed, options))
}

function askAndEnter(proposed: ProposedPlan, options: PlanQuestionOptions): Observable<PlanAnswer> {
  const { scenario, requests, pipeline } = options
  const planning = scenario.current()
  const transition = planning?.phase.transitions.find(({ on }) => on === 'plan_accepted')
  const next = planning && transition && phaseOf(planning.scenario, transition.to)
  if (planning === undefined || next === undefined || !endsWithPlan(planning.phase))
    return of({ outcome: 'not_planning' })
  const form = requests.form()
  if (form === undefined) return of({ outcome: 'unattended' })
  const answer$ = form === 'question' ? askAboutPlan(proposed, options) : askFallback(proposed, options)
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
  { plan, toolCallId }: ProposedPlan,
  { requests, pipeline }: PlanQuestionOptions,
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
  { plan, toolCallId }: ProposedPlan,
  { requests }: PlanQuestionOptions,
): Observable<Pick<QuestionAnswer, 'outcome' | 'by'>> {
  const options = ['Not yet: go on planning', acceptOption]
  return requests
    .ask({ kind: 'select', source: 'core', text: plan, options, toolCallId, tool: planTool })
    .pipe(map(({ outcome, by }) => ({ outcome: { choice: outcome === acceptOption ? 'accept' : 'reject' }, by })))
}
