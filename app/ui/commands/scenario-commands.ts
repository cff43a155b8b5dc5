// Slash commands that enter and leave the phases of a scenario: /plan and /scenario.
import type { CommandNamed, ResultOf } from '../../../lib/streams/commands/command.ts'
import type { Ui } from '../contract/ui.ts'
import { span, spanLines } from '../text/span.ts'
import type { Line } from '../text/span.ts'
import { isPlanning } from '../view/fold-scenario.ts'
import { askServer, withSession } from './ask-server.ts'
import type { SlashCommand } from './slash-command.ts'

export const scenarioCommands: readonly SlashCommand[] = [
  {
    name: 'plan',
    description: 'plan without changing anything; off ends it',
    argument: '[off|prompt]',
    isPrompt: (argument) => !['', 'on', 'off'].includes(argument),
    run: (ui, argument) => {
      setPlanning(ui, argument !== 'off')
    },
  },
  {
    name: 'scenario',
    aliases: ['scenarios'],
    description: 'work in the phases of a scenario, or list them; off leaves',
    argument: '[name[:phase] [prompt]|off]',
    run: (ui, argument) => {
      withSession(ui, (session) => {
        if (argument === '') showScenarios(ui, session)
        else askServer(ui, { type: 'set_scenario_phase', session, ...namedPhase(argument) })
      })
    },
  },
]

type NamedPhase = Pick<CommandNamed<'set_scenario_phase'>, 'scenario' | 'phase'>

function namedPhase(name: string): NamedPhase {
  const [scenario = '', phase] = name.split(':', 2)
  return { scenario: name === 'off' ? null : scenario, ...(phase === undefined ? {} : { phase }) }
}

/** The phase and the prompt of `/scenario NAME TEXT`; undefined for other commands. */
export function scenarioPrompt(
  command: string,
  argument: string,
): { readonly phase: NamedPhase; readonly text: string } | undefined {
  const isScenario = scenarioCommands.some(
    ({ name, aliases }) => name === 'scenario' && [name, ...(aliases ?? [])].includes(command),
  )
  const [, name, text] = /^(\S+)\s+(\S[^]*)$/.exec(argument.trim()) ?? []
  return isScenario && name !== undefined && text !== undefined ? { phase: namedPhase(name), text } : undefined
}

/** Enters the plan, or leaves it if it is on. */
export function togglePlan(ui: Ui): void {
  setPlanning(ui, !isPlanning(ui.now().scenario))
}

function setPlanning(ui: Ui, isOn: boolean): void {
  withSession(ui, (session) => {
    askServer(ui, { type: 'set_scenario_phase', session, scenario: isOn ? 'plan' : null })
  })
}

function showScenarios(ui: Ui, session: string): void {
  askServer(ui, { type: 'list_scenarios', session }, (found) => {
    const lines = scenarioLines(found, ui.now().scenario)
    ui.input({ type: 'overlay', overlay: { name: 'page', title: 'Scenarios; /scenario NAME enters one', lines } })
  })
}

function scenarioLines(
  { scenarios, problems }: ResultOf<'list_scenarios'>,
  active: ReturnType<Ui['now']>['scenario'],
): readonly Line[] {
  const listed = scenarios.flatMap(({ name, description, source, phases }) => [
    [span(name, 'strong'), span(` ${description}`), span(` · ${source}`, 'dim')],
    ...phases.map((phase) => {
      const isActive = active?.scenario === name && active.phase === phase.name
      const about = [phase.readOnly ? 'reads only' : '', phase.model ?? '', phase.description ?? '']
      const words = about.filter((part) => part !== '').join(' · ')
      return [span(`  ${isActive ? '●' : '○'} ${phase.name} `, isActive ? 'accent' : 'plain'), span(words, 'dim')]
    }),
  ])
  const faults = problems.flatMap(({ path, level, message }) =>
    spanLines(`${path}: ${message}`, level === 'error' ? 'danger' : 'warning'),
  )
  return [...listed, ...faults]
}
