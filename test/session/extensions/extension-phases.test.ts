// Tests phases of a scenario that an extension asks for: what lets calls do more waits for a person.
import { lastValueFrom } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import type { ExtensionApi } from '../../../lib/extensions/index.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { memoryStore } from '../../../lib/store/index.ts'
import type { Failure } from '../../../lib/streams/values/failure.ts'
import { declared, phasePolicy, scenario } from '../scenarios/scenario-scene.ts'
import { closeOpened, extension, named, open } from './extension-scene.ts'

afterEach(closeOpened)

const work = scenario('work', [
  { name: 'look', readOnly: true },
  { name: 'look_less', readOnly: true, tools: ['read'] },
  { name: 'build' },
  { name: 'dear', readOnly: true, model: 'demo/guide' },
])
type Change = Omit<Extract<Parameters<ExtensionApi['session']['send']>[0], { type: 'set_scenario_phase' }>, 'type'>

/** A session with an extension that changes the phase. */
function attempt(more: CreateSessionOptions = {}, capabilities: readonly 'session'[] = ['session']) {
  let api: ExtensionApi | undefined
  const setup = (own: ExtensionApi) => void (api = own)
  const opened = open([extension(setup, { capabilities })], [], {
    policy: phasePolicy,
    scenarios: declared(work),
    ...more,
  })
  const { session } = opened
  const results: unknown[] = []
  const change = (fields: Change, isSubscribed = true) => {
    const sent$ = api?.session.send({ type: 'set_scenario_phase', ...fields })
    const observer = { next: (result: object) => results.push(result), error: (failure: Failure) => results.push([failure.code, failure.message]) } // prettier-ignore
    if (isSubscribed) sent$?.subscribe(observer)
  }
  const person = (scenarioName: string | null, phase?: string) =>
    void session
      .send({ type: 'set_scenario_phase', scenario: scenarioName, ...(phase === undefined ? {} : { phase }) })
      .subscribe()
  const show = () => session.answeringQuestions$?.subscribe()
  const questions = () => session.state$.value.questions
  const answer = (choice: string) => {
    const [question] = questions()
    session.send({ type: 'ui_response', requestId: question?.requestId ?? '', outcome: { choice } }).subscribe()
  }
  const steps = () => named(opened, 'scenario_change').map(({ from = '', to, by }) => `${from}>${to} by ${by ?? ''}`)
  return { ...opened, results, change, person, show, questions, answer, steps }
}

/** Finding a model takes time. */
const within = { timeout: 10_000 }

describe('a phase that an extension asks for', () => {
  it('is entered at once if it lets calls do no more, in the call itself [LOOP-36b]', () => {
    const { change, steps, results, questions } = attempt()
    change({ scenario: 'work' }, false)
    change({ scenario: 'work', phase: 'look_less' })
    expect(steps()).toEqual(['>look by extension', 'look>look_less by extension'])
    expect([results, questions()]).toEqual([[{ scenario: 'work', phase: 'look_less' }], []])
  })

  it.each<[string, Change]>([
    ['more', { scenario: 'work', phase: 'build' }],
    ['everything, because the scenario ends', { scenario: null }],
    ['as much with another model', { scenario: 'work', phase: 'dear' }],
  ])('waits for a person if it lets calls do %s [S1c, LOOP-36b]', async (_, fields) => {
    const yes = attempt()
    yes.person('work', 'look')
    yes.show()
    yes.change(fields)
    await expect.poll(yes.questions, within).toMatchObject([{ kind: 'phase', source: 'core' }])
    expect(yes.questions()[0]?.text).toMatch(
      /^May the extension probe (?:go to work:\w+|leave the scenario) \(now in look\)\?$/,
    )
    expect([yes.steps(), yes.results]).toEqual([['>look by client'], []])
    yes.answer('enter')
    await expect.poll(() => yes.results, within).toHaveLength(1)
    expect(yes.steps()).toEqual(['>look by client', `look>${fields.phase ?? ''} by client`])
    expect(yes.results).toEqual([fields.scenario === null ? {} : fields])

    const no = attempt()
    no.person('work', 'look')
    no.show()
    no.change(fields)
    await expect.poll(no.questions, within).toHaveLength(1)
    no.answer('stay')
    expect(no.steps()).toEqual(['>look by client'])
    expect(no.results).toEqual([['not_allowed', expect.stringContaining('a person refused it')]])
  })

  it('waits for a person outside of scenarios too, if the model changes [S1c]', async () => {
    const { change, results } = attempt()
    change({ scenario: 'work', phase: 'dear' })
    await expect.poll(() => results, within).toEqual([['not_allowed', expect.stringContaining('no client can answer')]])
  })

  it('waits for a person if the present phase is not declared any more [S1h]', async () => {
    const store = memoryStore()
    const before = attempt({ store })
    before.person('work', 'look')
    await lastValueFrom(before.session.close(), { defaultValue: undefined })
    const { change, results, session } = attempt({ store, sessionId: before.session.id, scenarios: declared() })
    expect(session.state$.value.scenario).toMatchObject({ scenario: 'work', phase: 'look' })
    change({ scenario: null })
    expect(results).toEqual([['not_allowed', expect.stringContaining('no client can answer')]])
  })

  it('is refused without a person who can answer, if it lets calls do more [S1c, LOOP-36b]', () => {
    const { person, change, results, steps } = attempt()
    person('work', 'look')
    change({ scenario: null })
    expect(results).toEqual([['not_allowed', expect.stringContaining('no client can answer')]])
    expect(steps()).toEqual(['>look by client'])
  })

  it('is not entered if the phase changed before the answer [S1c]', () => {
    const { person, show, change, answer, results, steps } = attempt()
    person('work', 'look_less')
    show()
    change({ scenario: 'work', phase: 'build' })
    person('work', 'look')
    answer('enter')
    expect(steps()).toEqual(['>look_less by client', 'look_less>look by client'])
    expect(results).toEqual([['bad_request', expect.stringContaining('ask again')]])
  })

  it('is not asked about any more when the extension has ended', async () => {
    const { session, person, show, change, questions, steps } = attempt()
    person('work', 'look')
    show()
    change({ scenario: null }, false)
    expect(questions()).toHaveLength(1)
    session.reload?.().subscribe()
    await expect.poll(questions, within).toEqual([])
    expect(steps()).toEqual(['>look by client'])
  })

  it.each<[string, Change, RegExp]>([
    ['a scenario that is not there', { scenario: 'wrok' }, /Did you mean work/],
    ['a phase that is not there', { scenario: 'work', phase: 'test' }, /has no phase "test"/],
    ['a phase without a scenario', { scenario: null, phase: 'look' }, /name both, or none/],
  ])('is refused for %s', (_, fields, message) => {
    const { change, results, steps } = attempt()
    change(fields)
    expect([results, steps()]).toEqual([[['bad_request', expect.stringMatching(message)]], []])
  })

  it('needs the capability session', () => {
    const { change, results, steps } = attempt({}, [])
    change({ scenario: 'work' })
    expect([results, steps()]).toEqual([
      [['bad_request', expect.stringContaining('does not name the capability session')]],
      [],
    ])
  })
})
