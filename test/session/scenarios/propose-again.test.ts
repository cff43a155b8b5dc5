// Tests a plan that was open when the process ended: who sees it again, and what the answer starts.
import { EMPTY, NEVER, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { proposeAgain } from '../../../lib/session/scenarios/propose-again.ts'
import type { SessionScenario } from '../../../lib/session/scenarios/session-scenario.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'
import { messageText } from '../../../lib/streams/messages/message-text.ts'
import { builtInScenarios } from '../../../lib/context/scenarios/built-in-scenarios.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { answer, eventsNamed, older, showing } from '../questions/policy-scene.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'
import { declared, playScenario } from './scenario-scene.ts'

type Act = NonNullable<SessionScene['at']>[number]

const plan = 'Change a, then b.'
const propose = { toolCalls: [{ name: 'propose_plan', arguments: { plan } }] }
const enterPlan: Act = ({ send }) => send({ type: 'set_scenario_phase', scenario: 'plan' })
const prompt: Act = ({ send }) => send({ type: 'prompt', text: 'Plan it' })
const logged = { ...declared(), logged: builtInScenarios[0] }

/** A session whose process ended while the plan was open, or after `at`. */
const ended = (at: SessionScene['at'] = {}, call: object = propose): PlayedSession =>
  playScenario({ script: [call, 'other'], at: { 0: showing, 1: enterPlan, 2: prompt, ...at } })
const reopen = (
  before: PlayedSession,
  at: NonNullable<SessionScene['at']>,
  script: SessionScene['script'] = ['built'],
) => playScenario({ script, log: before, options: { scenarios: logged }, at })
const lastPrompt = (run: PlayedSession): string | undefined =>
  transcript(run.session.state$.value)
    .filter(({ role }) => role === 'user')
    .map(messageText)
    .at(-1)
const accept: Act = (control) => answer(control, { choice: 'accept' })

describe('a plan that was open when the process ended', () => {
  it('is asked again; accepted, a run carries it out [SCENARIO-plan]', () => {
    const run = reopen(ended(), { 0: showing, 5: accept })
    expect(eventsNamed(run, 'question')).toMatchObject([
      { kind: 'plan', text: plan, choices: ['accept', 'reject'], tool: 'propose_plan' },
    ])
    expect(run.session.scenario?.phase).toBe('build')
    expect(lastPrompt(run)).toBe('I accept the plan. Carry it out now.')
    expect(eventsNamed(run, 'agent_end')).toMatchObject([{ terminationReason: 'completed' }])
    expect(eventsNamed(run, 'scenario_change')).toMatchObject([{ to: 'build', by: 'client' }])
  })

  it('counts as the person changed it', () => {
    const run = reopen(ended(), { 0: showing, 5: (control) => answer(control, { choice: 'accept', text: 'Only b.' }) })
    expect(lastPrompt(run)).toBe(
      'I accept the plan. Carry it out now. I changed it; this is the plan that counts:\n\nOnly b.',
    )
  })

  it.each([
    ['And c?', 'I do not accept the plan yet: And c?\n\nChange the plan and propose it again.', 1],
    [undefined, 'Plan it', 0],
  ])('that is rejected with the words %j leads to the prompt %j', (text, expected, requests) => {
    const outcome = { choice: 'reject', ...(text === undefined ? {} : { text }) }
    const run = reopen(ended(), { 0: showing, 5: (control) => answer(control, outcome) })
    expect(lastPrompt(run)).toBe(expected)
    expect(run.requests).toHaveLength(requests)
    expect(run.session.scenario?.phase).toBe('plan')
  })

  it('waits for a client that can answer, and for the next one if that has gone', () => {
    let leave = (): void => undefined
    const come: Act = ({ session }) => {
      const there = session.answeringQuestions$?.subscribe()
      leave = () => there?.unsubscribe()
    }
    const run = reopen(ended(), { 100: come, 200: () => leave(), 90_000: showing, 90_010: accept })
    expect(eventsNamed(run, 'question')).toHaveLength(2)
    expect(run.records.filter(({ event }) => event.type === 'question').map(({ at }) => at)).toEqual([100, 90_000])
    expect(run.session.scenario?.phase).toBe('build')
  })

  it('is a select for a client that knows no `question`', () => {
    const respond: Act = ({ send, session }) => {
      const [request] = session.state$.value.requests
      send({ type: 'ui_response', requestId: request?.requestId ?? '', outcome: request?.options?.[1] })
    }
    const run = reopen(ended(), { 0: older, 5: respond })
    expect(run.session.scenario?.phase).toBe('build')
  })

  it('is taken back by a prompt, another head and another phase', () => {
    for (const act of [
      ({ send }) => send({ type: 'prompt', text: 'Something else' }),
      ({ send }) => send({ type: 'branch_session', entryId: null }),
      ({ send }) => send({ type: 'set_scenario_phase', scenario: null }),
    ] satisfies readonly Act[]) {
      const run = reopen(ended(), { 0: showing, 5: act, 90_000: showing })
      expect(run.session.state$.value.questions).toEqual([])
      expect(eventsNamed(run, 'question')).toHaveLength(1)
      expect(eventsNamed(run, 'question_resolved')).toHaveLength(1)
      expect(eventsNamed(run, 'scenario_change').some(({ to }) => to === 'build')).toBe(false)
    }
  })

  it('is asked once more if it was not answered before the session was closed', () => {
    const before = ended()
    const between = reopen(before, { 0: showing, 5: ({ session }) => session.close().subscribe() })
    expect(between.session.state$.value.questions).toEqual([])
    const run = reopen({ ...before, log: before.reopen() }, { 0: showing })
    expect(eventsNamed(run, 'question')).toHaveLength(1)
  })

  it('is asked again after a shutdown of the server too', () => {
    const before = ended({ 3: ({ session }) => session.stop('server_shutdown') })
    expect(before.session.state$.value.lastEnd?.terminationReason).toBe('server_shutdown')
    expect(eventsNamed(reopen(before, { 0: showing }), 'question')).toHaveLength(1)
  })

  it.each<readonly [string, () => PlayedSession]>([
    ['the person aborted', () => ended({ 3: ({ send }) => send({ type: 'abort' }) })],
    ['the person answered', () => ended({ 3: (control) => answer(control, { choice: 'reject' }) })],
    ['the plan was empty', () => ended({}, { toolCalls: [{ name: 'propose_plan', arguments: { plan: ' ' } }] })],
    ['another tool ran', () => ended({}, { toolCalls: [{ name: 'look' }] })],
  ])('is not asked if %s', (_, before) => {
    const run = reopen(before(), { 0: showing })
    expect(eventsNamed(run, 'question')).toEqual([])
  })

  it('says why if the answer cannot start a run', () => {
    const [scenario] = builtInScenarios
    const [phase] = scenario?.phases ?? []
    const active = scenario && phase && { scenario, phase }
    const warnings: unknown[] = []
    proposeAgain({
      proposed: { plan, toolCallId: 'call' },
      attended$: of(undefined),
      prompt: () => throwError(() => new Failure('no_model', 'There is no model')),
      runId: () => undefined,
      scenario: { current: () => active, findPhase: () => of(active), enter: () => [] } as unknown as SessionScenario,
      requests: {
        form: () => 'question',
        ask: () => NEVER,
        askQuestion: () => of({ outcome: { choice: 'accept' }, by: 'client' }),
      },
      pipeline: { events$: NEVER, write: () => EMPTY },
    }).subscribe((event) => warnings.push(event))
    expect(warnings).toMatchObject([{ code: 'no_model', message: 'No run follows the answer to the plan: There is no model' }]) // prettier-ignore
  })
})
