// Holds the phase of a session: what it restricts, and each change as one event.
// Guarantees: state first; a phase that is no longer declared lets calls only read until a person chooses another.
import { defer, map, mergeMap, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { modelName } from '../../streams/models/model.ts'
import type { Model } from '../../streams/models/model.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { PolicyRequest } from '../../streams/ports/policy.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { endsWithPlan, phaseOf, planTool } from '../../streams/ports/scenarios.ts'
import type { ActivePhase, ScenarioList, ScenarioPhase, Scenarios } from '../../streams/ports/scenarios.ts'
import type { LoggedPhase } from '../../streams/state/fold-settings.ts'
import type { SessionStatus } from '../../streams/state/session-status.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'

type By = NonNullable<EventNamed<'scenario_change'>['by']>

/** A phase with the model that it names, found. */
export interface PhaseChoice extends ActivePhase {
  readonly model?: ProviderModel
}

export interface SessionScenario {
  /** The phase that holds; undefined outside of scenarios, and in a phase that is no longer declared. */
  current(): ActivePhase | undefined
  /** The phase by its names, for clients. */
  status(): SessionStatus['scenario']
  /** What the policy enforces now. */
  rules(): PolicyRequest['phase']
  /** Finds scenario, phase and model by their names. Fails with `bad_request`, or as the search of the model does. */
  find(scenario: string | undefined, phase: string | undefined): Observable<PhaseChoice>
  /** Finds the model of a phase of the present scenario. */
  findPhase(active: ActivePhase): Observable<PhaseChoice>
  /** Returns the events of the change: of the model, of the tools, of the phase. */
  enter(choice: PhaseChoice, by: By): readonly AgentEvent[]
  /** Returns the event; undefined if there is no scenario to leave. */
  leave(by: By): EventNamed<'scenario_change'> | undefined
}

/** The settings of the session that a phase changes. */
export interface PhaseSettings {
  current(): { readonly model: Model }
  active(): readonly AnyTool[]
  registered(): readonly AnyTool[]
  setActiveTools(names: readonly string[], by: 'tool'): AgentEvent
  setModel(chosen: ProviderModel, by: 'client' | 'server'): AgentEvent
}

export interface SessionScenarioOptions {
  readonly scenarios: Scenarios | undefined
  readonly logged: LoggedPhase | undefined
  readonly hasPolicy: boolean
  readonly settings: PhaseSettings
  findModel(name: string): Observable<ProviderModel>
}

/** The phase by its names, with its declaration if there is one. */
interface Held {
  readonly names: LoggedPhase
  readonly active: ActivePhase | undefined
  readonly rules: NonNullable<PolicyRequest['phase']>
}

export function sessionScenario(options: SessionScenarioOptions): SessionScenario {
  const { scenarios, logged, settings } = options
  let held = logged && restore(logged, scenarios)
  const phase$ = (active: ActivePhase): Observable<PhaseChoice> =>
    active.phase.model === undefined
      ? of(active)
      : options.findModel(active.phase.model).pipe(map((model) => ({ ...active, model })))
  const change = (next: Held | undefined, by: By): EventNamed<'scenario_change'> => {
    const from = held === undefined ? {} : { from: held.names.phase }
    held = next
    return { type: 'scenario_change', ...from, to: next?.names.phase ?? '', by, ...next?.names }
  }
  return {
    current: () => held?.active,
    status: () => held && { ...held.names, ...(held.rules.readOnly === true ? { readOnly: true } : {}) },
    rules: () => held?.rules,
    findPhase: phase$,
    find: (scenario, phase) =>
      defer(() => {
        if (scenarios === undefined || !options.hasPolicy) throw noScenariosFailure()
        return findNamed(scenarios, scenario ?? held?.names.scenario, phase, phase$)
      }),
    enter: ({ scenario, phase, model }, by) => {
      const isOther = model !== undefined && modelName(model.model) !== modelName(settings.current().model)
      const events: AgentEvent[] = isOther ? [settings.setModel(model, by === 'client' ? 'client' : 'server')] : []
      const tools = planToolChange(phase, settings)
      if (tools !== undefined) events.push(tools)
      return [...events, change(holdPhase({ scenario, phase }), by)]
    },
    leave: (by) => (held === undefined ? undefined : change(undefined, by)),
  }
}

function restore(names: LoggedPhase, scenarios: Scenarios | undefined): Held {
  const scenario = scenarios?.logged
  const phase = scenario?.name === names.scenario ? phaseOf(scenario, names.phase) : undefined
  if (scenario !== undefined && phase !== undefined) return holdPhase({ scenario, phase })
  return { names, active: undefined, rules: { ...names, name: names.phase, readOnly: true } }
}

function holdPhase(active: ActivePhase): Held {
  const { scenario, phase } = active
  const { name, tools, capabilities, readOnly } = phase
  const allowed = tools === undefined || !endsWithPlan(phase) ? tools : [...tools, planTool]
  return {
    names: { scenario: scenario.name, phase: name },
    active,
    rules: {
      name,
      scenario: scenario.name,
      ...(allowed === undefined ? {} : { tools: allowed }),
      ...(capabilities === undefined ? {} : { capabilities }),
      ...(readOnly === undefined ? {} : { readOnly }),
    },
  }
}

/** A phase that ends with a plan needs the tool that hands it over. The tool stays active when the phase ends. */
function planToolChange(phase: ScenarioPhase, settings: PhaseSettings): AgentEvent | undefined {
  const active = settings.active().map(({ name }) => name)
  const isMissing = endsWithPlan(phase) && !active.includes(planTool)
  if (!isMissing || !settings.registered().some(({ name }) => name === planTool)) return undefined
  return settings.setActiveTools([...active, planTool], 'tool')
}

function findNamed(
  scenarios: Scenarios,
  name: string | undefined,
  wanted: string | undefined,
  findPhase: SessionScenario['findPhase'],
): Observable<PhaseChoice> {
  if (name === undefined)
    throw new Failure('bad_request', 'The session is in no scenario; name one: list_scenarios lists them')
  return scenarios.list().pipe(
    take(1),
    mergeMap((list) => findPhase(pick(list, name, wanted))),
  )
}

/** @throws Failure `bad_request` that lists the names there are, and what is wrong with a file of that name */
function pick({ scenarios, problems }: ScenarioList, name: string, wanted: string | undefined): ActivePhase {
  const scenario = scenarios.find((each) => each.name === name)
  if (scenario === undefined) {
    const names = scenarios.map((each) => each.name)
    const problem = problems.find(({ level, path: file }) => level === 'error' && basename(file) === name)
    const why = problem === undefined ? '' : ` (${problem.path}: ${problem.message})`
    const near = didYouMean(name, names) || `; scenarios: ${names.join(', ')}`
    throw new Failure('bad_request', `There is no scenario "${name}"${near}${why}`)
  }
  const phase = phaseOf(scenario, wanted ?? scenario.start)
  if (phase === undefined) {
    const names = scenario.phases.map((each) => each.name)
    const near = didYouMean(wanted ?? '', names) || `; phases: ${names.join(', ')}`
    throw new Failure('bad_request', `The scenario ${name} has no phase "${wanted ?? ''}"${near}`)
  }
  return { scenario, phase }
}

/** The name that a file gives its scenario. */
function basename(file: string): string {
  return file.replace(/^.*[/\\]/, '').replace(/\.[a-z]+$/, '')
}

function noScenariosFailure(): Failure {
  return new Failure('bad_request', 'This session has no policy that could enforce the phases of a scenario')
}
