// Tests prompts that name a scenario: `/plan TEXT` enters the phase, and the log has what was typed.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { PromptCommands } from '../../../lib/streams/ports/prompt-commands.ts'
import { displayText, messageText } from '../../../lib/streams/messages/message-text.ts'
import { transcript } from '../../../lib/streams/state/fold-session.ts'
import { eventsNamed } from '../questions/policy-scene.ts'
import type { PlayedSession, SessionScene } from '../../support/virtual-session.ts'
import { declared, phaseNotesOf, playScenario, scenario } from './scenario-scene.ts'

const work = scenario('repair', [{ name: 'look', readOnly: true }, { name: 'mend' }])
const play = (at: SessionScene['at'], options: SessionScene['options'] = {}): PlayedSession =>
  playScenario({
    script: ['one', 'two', 'three'],
    options: { scenarios: declared(work), ...options },
    ...(at && { at }),
  })
const typed =
  (text: string, more: { readonly expand?: false; readonly whileRunning?: 'steer' } = {}) =>
  ({ send }: Parameters<NonNullable<SessionScene['at']>[number]>[0]) =>
    send({ type: 'prompt', text, ...more })
const prompts = ({ session }: PlayedSession) => transcript(session.state$.value).filter(({ role }) => role === 'user')

describe('a prompt that names a scenario', () => {
  it.each([
    ['/plan fix the login', 'plan', 'plan'],
    ['/repair fix the login', 'repair', 'look'],
    ['/repair:mend fix the login', 'repair', 'mend'],
  ])('%s enters the phase, and the model gets the text [SCENARIO-prompt]', (text, name, phase) => {
    const run = play({ 1: typed(text) })
    expect(run.session.scenario).toMatchObject({ scenario: name, phase })
    expect(prompts(run)).toMatchObject([
      { content: 'fix the login', invocation: { kind: 'scenario', name: text.split(' ')[0]?.slice(1), args: 'fix the login' } }, // prettier-ignore
    ])
    expect(prompts(run).map((message) => [messageText(message), displayText(message)])).toEqual([['fix the login', text]]) // prettier-ignore
    expect(phaseNotesOf(run)).toHaveLength(1)
    expect(run.events.findIndex(({ type }) => type === 'scenario_change')).toBeLessThan(
      run.events.findIndex(({ type }) => type === 'agent_start'),
    )
  })

  it('is one change if the phase holds already', () => {
    const run = play({ 1: typed('/plan a'), 2: typed('/plan b') })
    expect(eventsNamed(run, 'scenario_change')).toHaveLength(1)
    expect(prompts(run).map(displayText)).toEqual(['/plan a', '/plan b'])
  })

  it.each([
    ['/plan', /^\/plan needs a text/],
    ['/plan:biuld x', /has no phase "biuld"/],
    ['/repair:mend x', /lets calls do more than the phase plan; set_scenario_phase enters it/],
  ])('%s is refused while planning, and starts nothing [S1g]', (text, message) => {
    const run = play({ 0: ({ send }) => send({ type: 'set_scenario_phase', scenario: 'plan' }), 1: typed(text) })
    expect(run.sent[1]?.failure).toMatchObject({ code: 'bad_request', message: expect.stringMatching(message) as string }) // prettier-ignore
    expect([run.requests.length, run.session.scenario?.phase]).toEqual([0, 'plan'])
  })

  it('of a phase that is not declared any more is a reading one for this rule', () => {
    const before = play({ 0: ({ send }) => send({ type: 'set_scenario_phase', scenario: 'repair' }) })
    const run = playScenario({ script: ['one'], log: before, at: { 1: typed('/plan:build x'), 2: typed('/plan x') } })
    expect(run.sent.map(({ failure }) => failure === undefined)).toEqual([false, true])
  })

  it.each([
    ['a text with expand: false', typed('/plan a', { expand: false }), {}],
    ['a name that no scenario has', typed('/nothing a'), {}],
    ['a session without scenarios', typed('/plan a'), { scenarios: undefined as never }],
  ])('%s is plain text', (_, act, options) => {
    const run = play({ 1: act }, options)
    expect(prompts(run)).toMatchObject([{ content: expect.stringMatching(/^\//) as string }])
    expect(run.session.scenario).toBeUndefined()
  })

  it('gives way to a command of the name', () => {
    const commands: PromptCommands = {
      list: () => of({ commands: [], problems: [] }),
      expand: () => of({ text: 'mine', invocation: { kind: 'template', name: 'plan' } }),
    }
    const run = play({ 1: typed('/plan a') }, { commands })
    expect(run.session.scenario).toBeUndefined()
    expect(prompts(run)).toMatchObject([{ content: 'mine' }])
  })

  it('enters nothing if a run refuses it; steering is queued with the phase', () => {
    const slow: SessionScene['script'] = [{ text: 'long answer', delayMs: 50 }, 'two', 'three']
    const busy = playScenario({ script: slow, options: { scenarios: declared(work) }, at: { 1: typed('Hi'), 10: typed('/plan a') } }) // prettier-ignore
    expect(busy.sent[1]?.failure).toMatchObject({ code: 'busy' })
    expect(busy.session.scenario).toBeUndefined()
    const steered = playScenario({
      script: slow,
      options: { scenarios: declared(work) },
      at: { 1: typed('Hi'), 10: typed('/plan a', { whileRunning: 'steer' }) },
    })
    expect(steered.session.scenario?.phase).toBe('plan')
    expect(prompts(steered).map(displayText)).toEqual(['Hi', '/plan a'])
  })

  it('enters the phase of a run that is subscribed to', () => {
    const run = play({ 1: ({ session }) => session.run('/plan a').subscribe() })
    expect(run.session.scenario?.phase).toBe('plan')
    expect(prompts(run).map(displayText)).toEqual(['/plan a'])
  })

  it('is answered once for one opId', () => {
    const send =
      (opId: string) =>
      ({ send: run }: Parameters<NonNullable<SessionScene['at']>[number]>[0]) =>
        run({ type: 'prompt', text: '/plan a' }, { opId })
    const run = play({ 1: send('a'), 100: send('a') })
    expect(run.sent.map(({ result }) => result)).toEqual([run.sent[0]?.result, run.sent[0]?.result])
    expect(prompts(run)).toHaveLength(1)
  })
})
