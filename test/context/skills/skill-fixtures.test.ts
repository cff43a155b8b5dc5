// Tests the diagnostics on a set of valid and invalid SKILL.md files of another agent.
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPromptCommands } from '../../../lib/context/commands/create-prompt-commands.ts'
import { resultOf } from '../../support/result-of.ts'

const fixtures = process.env['RXPI_FIXTURES']

describe('SKILL.md files of another agent', () => {
  if (fixtures === undefined) {
    it.skip('are not here: RXPI_FIXTURES does not name their folder')
    return
  }
  const load = async (...names: readonly string[]) => {
    const roots = names.map((name) => path.join(fixtures, 'skills', name))
    const skills = roots.map((folder) => ({ folder, source: 'user' as const }))
    const { commands, problems } = await resultOf(createPromptCommands({ skills, templates: [] }).list())
    const [root = ''] = roots
    return {
      names: commands.filter(({ kind }) => kind === 'skill').map(({ name }) => name.slice('skill:'.length)),
      problems: problems.map(({ path: file, level, message }) => [path.relative(root, file), level, message]),
    }
  }

  it('are loaded if a model can work with them, each with what is wrong', async () => {
    const { names, problems } = await load('skills')
    expect(names).toEqual([
      'Invalid_Name',
      'bad--name',
      'child-skill',
      'different-name',
      'disable-model-invocation',
      'multiline-description',
      'root-skill-preferred',
      'this-is-a-very-long-skill-name-that-exceeds-the-sixty-four-character-limit-set-by-the-standard',
      'unknown-field',
      'valid-skill',
    ])
    expect(problems).toMatchInlineSnapshot(`
      [
        [
          "consecutive-hyphens/SKILL.md",
          "warning",
          "its name bad--name begins or ends with a hyphen, or has two in a row",
        ],
        [
          "consecutive-hyphens/SKILL.md",
          "warning",
          "its name bad--name is not that of its folder, consecutive-hyphens",
        ],
        [
          "invalid-name-chars/SKILL.md",
          "warning",
          "its name Invalid_Name has other characters than a-z, 0-9 and hyphens",
        ],
        [
          "invalid-name-chars/SKILL.md",
          "warning",
          "its name Invalid_Name is not that of its folder, invalid-name-chars",
        ],
        [
          "invalid-yaml/SKILL.md",
          "error",
          "its frontmatter is not valid YAML near line 4 of the file: deficient indentation",
        ],
        [
          "long-name/SKILL.md",
          "warning",
          "its name has 94 characters; the standard allows 64",
        ],
        [
          "long-name/SKILL.md",
          "warning",
          "its name this-is-a-very-long-skill-name-that-exceeds-the-sixty-four-character-limit-set-by-the-standard is not that of its folder, long-name",
        ],
        [
          "missing-description/SKILL.md",
          "error",
          "it has no description; begin it with ---, name: … and description: …",
        ],
        [
          "name-mismatch/SKILL.md",
          "warning",
          "its name different-name is not that of its folder, name-mismatch",
        ],
        [
          "no-frontmatter/SKILL.md",
          "error",
          "it has no description; begin it with ---, name: … and description: …",
        ],
        [
          "root-skill-preferred/SKILL.md",
          "warning",
          "it has no name; the name of its folder is used: root-skill-preferred",
        ],
        [
          "unknown-field/SKILL.md",
          "warning",
          "author, version: no field of the standard; own fields belong below metadata",
        ],
      ]
    `)
  })

  it('that clash are named with both files', async () => {
    const { names, problems } = await load('skills-collision')
    expect(names).toEqual(['calendar'])
    expect(problems).toEqual([
      ['second/calendar/SKILL.md', 'error', expect.stringMatching(/calendar is taken by .*first\/calendar\/SKILL\.md/)],
    ])
  })
})
