// The settings of one session as modes and configuration options of ACP.
// Guarantees: a change by any client becomes an update.
import type { SessionConfigOption, SessionModeState, SessionUpdate } from '@agentclientprotocol/sdk'
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import type { AgentEvent } from '../../../lib/streams/events/event.ts'
import { thinkingLevels, modelName } from '../../../lib/streams/models/model.ts'
import { approvalModes } from '../../../lib/streams/ports/policy.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

type Status = ResultOf<'get_state'>
type Scenarios = ResultOf<'list_scenarios'>['scenarios']
type Models = ResultOf<'list_models'>['models']

/** A command that a choice needs. */
export type SettingCommand = CommandNamed<
  'set_approval_mode' | 'set_scenario_phase' | 'set_model' | 'set_thinking_level'
>

interface Mode {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly phase?: { readonly scenario: string; readonly phase: string }
}

const approvals: Readonly<Record<(typeof approvalModes)[number], Omit<Mode, 'id'>>> = {
  ask: { name: 'Ask', description: 'Everything but reading asks first' },
  writes: { name: 'Ask before changes', description: 'Changes of files and commands ask first' },
  auto: { name: 'Auto', description: 'Only critical commands and protected files ask' },
}

/** Modes and models of a session; what is beyond is left out. */
const limits = { modes: 60, models: 200 } as const

export interface SettingsSources {
  readonly session: string
  readonly status: Pick<Status, 'model' | 'thinkingLevel' | 'approvalMode' | 'scenario'>
  readonly scenarios: Scenarios
  readonly models: Models
}

export class SessionSettings {
  readonly #session: string
  readonly #modes: readonly Mode[]
  readonly #models: Models
  #model: string | undefined
  #thinking: string
  #approval: string
  #phase: Mode['phase']

