// Tests that docs/configuration.md covers every setting.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { settingKeys, settingVariables } from '../../lib/store/index.ts'
import { checkSettings } from '../../lib/streams/validation/validators.ts'

const page = readFileSync('docs/configuration.md', 'utf8')
const [, json = ''] = /## settings\.json[^]*?```json\n([^]*?)```/.exec(page) ?? []

/** Their keys are names of the user. */
const free: ReadonlySet<string> = new Set(['models.paths', 'mcpServers'])

function keysOf(value: object, before = ''): string[] {
  return Object.entries(value).flatMap(([name, inner]: [string, unknown]) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner) && !free.has(`${before}${name}`)
      ? keysOf(inner, `${before}${name}.`)
      : [`${before}${name}`],
  )
}

describe('docs/configuration.md', () => {
  it('shows every setting with a valid value', () => {
    const example = JSON.parse(json) as object
    expect(checkSettings(example)).toMatchObject({ ok: true })
    expect(keysOf(example).toSorted()).toEqual(
      settingKeys()
        .map(({ key }) => key)
        .toSorted(),
    )
  })

  it.each(Object.entries(settingVariables))('names %s and its meaning', (variable, key) => {
    const row = page.split('\n').find((line) => line.startsWith('| `RXPI_') && line.includes(`\`${variable}\``))
    expect(row).toContain(`\`${key}\``)
  })
})
