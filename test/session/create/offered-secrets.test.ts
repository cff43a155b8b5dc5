// Tests that outputs hide the secrets of the providers that extensions offer.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { NEVER } from 'rxjs'
import { expect, it, onTestFinished } from 'vitest'
import { defineExtension } from '../../../lib/extensions/index.ts'
import { untilSettled } from '../../../lib/operators/events/select-events.ts'
import { scripted, scriptedModel } from '../../../lib/providers/index.ts'
import { createSession } from '../../../lib/session/create/create-session.ts'
import { offeredSecrets } from '../../../lib/session/create/offered-secrets.ts'
import type { OfferedProviders } from '../../../lib/session/create/offered-secrets.ts'
import { sessionSecrets } from '../../../lib/session/create/session-secrets.ts'
import type { ModelsProvider } from '../../../lib/streams/config/settings.ts'
import { resultOf } from '../../support/result-of.ts'
import { valuesOf } from '../../support/values-of.ts'

const address = { api: 'openai-completions', baseUrl: 'http://127.0.0.1:1/v1?key=planted-query-01' } as const
const env = { ACME: 'planted-variable-01', TEAM_PASS: 'planted-header-01' }
const acme: ModelsProvider = {
  ...address,
  apiKey: ['$ACME', 'planted-literal-01'],
  headers: { 'x-acme-token': 'planted-token-01', authorization: 'Bearer $TEAM_PASS', 'x-team': 'planted-team' },
}

/** What an extension offers under a name. */
function offer(name: string, entry: ModelsProvider): ReturnType<OfferedProviders>[number] {
  return { owner: 'sample', value: { name, entry }, priority: 0, end$: NEVER }
}

it('hides keys, headers and the query of an address, from when the provider is offered', () => {
  let offered: ReturnType<OfferedProviders> = []
  const { secrets } = sessionSecrets({ env, settings: {}, models: { providers: {} }, offered: () => offered })
  const printed =
    'planted-variable-01 planted-literal-01 planted-token-01 planted-header-01 planted-query-01 planted-team'
  const shown = (): string => secrets?.begin().text(printed) ?? ''
  expect(shown()).toBe(printed.replace('planted-header-01', '[redacted:TEAM_PASS]')) // its name is enough
  offered = [offer('acme', acme)]
  const hidden =
    '[redacted:ACME] [redacted:key of acme] [redacted:header of acme] [redacted:TEAM_PASS] [redacted:address of acme] planted-team'
  expect(shown()).toBe(hidden)
  offered = [offer('other', { api: address.api, baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'planted-other-01' })]
  expect(shown()).toBe(hidden) // a command of a person may still print the key of an extension that was unloaded
  expect(secrets?.begin().text('planted-other-01')).toBe('[redacted:key of other]')
})

it('keeps the last thousand secrets of providers that are gone', () => {
  let offered: ReturnType<OfferedProviders> = []
  const list = offeredSecrets(() => offered, {})
  for (let number = 0; number <= 1_001; number += 1) {
    offered = [offer('acme', { api: address.api, apiKey: `planted-key-${number}` })]
    list()
  }
  const keys = list().map(([, value]) => value)
  expect([keys.length, keys[0], keys.at(-1)]).toEqual([1_001, 'planted-key-1', 'planted-key-1001'])
  expect(list()).toBe(list())
})

it('hides them in the output of a session’s command', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-offered-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const offering = defineExtension({
    name: 'sample',
    version: '1.0.0',
    capabilities: ['http'],
    setup: ({ models }) => {
      models.provider('acme', { ...acme, models: [{ id: 'fast' }] })
    },
  })
  const command = 'echo planted-token-01 planted-variable-01'
  const provider = scripted([{ toolCalls: [{ name: 'bash', arguments: { command: `${command}; echo end` } }] }, 'done'])
  const session = createSession({
    ...{ model: { model: scriptedModel, provider }, cwd: folder, approve: 'auto', tools: ['bash'] },
    env: { ...env, HOME: folder, RXPI_HOME: folder, PATH: process.env['PATH'] ?? '' },
    extensions: [offering],
  })
  const settled = valuesOf(session.events$.pipe(untilSettled()))
  await resultOf(session.send({ type: 'prompt', text: 'Go' }))
  const results = (await settled).filter(({ type }) => type === 'tool_execution_end')
  await valuesOf(session.close())
  expect(JSON.stringify(results)).toContain(String.raw`[redacted:header of acme] [redacted:ACME]\nend`)
})
