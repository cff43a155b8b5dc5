// Tests the import table: every forbidden planted import is reported, every allowed one is not.
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

interface Violation {
  readonly from: string
  readonly rule: { readonly name: string }
}

/** [file, its import, the rule that must report it] */
const forbidden = [
  ['lib/streams/a.ts', `import '../operators/room.ts'`, 'streams-imports-another-room'],
  ['lib/streams/b.ts', `import fs from 'node:fs'; fs`, 'streams-touches-node'],
  ['lib/streams/c.ts', `import type { Readable } from 'node:stream'; export type R = Readable`, 'streams-touches-node'],
  ['lib/streams/d.ts', `import diff from 'diff'; diff`, 'streams-imports-a-package'],
  ['lib/streams/e.ts', `import '../../app/room.ts'`, 'streams-imports-another-room'],
  ['lib/operators/a.ts', `import '../host/room.ts'`, 'operators-imports-another-room'],
  ['lib/operators/b.ts', `import Ajv from 'ajv'; Ajv`, 'operators-imports-a-package'],
  ['lib/operators/c.ts', `export const load = () => import('node:timers')`, 'operators-touches-node'],
  ['lib/host/a.ts', `import '../tools/room.ts'`, 'host-imports-another-room'],
  ['lib/providers/a.ts', `import '../tools/room.ts'`, 'providers-imports-another-room'],
  ['lib/tools/a.ts', `import '../store/room.ts'`, 'tools-imports-another-room'],
  ['lib/store/a.ts', `import '../context/room.ts'`, 'store-imports-another-room'],
  ['lib/context/a.ts', `import '../extensions/room.ts'`, 'context-imports-another-room'],
  ['lib/extensions/a.ts', `import '../operators/room.ts'`, 'extensions-imports-another-room'],
  ['lib/mcp/a.ts', `import '../policy/room.ts'`, 'mcp-imports-another-room'],
  ['lib/policy/a.ts', `import '../tools/room.ts'`, 'policy-imports-another-room'],
  ['lib/session/a.ts', `import '../server/room.ts'`, 'session-imports-another-room'],
  ['lib/session/c.ts', `import '../services/room.ts'`, 'session-imports-another-room'],
  ['lib/services/a.ts', `import '../server/room.ts'`, 'services-imports-another-room'],
  ['lib/server/a.ts', `import '../tools/room.ts'`, 'server-imports-another-room'],
  ['lib/testing/a.ts', `import '../session/room.ts'`, 'testing-imports-another-room'],
  ['lib/elsewhere/a.ts', `import '../streams/room.ts'`, 'unknown-room'],
  ['lib/index.ts', `import '../app/room.ts'`, 'library-imports-a-guest'],
  ['app/a.ts', `import '../lib/session/room.ts'`, 'app-only-knocks'],
  ['app/b.ts', `export const load = () => import('../lib/tools/room.ts')`, 'app-only-knocks'],
  ['lib/core.ts', `export * from './session/room.ts'`, 'core-reaches-node'],
  ['lib/core.ts', `export * from './session/room.ts'`, 'core-reaches-a-package'],
  ['lib/client.ts', `export * from './server/room.ts'`, 'client-reaches-node'],
  ['lib/client.ts', `export * from './server/room.ts'`, 'client-reaches-split2'],
  ['lib/session/b.ts', `import OpenAI from 'openai'; OpenAI`, 'sdk-outside-providers'],
  ['lib/services/b.ts', `import { Client } from '@modelcontextprotocol/client'; Client`, 'sdk-outside-mcp'],
  ['lib/server/c.ts', `import { agent } from '@agentclientprotocol/sdk'; agent`, 'acp-outside-its-folder'],
  ['lib/server/b.ts', `import { expect } from 'vitest'; expect`, 'development-package'],
  ['lib/tools/b.ts', `import './c.ts'`, 'cycle'],
  ['lib/store/b.ts', `import './nowhere.ts'`, 'unresolvable'],
] as const

