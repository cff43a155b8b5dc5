// Tests steps from phase to phase without a command: accepted plans, results of tools, and who must agree.
// Over 250 lines: each cause of a step, with and without a person.
import { Subscription, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import type { ScenarioPhase } from '../../../lib/streams/ports/scenarios.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { answer, eventsNamed, older, showing } from '../questions/policy-scene.ts'
import type { PlayedSession, SessionControl, SessionScene } from '../../support/virtual-session.ts'
import { declared, phaseNotesOf, playScenario, scenario } from './scenario-scene.ts'

const plan = 'Change a, then b.'
const propose = { toolCalls: [{ name: 'propose_plan', arguments: { plan } }] }
const enterPlan: NonNullable<SessionScene['at']>[number] = ({ send }) =>
  send({ type: 'set_scenario_phase', scenario: 'plan' })
const prompt: NonNullable<SessionScene['at']>[number] = ({ send }) => send({ type: 'prompt', text: 'Plan it' })

/** A client that shows questions, comes and goes. */
function visitor() {
  const visit = new Subscription()
  return {
    arrive: (control: SessionControl) => {
      visit.add(showing(control))
    },
    leave: () => {
      visit.unsubscribe()
    },
  }
}

const resultsOf = (run: PlayedSession): string[] =>
  transcript(run.session.state$.value).flatMap((message) =>
    message.role === 'toolResult' ? [messageText(message)] : [],
  )

describe('a proposed plan', () => {
  const script = [propose, { toolCalls: [{ name: 'change' }] }, 'built']

  it('is shown as a question; accepted, the next phase carries it out in the same run [SCENARIO-plan]', () => {
    const run = playScenario({ script, at: { 0: showing, 1: enterPlan, 2: prompt, 3: (control) => answer(control, { choice: 'accept' }) } }) // prettier-ignore
    expect(eventsNamed(run, 'question')).toMatchObject([{ kind: 'plan', text: plan, choices: ['accept', 'reject'], tool: 'propose_plan' }]) // prettier-ignore
    expect(eventsNamed(run, 'scenario_change').at(-1)).toEqual({ type: 'scenario_change', from: 'plan', to: 'build', by: 'client', scenario: 'plan', phase: 'build' }) // prettier-ignore
    expect(resultsOf(run)).toEqual(['The user accepted the plan. Carry it out now.', 'changed'])
    expect(phaseNotesOf(run).at(-1)).toContain('phase "build"')
    expect(eventsNamed(run, 'agent_end')).toHaveLength(1)
    const question = run.events.findIndex(({ type }) => type === 'question_resolved')
    expect(run.events.findIndex(({ type }, at) => at > question && type === 'scenario_change')).toBeGreaterThan(
      question,
    )
  })

  it('that the person changed counts as changed', () => {
    const run = playScenario({ script, at: { 0: showing, 1: enterPlan, 2: prompt, 3: (control) => answer(control, { choice: 'accept', text: 'Only b.' }) } }) // prettier-ignore
    expect(resultsOf(run)[0]).toBe('The user accepted the plan. Carry it out now. The user changed it; this is the plan that counts:\n\nOnly b.') // prettier-ignore
    expect(run.session.scenario?.phase).toBe('build')
  })

  it('that is rejected with words is planned again; without, the run ends and the phase stays', () => {
    const run = playScenario({
      script: [propose, propose, 'never'],
      at: {
        0: showing,
        1: enterPlan,
        2: prompt,
        3: (control) => answer(control, { choice: 'reject', text: 'And c?' }),
        4: (control) => answer(control, { choice: 'reject' }),
      },
    })
    expect(resultsOf(run)).toEqual([
      'The user did not accept the plan and says: And c?\nChange the plan and propose it again.',
      'The user did not accept the plan, and will say what is missing.',
    ])
    expect(run.requests).toHaveLength(2)
    expect(run.session.scenario?.phase).toBe('plan')
    expect(run.session.state$.value.lastEnd?.terminationReason).toBe('terminated')
  })

  it('is asked as a select of a client that knows no `question`', () => {
    const respond: NonNullable<SessionScene['at']>[number] = ({ send, session }) => {
      const [request] = session.state$.value.requests
      send({ type: 'ui_response', requestId: request?.requestId ?? '', outcome: request?.options?.[1] })
    }
    const run = playScenario({ script, at: { 0: older, 1: enterPlan, 2: prompt, 3: respond } })
    expect(eventsNamed(run, 'ui_request')).toMatchObject([{ kind: 'select', text: plan }])
    expect(run.session.scenario?.phase).toBe('build')
  })

  it('that such a client does not accept changes nothing [S1c]', () => {
    const respond: NonNullable<SessionScene['at']>[number] = ({ send, session }) => {
      const [request] = session.state$.value.requests
      send({ type: 'ui_response', requestId: request?.requestId ?? '', outcome: request?.options?.[0] })
    }
    const run = playScenario({ script, at: { 0: older, 1: enterPlan, 2: prompt, 3: respond } })
    expect(resultsOf(run)[0]).toContain('did not accept the plan')
    expect(run.session.scenario?.phase).toBe('plan')
  })

  it('whose last client leaves is not a plan that a person rejected [S1c]', () => {
    const { arrive, leave } = visitor()
    const run = playScenario({ script, at: { 0: arrive, 1: enterPlan, 2: prompt, 3: leave } })
    expect(resultsOf(run)[0]).toBe('No person can accept the plan now. Give it as your answer, and change nothing.')
    expect(run.session.scenario?.phase).toBe('plan')
  })

  it('changes nothing if nobody can answer [S1g]', () => {
    const run = playScenario({
      script: [propose, { toolCalls: [{ name: 'change' }] }, plan],
      at: { 1: enterPlan, 2: prompt },
    })
    expect(resultsOf(run)[0]).toBe('No person can accept the plan now. Give it as your answer, and change nothing.')
    expect(resultsOf(run)[1]).toContain('only reads')
    expect(run.session.scenario?.phase).toBe('plan')
  })

  it('ends as a question when a person changes the phase meanwhile', () => {
    const run = playScenario({
      script: [propose, 'done'],
      at: {
        0: showing,
        1: enterPlan,
        2: prompt,
        3: ({ send }) => send({ type: 'set_scenario_phase', scenario: null }),
      },
    })
    expect(run.session.state$.value.questions).toEqual([])
    expect(resultsOf(run)[0]).toContain('not in a phase that ends with a plan')
    expect(run.session.scenario).toBeUndefined()
  })

  it('is taken back by an abort', () => {
    const run = playScenario({
      script,
      at: { 0: showing, 1: enterPlan, 2: prompt, 3: ({ send }) => send({ type: 'abort' }) },
    })
    expect(run.session.state$.value.questions).toEqual([])
    expect(run.session.scenario?.phase).toBe('plan')
    expect(run.session.state$.value.lastEnd?.terminationReason).toBe('aborted')
  })

  it('outside of such a phase is no question', () => {
    const run = playScenario({ script: [propose, 'done'], at: { 0: showing, 1: prompt } })
    expect(eventsNamed(run, 'question')).toEqual([])
    expect(resultsOf(run)[0]).toContain('not in a phase that ends with a plan')
  })
})

describe('the result of a tool', () => {
  const check = (result: string) => ({ toolCalls: [{ name: 'check', arguments: { result } }] })
  const steps = (from: Partial<ScenarioPhase>, to: Partial<ScenarioPhase>): ReturnType<typeof declared> =>
    declared(
      scenario('work', [
        {
          name: 'one',
          transitions: [{ to: 'two', on: 'tool', tool: 'check', result: 'error', contains: 'tests' }],
          ...from,
        },
        { name: 'two', ...to },
      ]),
    )
  const play = (
    options: SessionScene['options'],
    at: SessionScene['at'] = {},
    script: SessionScene['script'] = [check('FAIL: tests'), 'done'],
  ) =>
    playScenario({
      script,
      ...(options && { options }),
      at: { 1: ({ send }) => send({ type: 'set_scenario_phase', scenario: 'work' }), 2: prompt, ...at },
    })

  it('enters a phase that lets calls do no more at once, before the next request [SCENARIO-tool]', () => {
    const run = play({ scenarios: steps({}, { readOnly: true }) })
    expect(eventsNamed(run, 'scenario_change').at(-1)).toMatchObject({ from: 'one', to: 'two', by: 'tool' })
    expect(phaseNotesOf(run).at(-1)).toContain('phase "two"')
    expect(eventsNamed(run, 'question')).toEqual([])
  })

  it.each([
    ['another result', check('ok: tests')],
    ['another text', check('FAIL: lint')],
    ['another tool', { toolCalls: [{ name: 'look' }] }],
  ])('%s changes nothing', (_, call) => {
    const run = play({ scenarios: steps({}, { readOnly: true }) }, {}, [call, 'done'])
    expect(run.session.scenario?.phase).toBe('one')
  })

  const widening: readonly (readonly [string, Partial<ScenarioPhase>, Partial<ScenarioPhase>])[] = [
    ['ends reading only', { readOnly: true }, {}],
    ['adds tools', { tools: ['check'] }, { tools: ['check', 'change'] }],
    ['lifts the list of tools', { tools: ['check'] }, {}],
    ['adds capabilities', { capabilities: ['read'] }, { capabilities: ['read', 'write'] }],
    ['changes the model', {}, { model: 'other/model' }],
  ]

  it.each(widening)('that %s waits for a person, and stays without one [S1c]', (_, from, to) => {
    const run = play({ scenarios: steps(from, to) })
    expect(run.session.scenario?.phase).toBe('one')
    expect(eventsNamed(run, 'warning')).toMatchObject([{ code: 'phase_stays', message: expect.stringContaining('no client can answer') as string }]) // prettier-ignore
    expect(run.session.state$.value.lastEnd?.terminationReason).toBe('completed')
  })

  it.each([
    ['enter', 'two', 'client'],
    ['stay', 'one', undefined],
  ] as const)('the answer “%s” leads to phase %s [S1c]', (choice, phase, by) => {
    const scenarios = steps({ readOnly: true }, {})
    const run = play({ scenarios }, { 0: showing, 3: (control) => answer(control, { choice }) })
    expect(eventsNamed(run, 'question')).toMatchObject([{ kind: 'phase', source: 'core', choices: ['stay', 'enter'] }])
    expect(run.requests).toHaveLength(2)
    expect(run.session.scenario?.phase).toBe(phase)
    expect(
      eventsNamed(run, 'scenario_change')
        .slice(1)
        .map((event) => event.by),
    ).toEqual(by === undefined ? [] : [by])
  })

  it.each([
    [true, 'two'],
    [false, 'one'],
  ])('the answer %j of a client that knows no `question` leads to phase %s [S1c]', (outcome, phase) => {
    const respond: NonNullable<SessionScene['at']>[number] = ({ send, session }) =>
      send({ type: 'ui_response', requestId: session.state$.value.requests[0]?.requestId ?? '', outcome })
    const run = play({ scenarios: steps({ readOnly: true }, {}) }, { 0: older, 3: respond })
    expect(eventsNamed(run, 'ui_request')).toMatchObject([{ kind: 'confirm', source: 'core' }])
    expect(run.session.scenario?.phase).toBe(phase)
  })

  it('a client that leaves refuses nothing: the step needs a person [S1c]', () => {
    const { arrive, leave } = visitor()
    const run = play({ scenarios: steps({ readOnly: true }, {}) }, { 0: arrive, 3: leave })
    expect(run.session.scenario?.phase).toBe('one')
    expect(eventsNamed(run, 'warning').map(({ message }) => message)).toEqual([expect.stringContaining('no client can answer')]) // prettier-ignore
  })

  it('waits for the model of the phase before if a person chose another one since [S1c]', () => {
    const script = [check('FAIL: tests'), 'done']
    const model = { ...scriptedModel, id: 'other' }
    const run = playScenario({
      script,
      resolveModel: () => of({ model, provider: scripted(script) }),
      options: { scenarios: steps({ model: 'scripted/other' }, { model: 'scripted/other' }) },
      at: {
        1: ({ send }) => send({ type: 'set_scenario_phase', scenario: 'work' }),
        2: ({ send }) => send({ type: 'set_model', model: { model: scriptedModel, provider: scripted(script) } }),
        3: prompt,
      },
    })
    expect(eventsNamed(run, 'model_change').map(({ to }) => to)).toEqual(['scripted/other', 'scripted/scripted'])
    expect(run.session.scenario?.phase).toBe('one')
    expect(eventsNamed(run, 'warning')).toMatchObject([{ code: 'phase_stays' }])
  })

  it('does not count in another phase that a person chose meanwhile', () => {
    const run = play(
      { scenarios: steps({ readOnly: true }, {}) },
      {
        0: showing,
        3: ({ send }) => send({ type: 'set_scenario_phase', scenario: 'plan' }),
        4: (control) => answer(control, { choice: 'enter' }),
      },
    )
    expect(run.session.scenario).toMatchObject({ scenario: 'plan', phase: 'plan' })
  })
})
