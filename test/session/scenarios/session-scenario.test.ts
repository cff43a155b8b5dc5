// Tests the phase of a session: the command, what it refuses, what the model is told, and what a log brings back.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { phaseFinding } from '../../../lib/policy/decide/phase-finding.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { foldSession, emptySession } from '../../../lib/streams/state/fold-session.ts'
import { answer, askVerdict, decisions, eventsNamed, showing } from '../questions/policy-scene.ts'
import { declared, phaseNotesOf, playScenario, scenario } from './scenario-scene.ts'

const enter = (name: string | null, phase?: string) =>
  ({ type: 'set_scenario_phase', scenario: name, ...(phase === undefined ? {} : { phase }) }) as const

describe('set_scenario_phase', () => {
  it('is one event, is in the state, and refuses what the phase forbids [COMMAND-set_scenario_phase, EVENT-scenario]', () => {
    const run = playScenario({
      script: [{ toolCalls: [{ name: 'look' }, { name: 'change' }] }, 'done'],
      at: { 0: ({ send }) => send(enter('plan')), 1: ({ send }) => send({ type: 'prompt', text: 'Hi' }) },
    })
    expect(run.sent[0]?.result).toEqual({ scenario: 'plan', phase: 'plan' })
    expect(eventsNamed(run, 'scenario_change')).toEqual([
      { type: 'scenario_change', to: 'plan', by: 'client', scenario: 'plan', phase: 'plan' },
    ])
    expect(run.session.scenario).toEqual({ scenario: 'plan', phase: 'plan', readOnly: true })
    expect(run.session.state$.value.scenario).toEqual({ scenario: 'plan', phase: 'plan' })
    expect(eventsNamed(run, 'policy_decision').map(({ decision, by }) => [decision, by])).toEqual([
      ['allow', 'mode'],
      ['deny', 'scenario'],
    ])
    const refused = eventsNamed(run, 'tool_execution_end').find(({ isError }) => isError)
    expect(refused).toMatchObject({ toolName: 'change' })
    expect(JSON.stringify(refused?.content)).toContain(
      'change was not run. The phase \\"plan\\" of the scenario \\"plan\\" only reads',
    )
  })

  it('takes effect for a question that is open: its answer does not count in another phase [S5e]', () => {
    const run = playScenario({
      script: [{ toolCalls: [{ name: 'change' }] }, 'done'],
      options: { policy: { decide: (request) => of(phaseFinding(request, {}) ?? askVerdict) } },
      at: {
        0: showing,
        1: ({ send }) => send({ type: 'prompt', text: 'Hi' }),
        2: ({ send }) => send(enter('plan')),
        3: (control) => answer(control, { choice: 'once' }),
      },
    })
    expect(decisions(run)).toEqual(['deny:scenario'])
  })

  it('tells the model by a note, and keeps the system prompt and the sent tools [LOOP-36a]', () => {
    const run = playScenario({
      script: ['one', 'two', 'three', 'four'],
      at: {
        0: ({ send }) => send(enter('plan')),
        1: ({ send }) => send({ type: 'prompt', text: 'a' }),
        2: ({ send }) => send({ type: 'prompt', text: 'b' }),
        3: ({ send }) => send(enter('plan', 'build')),
        4: ({ send }) => send({ type: 'prompt', text: 'c' }),
        5: ({ send }) => send(enter(null)),
        6: ({ send }) => send({ type: 'prompt', text: 'd' }),
      },
    })
    expect(new Set(run.requests.map(({ system }) => system)).size).toBe(1)
    expect(new Set(run.requests.map(({ tools }) => tools.map(({ name }) => name).join())).size).toBe(1)
    expect(phaseNotesOf(run)).toEqual([
      expect.stringMatching(/^The session is now in the phase "plan".*Only reading is allowed[^]*propose_plan/),
      expect.stringMatching(/^The session is now in the phase "build"[^]*Carry out the accepted plan/),
      'The scenario has ended: its phase restricts nothing any more.',
    ])
    expect(run.session.scenario).toBeUndefined()
    expect(eventsNamed(run, 'scenario_change').at(-1)).toEqual({ type: 'scenario_change', from: 'build', to: '', by: 'client' }) // prettier-ignore
  })

  it.each([
    [enter('nothing'), 'bad_request', /no scenario "nothing"; scenarios: work, plan/],
    [enter('paln'), 'bad_request', /no scenario "paln".*plan/],
    [enter('plan', 'biuld'), 'bad_request', /plan has no phase "biuld"\. Did you mean build\?$/],
    [enter('plan', 'x'), 'bad_request', /plan has no phase "x"; phases: plan, build$/],
    [{ type: 'set_scenario_phase', phase: 'build' } as const, 'bad_request', /in no scenario/],
    [enter(null, 'build'), 'bad_request', /belongs to a scenario/],
    [enter('work'), 'bad_request', /cannot find models/],
  ])('refuses %j', (command, code, message) => {
    const scenarios = declared(scenario('work', [{ name: 'a', model: 'no/model' }]))
    const run = playScenario({ script: [], options: { scenarios }, at: { 0: ({ send }) => send(command) } })
    expect(run.sent[0]?.failure).toMatchObject({ code, message: expect.stringMatching(message) as string })
    expect(run.session.scenario).toBeUndefined()
    expect(run.events).toEqual([])
  })

  it('is refused without a policy: nothing would enforce the phase', () => {
    const options = { approve: 'auto' as const, scenarios: declared() }
    const run = playScenario({ script: [], options: { ...options, policy: undefined as never }, at: { 0: ({ send }) => send(enter('plan')) } }) // prettier-ignore
    expect(run.sent[0]?.failure).toBeInstanceOf(Failure)
    expect(run.sent[0]?.failure).toMatchObject({ code: 'bad_request' })
  })

  it('answers a repeated command from the log, and refuses another one of the same name', () => {
    const run = playScenario({
      script: [],
      at: {
        0: ({ send }) => send(enter('plan', 'build'), { opId: 'a' }),
        1: ({ send }) => send(enter('plan', 'build'), { opId: 'a' }),
        2: ({ send }) => send(enter('plan', 'plan'), { opId: 'a' }),
      },
    })
    expect(eventsNamed(run, 'scenario_change')).toHaveLength(1)
    expect(run.sent.map(({ result }) => result)).toEqual([{ scenario: 'plan', phase: 'build' }, { scenario: 'plan', phase: 'build' }, undefined]) // prettier-ignore
    expect(run.sent[2]?.failure).toMatchObject({ code: 'bad_request' })
  })
})