const allowed = [
  ['lib/streams/room.ts', `import 'rxjs'; import '@sinclair/typebox'; import 'ajv/dist/runtime/equal.js'`],
  ['lib/operators/room.ts', `import 'rxjs'; import '../streams/room.ts'`],
  ['lib/host/room.ts', `import 'node:fs'; import '../streams/room.ts'`],
  ['lib/providers/room.ts', `import 'openai'; import '../host/room.ts'; import '../streams/room.ts'`],
  ['lib/tools/room.ts', `import 'diff'; import '../host/room.ts'; import '../streams/room.ts'`],
  ['lib/tools/c.ts', `import './b.ts'`],
  ['lib/store/room.ts', `import '../host/room.ts'`],
  ['lib/policy/room.ts', `import '../host/room.ts'`],
  ['lib/context/room.ts', `import '../host/room.ts'`],
  ['lib/mcp/room.ts', `import '@modelcontextprotocol/client'; import '../host/room.ts'; import '../streams/room.ts'`],
  ['lib/extensions/room.ts', `import '../streams/room.ts'`],
  [
    'lib/session/room.ts',
    `import '../store/room.ts'; import '../tools/room.ts'; import '../operators/room.ts'; import 'diff'`,
  ],
  ['lib/services/room.ts', `import '../session/room.ts'; import '../store/room.ts'; import '../streams/room.ts'`],
  [
    'lib/server/room.ts',
    `import '../services/room.ts'; import '../session/room.ts'; import '../streams/room.ts'; import 'split2'`,
  ],
  ['lib/testing/room.ts', `import '../streams/room.ts'; import '../operators/room.ts'; import '../providers/room.ts'`],
  ['app/room.ts', `import '../lib/server/room.ts'; import '../lib/streams/room.ts'`],
] as const

const house = mkdtempSync(path.join(tmpdir(), 'rxpi-rooms-'))
let violations: readonly Violation[]

beforeAll(async () => {
  for (const file of ['package.json', 'tsconfig.json', '.dependency-cruiser.mjs']) cpSync(file, path.join(house, file))
  symlinkSync(path.resolve('node_modules'), path.join(house, 'node_modules'))
  for (const [file, code] of [...forbidden, ...allowed]) {
    mkdirSync(path.dirname(path.join(house, file)), { recursive: true })
    writeFileSync(path.join(house, file), code)
  }
  violations = await cruise()
}, 60_000)

afterAll(() => rmSync(house, { recursive: true }))

async function cruise(): Promise<readonly Violation[]> {
  const script = path.resolve('node_modules/dependency-cruiser/bin/dependency-cruiser.mjs')
  const flags = ['--config', '.dependency-cruiser.mjs', '--output-type', 'json', 'lib', 'app']
  const { stdout } = await promisify(execFile)(process.execPath, [script, ...flags], { cwd: house, maxBuffer: 2 ** 26 })
  return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations
}

describe('the import table', () => {
  it.each(forbidden)('reports %s: %s', (file, _, rule) => {
    expect(violations.filter(({ from }) => from === file).map(({ rule: { name } }) => name)).toContain(rule)
  })

  it('reports code of the command line that bypasses the commands of the wire [COMMAND-only]', () => {
    const reported = violations
      .filter(({ from }) => from.startsWith('app/'))
      .map(({ from, rule: { name } }) => [from, name])
    expect(reported).toEqual(expect.arrayContaining(['app/a.ts', 'app/b.ts'].map((file) => [file, 'app-only-knocks'])))
  })

  it('has a planted fault for every rule about existing rooms', async () => {
    const { default: config } = (await import(path.resolve('.dependency-cruiser.mjs'))) as {
      default: { forbidden: { name: string }[] }
    }
    const planted = new Set<string>(forbidden.map(([, , rule]) => rule))
    expect(config.forbidden.map(({ name }) => name).filter((name) => !planted.has(name))).toEqual(['ui-outside-app'])
  })

  it.each(allowed.filter(([file]) => file !== 'lib/tools/c.ts'))('allows %s: %s', (file) => {
    expect(violations.filter(({ from }) => from === file)).toEqual([])
  })
})
