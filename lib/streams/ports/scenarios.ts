// The port of scenarios: named phases that restrict calls and instruct the model.
// Guarantees: a phase only restricts; what it leaves open is decided by the policy as without a scenario.
import type { Observable } from 'rxjs'
import type { Capability } from './tool.ts'
import type { CommandProblem } from './prompt-commands.ts'

/** A phase's rules for calls; the policy decides about everything that is left. */
export interface PhaseRules {
  /** Names of the tools that may be called. Default: all. */
  readonly tools?: readonly string[]
  /** Capabilities of the tools that may be called. Default: all. */
  readonly capabilities?: readonly Capability[]
  /** True: calls may only read; a command runs if the policy knows it as read-only. Default false. */
  readonly readOnly?: boolean
}

/** The limits of a run within the phase. */
export interface PhaseStop {
  /** Turns of a run since the phase, or the run, began. */
  readonly turns?: number
  /** Tokens of a run since the phase, or the run, began. */
  readonly tokens?: number
  /** US dollars of a run since the phase, or the run, began. */
  readonly usd?: number
  /** The run ends after a turn that called one of them. */
  readonly tools?: readonly string[]
}

/** `plan_accepted`: a person accepted the plan of `propose_plan`. `tool`: a call of the tool ended. */
export type PhaseTransition =
  | { readonly to: string; readonly on: 'plan_accepted' }
  | {
      readonly to: string
      readonly on: 'tool'
      readonly tool: string
      /** Default `ok`. */
      readonly result?: 'ok' | 'error' | 'any'
      /** A text that the result must contain. Default: any result counts. */
      readonly contains?: string
    }

export interface ScenarioPhase extends PhaseRules {
  readonly name: string
  /** For people. */
  readonly description?: string
  /** Note for the model when the phase begins. */
  readonly prompt?: string
  /** Names of skills that the note asks the model to read. */
  readonly skills?: readonly string[]
  /** The model of the phase, `provider/id`. Default: the model stays. */
  readonly model?: string
  readonly stop?: PhaseStop
  readonly transitions: readonly PhaseTransition[]
}

/** A course of phases, each with its own tools and rules. */
export interface Scenario {
  readonly name: string
  readonly description: string
  readonly source: 'built-in' | 'user' | 'project' | 'package'
  /** Absolute; the file that declares it. */
  readonly path?: string
  /** The name of the first phase. */
  readonly start: string
  /** At least one. */
  readonly phases: readonly ScenarioPhase[]
}

/** A phase of a scenario. */
export interface ActivePhase {
  readonly scenario: Scenario
  readonly phase: ScenarioPhase
}

export interface ScenarioList {
  readonly scenarios: readonly Scenario[]
  /** Files that declare no scenario (`error`), or not quite the one that was meant (`warning`). */
  readonly problems: readonly CommandProblem[]
}

/** The scenarios that a session can enter. */
export interface Scenarios {
  /** Emits once what is declared now. Never fails. */
  list(): Observable<ScenarioList>
  /** The scenario that the log names, if it is still declared. */
  readonly logged?: Scenario | undefined
}

/** The tool by which a model hands over its plan. */
export const planTool = 'propose_plan'

/** True if the phase ends with a plan that a person accepts. */
export function endsWithPlan({ transitions }: ScenarioPhase): boolean {
  return transitions.some(({ on }) => on === 'plan_accepted')
}

/** The phase of this name; undefined without one. */
export function phaseOf({ phases }: Scenario, name: string): ScenarioPhase | undefined {
  return phases.find((phase) => phase.name === name)
}

/**
 * True if the step from one phase to another lets calls do more, or changes the model: it waits for a person if no
 * person asked for it (docs/design/security.md#S1).
 */
export function addsPower(from: ScenarioPhase, to: ScenarioPhase): boolean {
  if (from.readOnly === true && to.readOnly !== true) return true
  if (to.model !== undefined && to.model !== from.model) return true
  return isWider(from.tools, to.tools) || isWider(from.capabilities, to.capabilities)
}

/** Absent: there is no limit. */
function isWider(from: readonly string[] | undefined, to: readonly string[] | undefined): boolean {
  if (from === undefined) return false
  return to === undefined || to.some((each) => !from.includes(each))
}
