// Tests /plan, /scenario and Shift-Tab: what they ask of the server, and what the view and the status row make of it.
import { describe, expect, it } from 'vitest'
import { scenarioPrompt } from '../../../../app/ui/commands/scenario-commands.ts'
import { isPromptCommand, runSlashCommand } from '../../../../app/ui/commands/slash-commands.ts'
import { runAction } from '../../../../app/ui/screen/run-action.ts'
import { statusParts } from '../../../../app/ui/status/status-parts.ts'
import { foldView } from '../../../../app/ui/view/fold-view.ts'
import { emptyView } from '../../../../app/ui/view/view.ts'
import type { View } from '../../../../app/ui/view/view.ts'
import type { EventNamed } from '../../../../lib/streams/events/event.ts'
import { fakeUi } from '../../../support/fake-ui.ts'

const session = { id: 'abcdefghij23', cwd: '/proj', title: '' }
const idle: View = { ...emptyView(), session, connection: 'connected', model: 'p/m' }
const planning: View = { ...idle, scenario: { scenario: 'plan', phase: 'plan' } }
const enter = { type: 'set_scenario_phase', session: session.id, scenario: 'plan' }
const leave = { ...enter, scenario: null }
const screen = { redraw: () => undefined, suspend: () => undefined }

describe('planning in the terminal UI', () => {
  it.each([
    ['plan', '', idle, enter],
    ['plan', '', planning, enter],
    ['plan', 'off', planning, leave],
    ['scenario', 'off', planning, leave],
    ['scenario', 'plan:build', idle, { ...enter, phase: 'build' }],
  ])('/%s %s sends the phase', (name, argument, view, command) => {
    const { ui, requests } = fakeUi({ view })
    expect(runSlashCommand(ui, name, argument)).toBe(true)
    expect(requests).toEqual([command])
  })

  it('Shift-Tab enters the plan, and leaves it', () => {
    for (const [view, command] of [[idle, enter], [planning, leave]] as const) {
      const { ui, requests } = fakeUi({ view })
      runAction(ui, 'togglePlan', screen)
      expect(requests).toEqual([command])
    }
  }) // prettier-ignore

  it('/todo opens the steps of the agent, and /plan with other words is a prompt', () => {
    const { ui, notices } = fakeUi({ view: idle })
    runSlashCommand(ui, 'todo', '')
    expect(notices).toEqual([{ type: 'overlay', overlay: { name: 'plan' } }])
    expect(['the work', 'off', 'on', ''].map((argument) => isPromptCommand('plan', argument))).toEqual([true, false, false, false]) // prettier-ignore
  })

  it.each([
    ['scenario', 'repair the login page', { scenario: 'repair' }, 'the login page'],
    ['scenarios', ' repair:look  the login\npage ', { scenario: 'repair', phase: 'look' }, 'the login\npage'],
    ['scenario', 'off go on', { scenario: null }, 'go on'],
  ])('/%s %j enters the phase, and has a prompt', (name, argument, phase, text) => {
    expect(scenarioPrompt(name, argument)).toEqual({ phase, text })
  })

  it.each([['scenario', 'repair'], ['scenario', ''], ['plan', 'the login page'], ['model', 'a b']])('/%s %j has none', (name, argument) => {
    expect(scenarioPrompt(name, argument)).toBeUndefined()
  }) // prettier-ignore

  it('/scenario lists phases and faults, with a mark at the one that holds', () => {
    const phases = [{ name: 'plan', readOnly: true }, { name: 'build', readOnly: false, model: 'p/m' }] // prettier-ignore
    const found = {
      scenarios: [{ name: 'plan', description: 'first plan', source: 'built-in', start: 'plan', phases }],
      problems: [{ path: '/c/a.yaml', level: 'error', message: 'it has no description' }],
    }
    const { ui, notices } = fakeUi({ view: planning, answers: { list_scenarios: found } })
    runSlashCommand(ui, 'scenario', '')
    expect(JSON.stringify(notices)).toMatch(
      /first plan.*● plan .*reads only.*○ build .*p\/m.*\/c\/a\.yaml: it has no description/,
    )
  })
})

describe('a change of the phase', () => {
  const change = (more: Partial<EventNamed<'scenario_change'>>): EventNamed<'scenario_change'> => ({ type: 'scenario_change', to: '', by: 'client', ...more }) // prettier-ignore
  const fold = (view: View, event: EventNamed<'scenario_change'>): View => foldView(view, { type: 'event', event })
  const row = (view: View): string => statusParts(view, undefined, 80).map(({ text }) => text).join(' · ') // prettier-ignore
  const notices = ({ finished }: View): string => JSON.stringify(finished)

  it('stands first in the status row, with a notice that says how to leave', () => {
    const plan = fold(idle, change({ scenario: 'plan', phase: 'plan', to: 'plan' }))
    expect(row(plan)).toMatch(/^plan · p\/m/)
    expect(notices(plan)).toContain('nothing is changed until you accept a plan; Shift-Tab or /plan off leaves')
    const build = fold(plan, change({ scenario: 'plan', phase: 'build', to: 'build' }))
    expect(row(build)).toMatch(/^plan: build · p\/m/)
    const left = fold(build, change({ from: 'build' }))
    expect(row(left)).toMatch(/^p\/m/)
    expect(notices(left)).toContain('Left plan: build')
  })

  it('shows a hostile name as text', () => {
    expect(row(fold(idle, change({ scenario: 'a\u001b[2J', phase: 'b' })))).toContain('a␛[2J: b')
  })
})
