// Enters or leaves a phase for an extension.
// Guarantees: a step that lets calls do more, or changes the model, waits for a person (docs/design/security.md#S1).
import { concat, defer, from, ignoreElements, map, mergeMap, of } from 'rxjs'
import type { Observable } from 'rxjs'
import type { CommandNamed } from '../../streams/commands/command.ts'
import type { AgentEvent } from '../../streams/events/event.ts'
import { addsPower } from '../../streams/ports/scenarios.ts'
import type { ScenarioPhase } from '../../streams/ports/scenarios.ts'
import { Failure } from '../../streams/values/failure.ts'
import { askAboutPhase } from './ask-about-phase.ts'
import type { PlanQuestionOptions } from './plan-question.ts'

/** `scenario: null` leaves the scenario. */
export type PhaseChange = Pick<CommandNamed<'set_scenario_phase'>, 'scenario' | 'phase'>

export interface ExtensionPhaseOptions extends PlanQuestionOptions {
  /** The model of the next request. */
  modelName(): string
}

interface Target {
  readonly phase: ScenarioPhase
  /** For people: `go to work:build`. */
  readonly step: string
  readonly response: { readonly scenario?: string; readonly phase?: string }
  enter(by: 'client' | 'extension'): readonly AgentEvent[]
}

/**
 * Emits the response once, and completes. Fails with `bad_request` for a phase that is not there, and if the phase changes while a
 * person is asked; with `not_allowed` if a person refuses the step, or it needs one and no client can answer.
 */
export function changePhase(
  change: PhaseChange,
  extension: string,
  options: ExtensionPhaseOptions,
): Observable<Target['response']> {
  return findTarget(change, options).pipe(mergeMap((target) => enterTarget(target, extension, options)))
}

/** Outside of scenarios: it restricts nothing. */
const outside: ScenarioPhase = { name: '', transitions: [] }

function findTarget({ scenario: name, phase }: PhaseChange, { scenario }: ExtensionPhaseOptions): Observable<Target> {
  if (name !== null) {
    return scenario.find(name, phase).pipe(
      map((choice): Target => ({
        phase: choice.phase,
        step: `go to ${choice.scenario.name}:${choice.phase.name}`,
        response: { scenario: choice.scenario.name, phase: choice.phase.name },
        enter: (by) => scenario.enter(choice, by),
      })),
    )
  }
  return defer(() => {
    if (phase !== undefined) throw new Failure('bad_request', 'A phase belongs to a scenario: name both, or none')
    return scenario.findOwn().pipe(
      map((own): Target => ({
        phase: outside,
        step: 'leave the scenario',
        response: {},
        enter: (by) => scenario.leave(own, by),
      })),
    )
  })
}

function enterTarget(
  target: Target,
  extension: string,
  options: ExtensionPhaseOptions,
): Observable<Target['response']> {
  const { scenario, requests } = options
  const before = scenario.rules()
  const present = scenario.current()?.phase ?? (before && { ...before, transitions: [] })
  const model = scenario.modelOf(target.phase)
  const changesModel = model !== undefined && model !== options.modelName()
  const enter$ = (by: 'client' | 'extension') =>
    defer(() => {
      if (scenario.rules() !== before)
        throw new Failure('bad_request', `The phase changed before a person answered ${extension}; ask again`)
      return write(target.enter(by), target.response, options)
    })
  if (!changesModel && (present === undefined || !addsPower(present, target.phase))) return enter$('extension')
  const where = present === undefined ? '' : ` (now in ${present.name})`
  const use = changesModel ? ` The model is then ${model}.` : ''
  const text = `May the extension ${extension} ${target.step}${where}?`
  const reason = `Calls may do more then, or another model answers.${use}`
  return askAboutPhase({ text, reason }, requests).pipe(
    mergeMap((isWanted) => {
      if (isWanted === true) return enter$('client')
      const why = isWanted === false ? 'a person refused it' : 'it needs a person, and no client can answer'
      throw new Failure('not_allowed', `The extension ${extension} may not ${target.step}: ${why}`)
    }),
  )
}

/** Writes the events in order, and then emits the response. */
function write(
  events: readonly AgentEvent[],
  response: Target['response'],
  { pipeline, runId }: ExtensionPhaseOptions,
): Observable<Target['response']> {
  const written$ = from(events).pipe(mergeMap((event) => pipeline.write({ event, runId: runId() })))
  return concat(written$.pipe(ignoreElements()), of(response))
}
