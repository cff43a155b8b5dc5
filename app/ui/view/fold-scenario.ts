// Folds a change of the phase: the status row shows it, and a notice says what it means.
import type { EventNamed } from '../../../lib/streams/events/event.ts'
import { addNotice } from './view.ts'
import type { View } from './view.ts'

export function foldScenario(view: View, { scenario: name, phase }: EventNamed<'scenario_change'>): View {
  const { scenario: before, ...left } = view
  if (name === undefined || phase === undefined)
    return before === undefined ? left : addNotice(left, { level: 'info', text: `Left ${phaseWords(before)}` })
  const scenario = { scenario: name, phase }
  return addNotice({ ...left, scenario }, { level: 'info', text: noticeText(scenario) })
}

/** `plan`, or `repair: look` of a scenario with another name. */
export function phaseWords({ scenario, phase }: NonNullable<View['scenario']>): string {
  return scenario === phase ? phase : `${scenario}: ${phase}`
}

function noticeText(scenario: NonNullable<View['scenario']>): string {
  if (isPlanning(scenario)) return 'Planning: nothing is changed until you accept a plan; Shift-Tab or /plan off leaves'
  return `The phase is now ${phaseWords(scenario)}; /scenario off leaves`
}

/** True in the first phase of the built-in scenario. */
export function isPlanning(scenario: View['scenario']): boolean {
  return scenario?.scenario === 'plan' && scenario.phase === 'plan'
}
