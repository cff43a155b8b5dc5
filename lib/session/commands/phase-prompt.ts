// Enters the phase of a scenario that a prompt names: `/scenario:phase text`.
import { concat, defer, ignoreElements, mergeMap, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { ExpandedPrompt } from '../../streams/ports/prompt-commands.ts'
import { addsPower } from '../../streams/ports/scenarios.ts'
import type { ScenarioPhase, Scenarios } from '../../streams/ports/scenarios.ts'
import { Failure } from '../../streams/values/failure.ts'
import type { Pipeline } from '../pipeline/pipeline.ts'
import type { PhaseChoice, SessionScenario } from '../scenarios/session-scenario.ts'

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
