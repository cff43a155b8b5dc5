// Tests the section of the prompt that names the skills, and the prompt of one.
import { describe, expect, it } from 'vitest'
import { expandSkill, skillsSection } from '../../../lib/context/skills/skill-texts.ts'

const skill = (name: string, more = {}) => ({
  name,
  description: `Does ${name}.`,
  path: `/s/${name}/SKILL.md`,
  isForModel: true,
  ...more,
})

describe('skillsSection', () => {
  it('is empty without a skill for the model', () => {
    expect(skillsSection([])).toBe('')
    expect(skillsSection([skill('a', { isForModel: false })])).toBe('')
  })

  it('has name, description and path of each, in order [CONTEXT-commands-skills]', () => {
    const [, ...lines] = skillsSection([skill('a'), skill('hidden', { isForModel: false }), skill('b')]).split('\n')
    expect(lines).toEqual(['- a: Does a. (/s/a/SKILL.md)', '- b: Does b. (/s/b/SKILL.md)'])
  })

  it('has a bound, and counts what is left out [CONTEXT-commands-bounds]', () => {
    const many = Array.from({ length: 100 }, (_, index) => skill(`s${index}`, { description: 'x'.repeat(1_024) }))
    const text = skillsSection(many)
    expect(text.length).toBeLessThan(25_000)
    expect(text.slice(-60)).toMatch(/- and 78 more, which only the user can name$/)
  })
})

describe('expandSkill', () => {
  it('has the text, its folder and the arguments', () => {
    expect(expandSkill(skill('a'), '\nDo it.\n', ' now ')).toBe(
      '<skill name="a" path="/s/a/SKILL.md">\nDo it.\n</skill>\nFollow this skill. Paths in it are relative to /s/a.\n\nnow',
    )
  })
})
