// Holds the phase of a session: what it restricts, and each change as one event.
// Guarantees: state first; a phase that is no longer declared lets calls only read until a person chooses another.
import { defer, map, mergeMap, of, take } from 'rxjs'
import type { Observable } from 'rxjs'
import type { AgentEvent, EventNamed } from '../../streams/events/event.ts'
import { modelName } from '../../streams/models/model.ts'
import type { ThinkingLevel } from '../../streams/models/model.ts'
import type { AnyTool } from '../../streams/ports/tool.ts'
import type { PolicyRequest } from '../../streams/ports/policy.ts'
import type { ProviderModel } from '../../streams/ports/provider.ts'
import { endsWithPlan, phaseOf, planTool } from '../../streams/ports/scenarios.ts'
import type { ActivePhase, ScenarioList, ScenarioPhase, Scenarios } from '../../streams/ports/scenarios.ts'
import type { LoggedPhase } from '../../streams/state/fold-settings.ts'
import type { SessionStatus } from '../../streams/state/session-status.ts'
import type { SessionRoles } from '../roles/roles-port.ts'
import { ownModel } from './own-model.ts'
import { phaseModels } from './phase-models.ts'
import type { PhaseModel } from './phase-models.ts'
import type { OwnModel } from './own-model.ts'
import { Failure } from '../../streams/values/failure.ts'
import { didYouMean } from '../../streams/values/nearest-name.ts'

type By = NonNullable<EventNamed<'scenario_change'>['by']>

export type PhaseChoice = ActivePhase & PhaseModel

export interface SessionScenario {
  /** The phase that holds; undefined outside of scenarios, and in a phase that is no longer declared. */
  current(): ActivePhase | undefined
  /** The phase by its names, for clients. */
  status(): SessionStatus['scenario']
  /** Present rules of the policy. */
  rules(): PolicyRequest['phase']
  /** Finds scenario, phase and model by their names. Fails with `bad_request`, or as the search of the model does. */
  find(scenario: string | undefined, phase: string | undefined): Observable<PhaseChoice>
  /** Finds the model of a phase of the present scenario. */
  findPhase(active: ActivePhase): Observable<PhaseChoice>
  /** Finds the session's own model, for leaving the scenario. */
  findOwn(): Observable<PhaseModel>
  /** The name of the model that the phase is entered with; undefined if the model stays. */
  modelOf(phase: ScenarioPhase): string | undefined
  /** Returns the events of the change: of the model, of the tools, of the phase. */
  enter(choice: PhaseChoice, by: By): readonly AgentEvent[]
  /** Returns the events: none if there is no scenario to leave. */
  leave(own: PhaseModel, by: By): readonly AgentEvent[]
}

/** The settings of the session that a phase changes. */
export interface PhaseSettings {
  current(): ProviderModel & { readonly thinkingLevel: ThinkingLevel }
  unusable(): Failure | undefined
  setThinkingLevel(level: ThinkingLevel, by: 'server'): AgentEvent
  active(): readonly AnyTool[]
  registered(): readonly AnyTool[]
  setActiveTools(names: readonly string[], by: 'tool'): AgentEvent
  setModel(chosen: ProviderModel, by: 'client' | 'server'): AgentEvent
}

export interface SessionScenarioOptions {
  readonly scenarios: Scenarios | undefined
  readonly logged: LoggedPhase | undefined
  /** The last model of the log. */
  readonly loggedModel: string | undefined
  readonly hasPolicy: boolean
  readonly settings: PhaseSettings
  findModel(name: string): Observable<ProviderModel>
  /** The models of roles: a phase that ends with a plan has the role `plan`. Default: there are none. */
  readonly roles?: SessionRoles | undefined
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
  const own = ownModel({
    ...options,
    current: () => (settings.unusable() === undefined ? settings.current() : undefined),
  })
  const own$ = defer(() => own.find()?.pipe(map(toPhaseModel)) ?? of({}))
  const models = phaseModels({ ...options, own$ })
  const phase$ = ({ scenario, phase }: ActivePhase): Observable<PhaseChoice> =>
    models.find(phase).pipe(map((found) => ({ scenario, phase, ...found })))
  const changeModel = (found: PhaseModel, by: By): AgentEvent[] => modelEvents(found, by, { own, settings })
  const change = (next: Held | undefined, by: By): EventNamed<'scenario_change'> => {
    const from = held === undefined ? {} : { from: held.names.phase }
    const away = next === undefined ? undefined : own.name()
    const level = next === undefined ? undefined : own.level()
    held = next
    const to = next?.names.phase ?? ''
    return {
      type: 'scenario_change',
      ...from,
      to,
      by,
      ...next?.names,
      ...(away === undefined ? {} : { ownModel: away }),
      ...(level === undefined ? {} : { ownThinkingLevel: level }),
    }
  }
  return {
    current: () => held?.active,
    status: () => held && { ...held.names, ...(held.rules.readOnly === true ? { readOnly: true } : {}) },
    rules: () => held?.rules,
    findPhase: phase$,
    findOwn: () => own$,
    modelOf: (phase) => models.nameOf(phase) ?? own.name(),
    find: (scenario, phase) =>
      defer(() => {
        if (scenarios === undefined || !options.hasPolicy) throw noScenariosFailure()
        return findNamed(scenarios, scenario ?? held?.names.scenario, phase, phase$)
      }),
    enter: ({ scenario, phase, ...found }, by) => {
      const events = changeModel(found, by)
      const tools = planToolChange(phase, settings)
      if (tools !== undefined) events.push(tools)
      return [...events, change(holdPhase({ scenario, phase }), by)]
    },
    leave: (found, by) => (held === undefined ? [] : [...changeModel(found, by), change(undefined, by)]),
  }
}

function modelEvents(
  { model, warning }: PhaseModel,
  by: By,
  { own, settings }: { readonly own: OwnModel; readonly settings: PhaseSettings },
): AgentEvent[] {
  const events = warning === undefined ? [] : [warning]
  const now = settings.current()
  if (model === undefined || modelName(model.model) === modelName(now.model)) return events
  own.replace(model)
  events.push(settings.setModel(model, by === 'client' ? 'client' : 'server'))
  const { thinkingLevel } = model
  if (thinkingLevel !== undefined && thinkingLevel !== now.thinkingLevel)
    events.push(settings.setThinkingLevel(thinkingLevel, 'server'))
  return events
}

function toPhaseModel(found: ProviderModel | AgentEvent): PhaseModel {
  return 'type' in found ? { warning: found } : { model: found }
}

function restore(names: LoggedPhase, scenarios: Scenarios | undefined): Held {
  const scenario = scenarios?.logged
  const phase = scenario?.name === names.scenario ? phaseOf(scenario, names.phase) : undefined
  if (scenario !== undefined && phase !== undefined) return holdPhase({ scenario, phase })
  const { scenario: name, phase: phaseName } = names
  const held = { scenario: name, phase: phaseName }
  return { names: held, active: undefined, rules: { scenario: name, name: phaseName, readOnly: true } }
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
