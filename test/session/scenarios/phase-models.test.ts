// Tests the model of phases that have a role: of planning, by name, and without a model.
import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { scripted, scriptedModel } from '../../../lib/providers/offline/scripted.ts'
import { sessionRoles } from '../../../lib/session/roles/session-roles.ts'
import { phaseModels } from '../../../lib/session/scenarios/phase-models.ts'
import type { ModelSettings } from '../../../lib/streams/config/model-roles.ts'
import { modelName } from '../../../lib/streams/models/model.ts'
import type { ProviderModel } from '../../../lib/streams/ports/provider.ts'
import type { ScenarioPhase } from '../../../lib/streams/ports/scenarios.ts'
import { resultOf } from '../../support/result-of.ts'
import type { SessionScene } from '../../support/virtual-session.ts'
import { eventsNamed } from '../questions/policy-scene.ts'
import { declared, playScenario, scenario } from './scenario-scene.ts'

const found = (name: string): ProviderModel => ({
  model: { ...scriptedModel, id: name.replace('scripted/', '') },
  provider: scripted(['done', 'done']),
})
const rolesOf = (models: ModelSettings | undefined) =>
  sessionRoles({ settings: models === undefined ? {} : { models }, cwd: '/x', find: ({ name }) => of(found(name)) })
const planning: ScenarioPhase = { name: 'plan', transitions: [{ to: 'build', on: 'plan_accepted' }] }

describe('phaseModels', () => {
  it.each<readonly [string, Partial<ScenarioPhase>, ModelSettings | undefined, string | undefined, string | undefined]>(
    [
      ['a phase that plans', planning, { plan: 'scripted/p' }, 'scripted/p', undefined],
      [
        'a phase that plans with a model',
        { ...planning, model: 'scripted/m' },
        { plan: 'scripted/p' },
        'scripted/m',
        undefined,
      ],
      ['a phase that plans, without the role', planning, { smol: 'scripted/s' }, undefined, undefined],
      ['a phase that plans, without settings', planning, undefined, undefined, undefined],
      ['a phase with a role', { model: '@smol' }, { smol: 'scripted/s' }, 'scripted/s', undefined],
      ['a phase with a role without a model', { model: '@slow' }, { smol: 'scripted/s' }, undefined, 'role_undefined'],
      ['another phase', {}, { plan: 'scripted/p' }, undefined, undefined],
    ],
  )('%s [CONFIG-role_of_phases]', async (_, phase, models, name, code) => {
    const whole = { name: 'x', transitions: [], ...phase }
    const phases = phaseModels({ roles: rolesOf(models), own$: of({}), findModel: (each) => of(found(each)) })
    const { model, warning } = await resultOf(phases.find(whole))
    expect([model && modelName(model.model), phases.nameOf(whole)]).toEqual([name, name])
    expect(warning === undefined || !('code' in warning) ? undefined : warning.code).toBe(code)
  })
})

describe('a session', () => {
  const enter = (name: string | null, phase?: string) =>
    ({ type: 'set_scenario_phase', scenario: name, ...(phase === undefined ? {} : { phase }) }) as const
  const work = scenario('work', [planning, { name: 'build' }])
  const scene = (models: ModelSettings): SessionScene => ({
    script: [],
    roles: rolesOf(models),
    resolveModel: (name) => of(found(name)),
    options: { scenarios: { ...declared(work), logged: work } },
  })

  it('plans with the model and the level of the role, and has its own again, also when it is reopened [CONFIG-role_of_phases]', () => {
    const models = { plan: 'scripted/deep:high' }
    const run = playScenario({ ...scene(models), at: { 1: ({ send }) => send(enter('work')) } })
    expect([run.session.model.id, run.session.thinkingLevel]).toEqual(['deep', 'high'])
    expect(eventsNamed(run, 'scenario_change')).toMatchObject([
      { ownModel: 'scripted/scripted', ownThinkingLevel: 'off' },
    ])
    const reopened = playScenario({
      ...scene(models),
      log: run,
      model: run.session.model,
      at: { 1: ({ send }) => send(enter('work', 'build')) },
    })
    expect([reopened.session.model.id, reopened.session.thinkingLevel]).toEqual(['scripted', 'off'])
  })
})