  constructor({ session, status, scenarios, models }: SettingsSources) {
    this.#session = session
    this.#modes = [...approvalModes.map((id) => ({ id, ...approvals[id] })), ...phaseModes(scenarios)].slice(
      0,
      limits.modes,
    )
    this.#models = models.slice(0, limits.models)
    this.#model = status.model
    this.#thinking = status.thinkingLevel ?? 'off'
    this.#approval = status.approvalMode ?? 'ask'
    this.#phase = status.scenario
  }

  modes(): SessionModeState {
    const availableModes = this.#modes.map(({ id, name, description }) => ({ id, name, description }))
    return { currentModeId: this.#mode(), availableModes }
  }

  options(): SessionConfigOption[] {
    const modes = this.#modes.map(({ id, name, description }) => ({ value: id, name, description }))
    const names = this.#models.map(({ model }) => modelName(model))
    const known = this.#model === undefined || names.includes(this.#model) ? names : [this.#model, ...names]
    const select = (id: string, name: string, category: string, chosen: Chosen): SessionConfigOption => ({
      ...{ type: 'select', id, name, category, currentValue: chosen.value, options: chosen.options },
    })
    return [
      select('mode', 'Mode', 'mode', { value: this.#mode(), options: modes }),
      ...(this.#model === undefined
        ? []
        : [select('model', 'Model', 'model', { value: this.#model, options: known.map(optionOf) })]),
      select('thinking', 'Thinking', 'thought_level', { value: this.#thinking, options: thinkingLevels.map(optionOf) }),
    ]
  }

  /** Returns the updates that an event makes necessary. */
  take(event: AgentEvent): SessionUpdate[] {
    const before = this.#values()
    this.#apply(event)
    const after = this.#values()
    if (after.join() === before.join()) return []
    const [mode = ''] = after
    const modeUpdate: SessionUpdate[] =
      mode === before[0] ? [] : [{ sessionUpdate: 'current_mode_update', currentModeId: mode }]
    return [...modeUpdate, { sessionUpdate: 'config_option_update', configOptions: this.options() }]
  }

  /** The server has executed a command of this editor; the event may come later. */
  executed(command: SettingCommand): void {
    switch (command.type) {
      case 'set_model':
        this.#model = command.model
        return
      case 'set_thinking_level':
        this.#thinking = command.thinkingLevel
        return
      case 'set_approval_mode':
        this.#approval = command.mode
        return
      case 'set_scenario_phase': {
        const { scenario, phase } = command
        this.#phase = typeof scenario === 'string' && phase !== undefined ? { scenario, phase } : undefined
      }
    }
  }

  /**
   * Returns the commands that a choice needs, in order.
   * @throws Failure `bad_request`
   */
  commandsFor(option: string, value: unknown): SettingCommand[] {
    const session = this.#session
    if (typeof value !== 'string') throw new Failure('bad_request', `The value of ${option} is a text`)
    switch (option) {
      case 'mode':
        return this.#modeCommands(value)
      case 'model':
        return [{ type: 'set_model', session, model: value }]
      case 'thinking': {
        const thinkingLevel = thinkingLevels.find((level) => level === value)
        if (thinkingLevel === undefined) throw unknownValue(option, value, thinkingLevels)
        return [{ type: 'set_thinking_level', session, thinkingLevel }]
      }
      default:
        throw unknownValue('option', option, ['mode', 'model', 'thinking'])
    }
  }

  #modeCommands(value: string): SettingCommand[] {
    const session = this.#session
    const mode = this.#modes.find(({ id }) => id === value)
    if (mode === undefined) throw unknownValue('mode', value, this.#modes.map(({ id }) => id)) // prettier-ignore
    if (mode.phase !== undefined) return [{ type: 'set_scenario_phase', session, ...mode.phase }]
    const approval = approvalModes.find((each) => each === value) ?? 'ask'
    const leave: SettingCommand[] =
      this.#phase === undefined ? [] : [{ type: 'set_scenario_phase', session, scenario: null }]
    return [...leave, { type: 'set_approval_mode', session, mode: approval }]
  }

  #mode(): string {
    return this.#phase === undefined ? this.#approval : phaseId(this.#phase, this.#modes)
  }

  #values(): string[] {
    return [this.#mode(), this.#model ?? '', this.#thinking]
  }

  #apply(event: AgentEvent): void {
    if (event.type === 'model_change') this.#model = event.to
    else if (event.type === 'thinking_level_change') this.#thinking = event.to
    else if (event.type === 'approval_mode_change') this.#approval = event.to
    else if (event.type === 'scenario_change') {
      const { scenario, phase } = event
      this.#phase = scenario === undefined || phase === undefined ? undefined : { scenario, phase }
    }
  }
}

interface Chosen {
  readonly value: string
  readonly options: { value: string; name: string; description?: string }[]
}

function optionOf(value: string): { value: string; name: string } {
  return { value, name: value }
}

/** The first phase has the name of its scenario; a name of an approval mode is never taken. */
function phaseModes(scenarios: Scenarios): Mode[] {
  return scenarios.flatMap(({ name, description, start, phases }) =>
    phases.map((phase): Mode => {
      const isStart = phase.name === start && !approvalModes.some((mode) => mode === name)
      return {
        id: isStart ? name : `${name}:${phase.name}`,
        name: isStart ? name : `${name}: ${phase.name}`,
        description: phase.description ?? description,
        phase: { scenario: name, phase: phase.name },
      }
    }),
  )
}

function phaseId({ scenario, phase }: NonNullable<Mode['phase']>, modes: readonly Mode[]): string {
  const known = modes.find((mode) => mode.phase?.scenario === scenario && mode.phase.phase === phase)
  return known?.id ?? `${scenario}:${phase}`
}

function unknownValue(what: string, value: string, known: readonly string[]): Failure {
  return new Failure(
    'bad_request',
    `There is no ${what} ${JSON.stringify(value.slice(0, 80))}; it is one of ${known.join(', ')}`,
  )
}