describe('a phase with a stop rule', () => {
  it.each([
    [{ turns: 2 }, 2],
    [{ tools: ['look'] }, 1],
    [{ tokens: 25 }, 3],
  ])('%j ends the run', (stop, turns) => {
    const again = { toolCalls: [{ name: 'look' }], usage: { input: 10 } }
    const scenarios = declared(scenario('work', [{ name: 'a', stop }]))
    const run = playScenario({
      script: [again, again, again, again, again],
      options: { scenarios },
      at: { 0: ({ send }) => send(enter('work')), 1: ({ send }) => send({ type: 'prompt', text: 'Hi' }) },
    })
    expect(run.session.state$.value.lastEnd).toMatchObject({ terminationReason: 'stopped', stopRule: 'phase', totalTurns: turns }) // prettier-ignore
  })
})

describe('a log with a phase', () => {
  const script = [{ toolCalls: [{ name: 'change' }] }, 'done']
  const first = () => playScenario({ script: [], at: { 0: ({ send }) => send(enter('plan')) } })

  it('brings the phase back [LOOP-36a]', () => {
    const { log, ...before } = first()
    const list$ = declared().list()
    let found: ReturnType<typeof declared> = declared()
    list$.subscribe(
      ({ scenarios }) => (found = { ...declared(), logged: scenarios.find(({ name }) => name === 'plan') }),
    )
    const run = playScenario({ script, log: { ...before, log }, prompt: 'Hi', options: { scenarios: found } })
    expect(run.session.scenario).toEqual({ scenario: 'plan', phase: 'plan', readOnly: true })
    expect(eventsNamed(run, 'policy_decision')).toMatchObject([{ decision: 'deny', by: 'scenario' }])
    expect(phaseNotesOf(run)).toHaveLength(1)
  })

  it('lets calls only read if its scenario is not declared any more, until a person chooses [S1h]', () => {
    const run = playScenario({
      script: [...script, ...script],
      log: first(),
      prompt: 'Hi',
      at: { 5: ({ send }) => send(enter(null)), 6: ({ send }) => send({ type: 'prompt', text: 'Again' }) },
    })
    expect(eventsNamed(run, 'policy_decision').map(({ decision, by }) => `${decision}:${by}`)).toEqual(['deny:scenario', 'allow:mode']) // prettier-ignore
  })

  it('of an earlier build, whose change has no names, holds no phase', () => {
    const event = { type: 'scenario_change', from: 'a', to: 'b' } as const
    expect(foldSession(emptySession(), { event, seq: 1, runId: 'r' }).scenario).toBeUndefined()
  })
})
