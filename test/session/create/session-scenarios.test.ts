// Tests the scenarios of a program's session: whose files count, and when.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createSession } from '../../../lib/session/create/create-session.ts'
import type { CreateSessionOptions } from '../../../lib/session/create/create-session-options.ts'
import { answerTrust, folderTrust, memoryStore } from '../../../lib/store/index.ts'
import type { Session } from '../../../lib/session/contract/session.ts'
import type { Policy } from '../../../lib/streams/ports/policy.ts'
import { resultOf } from '../../support/result-of.ts'

let top = ''
const at = (...names: readonly string[]): string => path.join(top, ...names)
const file = (readOnly: boolean) => JSON.stringify({ description: 'd', phases: [{ name: 'look', readOnly }] })
const policy: Policy = { decide: () => of({ decision: 'allow', by: 'mode', reason: 'r' }) }
const plant = (folder: string, name: string): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, `${name}.json`), file(true))
}
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-program-scenarios-')))
  plant(at('config', 'rxpi', 'scenarios'), 'mine')
  plant(at('project', '.rxpi', 'scenarios'), 'theirs')
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const open = (options: CreateSessionOptions): Session =>
  createSession({
    model: 'demo/guide',
    cwd: at('project'),
    env: { HOME: at('home'), RXPI_HOME: at('state'), XDG_CONFIG_HOME: at('config') },
    ...options,
  })
async function namesOf(options: CreateSessionOptions): Promise<readonly string[] | undefined> {
  const session = open(options)
  const list = session.scenarios && (await resultOf(session.scenarios.list()))
  session.close().subscribe()
  return list?.scenarios.map(({ name }) => name)
}
const trust = async (): Promise<void> => {
  const question = { home: at('state'), cwd: at('project'), homeFolder: at('home') }
  const { digest } = folderTrust({ ...question, forThisRun: true })
  await resultOf(answerTrust('trust', digest, question))
}

describe('the scenarios of a program', () => {
  it.each<[string, CreateSessionOptions, readonly string[] | undefined]>([
    ['settings: true with a policy', { settings: true, policy }, ['mine', 'plan']],
    ['scenarios: true', { scenarios: true }, ['mine', 'plan']],
    ['settings: true alone, which nothing would enforce', { settings: true }, undefined],
    ['scenarios: false', { settings: true, policy, scenarios: false }, undefined],
    ['no option', { policy }, undefined],
    ['an own list', { scenarios: { list: () => of({ scenarios: [], problems: [] }) } }, []],
  ])('with %s', async (_, options, expected) => {
    expect(await namesOf(options)).toEqual(expected)
  })

  it('are those of the project while a person trusts its files [S3f]', async () => {
    await trust()
    expect(await namesOf({ settings: true, policy })).toEqual(['mine', 'plan', 'theirs'])
    const session = open({ settings: true, policy })
    writeFileSync(at('project', '.rxpi', 'scenarios', 'theirs.json'), file(false))
    const list = session.scenarios && (await resultOf(session.scenarios.list()))
    expect(list?.scenarios.map(({ name }) => name)).toEqual(['mine', 'plan'])
    expect(await namesOf({ settings: true, policy })).toEqual(['mine', 'plan'])
    session.close().subscribe()
  })

  it('bring the phase of the log back', async () => {
    const store = memoryStore()
    const first = open({ settings: true, policy, store })
    expect(await resultOf(first.send({ type: 'set_scenario_phase', scenario: 'mine' }))).toEqual({ scenario: 'mine', phase: 'look' }) // prettier-ignore
    await new Promise<void>((resolve) => first.close().subscribe({ complete: resolve }))
    const again = open({ settings: true, policy, store, sessionId: first.id })
    expect(again.scenario).toEqual({ scenario: 'mine', phase: 'look', readOnly: true })
    again.close().subscribe()
  })
})
