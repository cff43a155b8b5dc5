// Tests that all public names exist: exports, flags, settings, exit codes, protocol schemas.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storedFile } from '../../scripts/compat/fixture-files.ts'
import type { Workspace } from '../../scripts/compat/harness/place.ts'
import type { Surface } from '../../scripts/compat/surface.ts'
import { schemaChanges, surfaceOf } from '../../scripts/compat/surface.ts'
import { buildLimitMs, ensureBuilt, fixtures, recordedWorkspace, root } from './recorded-place.ts'

const then = JSON.parse(storedFile(path.join(fixtures, 'surface.json')).toString()) as Surface
let workspace: Workspace
let now: Surface

beforeAll(ensureBuilt, buildLimitMs)
beforeAll(async () => {
  workspace = recordedWorkspace()
  now = await surfaceOf(workspace, root)
})

afterAll(() => workspace[Symbol.dispose]())

/** `model` of an opened session is null without a usable model (docs/decisions/0210). */
const intended = [
  '/$defs/AssistantDelta/oneOf: gained members', // `warning`, which clients of before skip (docs/decisions/0219)
  ...['new_session', 'open_session'].map((name) => `/$defs/result_${name}/properties/model/$ref is gone`),
  '/$defs/result_prompt/properties/status/enum: gained members', // `handled`, of an extension's command (docs/decisions/0550)
  '/$defs/result_list_tools/properties/tools/items/properties/capability/enum: gained members', // a text to show
  // the layer of a value, a text to show (docs/decisions/README.md, folder trust)
  ...['list/properties/settings/items', 'get/properties/setting', 'set/properties/setting'].map(
    (name) => `/$defs/result_config_${name}/properties/from/enum: gained members`,
  ),
  '/$defs/result_replay_session/properties/model/$ref is gone',
]

type Names = Readonly<Record<string, readonly string[]>>

const lost = (before: Names, after: Names): string[] =>
  Object.entries(before).flatMap(([group, names]) =>
    names.filter((name) => after[group]?.includes(name) !== true).map((name) => `${group} ${name}`),
  )

describe('compared with the recorded build', () => {
  it('the package exports every name, values and types', () => {
    expect(Object.keys(then.exports)).toHaveLength(9)
    expect(lost(then.exports, now.exports)).toEqual([])
  })

  it('the page of each entry in docs/api has its names, and no other', () => {
    for (const [entry, names] of Object.entries(now.exports)) {
      const page = readFileSync(path.join(root, 'docs/api', `rxpi${entry.slice(1).replace('/', '-')}.md`), 'utf8')
      const [, also = ''] = /^It also exports:\n\n(.*?)\n\n/ms.exec(page) ?? []
      const described = Array.from(page.matchAll(/^## (.+)$/gm), ([, name]) => name)
      const linked = Array.from(also.replaceAll(/\[.*?\]/g, '').matchAll(/`(\w+)`/g), ([, name]) => name)
      const exported = names.map((name) => name.replace(/^type /, ''))
      expect([...described, ...linked].toSorted(), entry).toEqual([...new Set(exported)].toSorted())
    }
  })

  it('every command has its flags, variables and actions', () => {
    expect(lost(then.flags, now.flags)).toEqual([])
    expect(lost(then.actions, now.actions)).toEqual([])
  })

  it('every setting has its key, its values and its variable', () => {
    const listed = then.settings.map((setting): unknown => expect.objectContaining(Object(setting) as object))
    expect(now.settings).toEqual(expect.arrayContaining(listed))
  })

  it('exit codes mean the same', () => {
    expect(now.exitCodes).toEqual(then.exitCodes)
    expect(Object.keys(then.failures)).toHaveLength(21)
    expect(now.failures).toMatchObject(then.failures)
  })

  it('the protocol has every command, frame, event and field, with the same values', () => {
    expect(schemaChanges(then.protocol, now.protocol)).toEqual(intended)
  })
})

describe('schemaChanges', () => {
  const field = { type: 'string', enum: ['a'] }
  const schema = {
    $defs: { command: { properties: { field }, required: ['field'] } },
    anyOf: [{ $ref: '#/$defs/command' }],
  }
  const command = schema.$defs.command

  it.each([
    ['a lost field', { ...schema, $defs: { command: { ...command, properties: {} } } }],
    [
      'a new enum value',
      { ...schema, $defs: { command: { ...command, properties: { field: { ...field, enum: ['a', 'b'] } } } } },
    ],
    ['a new required field', { ...schema, $defs: { command: { ...command, required: ['field', 'other'] } } }],
    [
      'another type',
      { ...schema, $defs: { command: { ...command, properties: { field: { ...field, type: 'number' } } } } },
    ],
    ['a lost command', { ...schema, anyOf: [] }],
  ])('reports %s', (_, changed) => {
    expect(schemaChanges(schema, changed)).toHaveLength(1)
  })

  it('allows new commands, definitions and optional fields', () => {
    const more = {
      $defs: { ...schema.$defs, command: { ...command, properties: { field, other: field } }, more: {} },
      anyOf: [...schema.anyOf, { $ref: '#/$defs/more' }],
    }
    expect(schemaChanges(schema, more)).toEqual([])
  })
})
