// Tests how a name, a role and the settings become a model with level and fallbacks.
import { describe, expect, it } from 'vitest'
import { namedChoice, openingLevel, roleChoice, splitLevel } from '../../../lib/session/roles/role-choice.ts'
import { Failure } from '../../../lib/streams/values/failure.ts'

describe('splitLevel', () => {
  it.each([
    ['openai/gpt-6-sol:high', { name: 'openai/gpt-6-sol', thinkingLevel: 'high' }],
    ['ollama/qwen3:8b', { name: 'ollama/qwen3:8b' }],
    ['ollama/qwen3:8b:off', { name: 'ollama/qwen3:8b', thinkingLevel: 'off' }],
    ['openrouter/x/y:free', { name: 'openrouter/x/y:free' }],
    ['demo', { name: 'demo' }],
    [':high', { name: ':high' }],
  ])('reads %s', (text, expected) => {
    expect(splitLevel(text)).toEqual(expected)
  })
})

describe('roleChoice', () => {
  const settings = {
    model: 'a/old',
    models: { default: 'a/b:low', smol: ['a/small:off', 'a/other:high', 'b/third'] },
  }
  const scoped = [
    { glob: '**/x', roles: { default: 'a/x' } },
    { glob: 'y', roles: { default: 'a/y', plan: 'a/p' } },
  ]

  it('takes models.default before model, and the last scope before both [CONFIG-roles]', () => {
    expect(roleChoice('default', settings)).toEqual({
      role: 'default',
      name: 'a/b',
      thinkingLevel: 'low',
      setting: 'models.default',
    })
    expect(roleChoice('default', { model: 'a/old' })).toMatchObject({ name: 'a/old', setting: 'model' })
    expect(roleChoice('default', settings, scoped)).toMatchObject({ name: 'a/y', setting: 'models.paths."y".default' })
    expect(roleChoice('plan', settings, scoped)).toMatchObject({ name: 'a/p' })
    expect(roleChoice('vision', settings, scoped)).toBeUndefined()
  })

  it('takes the rest of a list as fallbacks; a single name leaves the usual ones', () => {
    expect(roleChoice('smol', settings)).toMatchObject({ name: 'a/small', thinkingLevel: 'off', fallbacks: ['a/other', 'b/third'] }) // prettier-ignore
    expect(roleChoice('default', settings)).not.toHaveProperty('fallbacks')
  })

  it('says what an undefined role falls to', () => {
    expect(namedChoice('@slow', settings)).toEqual({
      choice: roleChoice('default', settings),
      undefinedRole: 'The role @slow has no model (setting models.slow); a/b is used',
    })
    expect(namedChoice('@slow', {}).undefinedRole).toMatch(/rxpi chooses by itself is used$/)
    expect(namedChoice('a/named', settings)).toEqual({ choice: { name: 'a/named' } })
    expect(namedChoice(undefined, settings).choice).toMatchObject({ name: 'a/b' })
  })

  it('refuses an unknown role with the nearest one', () => {
    expect(() => namedChoice('@smal', settings)).toThrow(Failure)
    expect(() => namedChoice('@smal', settings)).toThrow(/no role "@smal".*smol/)
    expect(() => namedChoice('@', settings)).toThrow(/the roles are @default, @smol/)
  })
})

describe('openingLevel', () => {
  it.each([
    [{ thinkingLevel: 'low', model: '@x' }, 'low'],
    [{ model: '@x' }, 'high'],
    [{}, 'minimal'],
  ] as const)('of %j is %s', (setup, expected) => {
    const levels = { initial: { thinkingLevel: 'minimal' }, found: { thinkingLevel: 'high' }, settings: {} } as const
    expect(openingLevel(setup, levels)).toBe(expected)
  })
})
