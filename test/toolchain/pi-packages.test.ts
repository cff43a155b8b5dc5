// Checks what the trial of published pi packages sends to tools, and what its table says.
import { expect, test } from 'vitest'
import { packagesSection, verdict } from '../../scripts/pi-extensions/packages/packages-section.ts'
import type { PackageRecord } from '../../scripts/pi-extensions/packages/package-record.ts'
import { sampleArguments } from '../../scripts/pi-extensions/packages/sample-arguments.ts'

const record = (fields: Partial<PackageRecord>): PackageRecord => ({
  ...{ package: 'pi-own', version: '1.0.0', unloaded: [], opening: [], ending: '0' },
  steps: [{ step: 'prompt', effects: ['requests: 1'] }, { step: 'command /go', effects: ['notify: gone'] }], // prettier-ignore
  ...fields,
})

test.each<[string, Partial<PackageRecord>, string]>([
  ['runs', {}, 'runs'],
  ['cannot be installed', { failed: 'no | such\npackage' }, 'does not: no \\| such package'],
  [
    'does not load',
    { opening: ['warning extension_failed: The extension x failed in setup: why'] },
    'does not load: why',
  ],
  ['ends the server', { ending: 'SIGKILL: out of memory' }, 'ended the server: SIGKILL: out of memory'],
  ['shows nothing', { steps: [{ step: 'command /go', effects: [] }] }, 'runs; command /go shows nothing'],
  [
    'hangs',
    { steps: [{ step: 'command /go', effects: [], failed: 'no response' }] },
    'runs; command /go fails: no response',
  ],
  ['lacks a part', { steps: [{ step: 'tool a', effects: ['result of a: createAgentSession of pi-coding-agent of pi is not available in rxpi: x'] }] }, 'runs; lacks createAgentSession, by a named failure'], // prettier-ignore
  ['differs', { opening: ['warning extension: ctx.ui.setTheme of pi differs in rxpi: x', 'notice warning: ctx.ui.setTheme of pi differs in rxpi: x'] }, 'runs; named differences: ctx.ui.setTheme'], // prettier-ignore
  ['brings nothing', { steps: [{ step: 'prompt', effects: ['requests: 1'] }] }, 'brings nothing that a session shows, and says so when it is installed'], // prettier-ignore
])('a package that %s', (_name, fields, expected) => {
  expect(verdict(record(fields))).toBe(expected)
})

test('the table counts tools and commands', () => {
  const steps = ['prompt', 'tool a', 'tool b', 'command /c'].map((step) => ({ step, effects: ['x'] }))
  expect(packagesSection([record({ steps })])).toContain('| pi-own | 1.0.0 | 2 | 1 | runs |')
})

test('arguments are the least that a schema asks for', () => {
  const schema = {
    type: 'object',
    required: ['path', 'kind', 'count', 'all', 'list', 'either', 'nested', 'other'],
    properties: {
      path: { type: 'string' },
      kind: { enum: ['x', 'y'] },
      count: { type: 'integer', minimum: 3 },
      all: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      either: { anyOf: [{ const: 7 }, { type: 'string' }] },
      nested: { type: 'object', properties: { left: { type: 'string' } } },
      other: { type: ['null', 'string'] },
      optional: { type: 'string' },
    },
  }
  expect(sampleArguments(schema)).toEqual({ path: 'notes.txt', kind: 'x', count: 3, all: true, list: ['one'], either: 7, nested: {}, other: null }) // prettier-ignore
})
