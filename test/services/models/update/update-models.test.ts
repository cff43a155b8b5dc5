// Tests updates of the catalogue from a registry on this machine: data, refusals, and that nothing is left of them.
import { createHash } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { resultOf } from '../../../support/result-of.ts'
import { catalogueSource } from '../../../../lib/providers/catalogue-data/index.ts'
import { catalogueData, catalogueFile } from '../../../../lib/providers/catalogue/catalogue-file.ts'
import { updateModels } from '../../../../lib/services/models/update/update-models.ts'
import { readCatalogue } from '../../../providers/catalogue/read-catalogue.ts'
import { filesOf, model, startRegistry, tarballOf } from './package-registry.ts'
import type { Published, Registry } from './package-registry.ts'
import { isFull, sampleRows } from '../../../support/sample-size.ts'

let registry: Registry
let top = ''
let home = ''
let env: Record<string, string> = {}
beforeAll(async () => {
  registry = await startRegistry()
})
afterAll(() => registry.close())
beforeEach(() => {
  top = mkdtempSync(path.join(tmpdir(), 'rxpi-update-'))
  home = path.join(top, 'home')
  mkdirSync(path.join(top, 'user'))
  env = { PATH: process.env['PATH'] ?? '', HOME: path.join(top, 'user'), npm_config_cache: path.join(top, 'cache'), npm_config_registry: registry.address } // prettier-ignore
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const update = (wish: { check?: boolean; reset?: boolean } = {}) =>
  resultOf(updateModels({ cwd: top, env, ...wish }, home))
const newer = '99.0.0'
const data = { groq: { 'openai-completions': { m: model } } }
async function publish(parts: Partial<Published> & { readonly data?: Record<string, unknown> } = {}): Promise<void> {
  const { version = newer } = parts
  registry.publish({ version, content: await tarballOf(filesOf(version, parts.data ?? data)), ...parts })
}
const builtIn = { ...catalogueSource }

describe('an update of the catalogue', () => {
  it('is used from then on, until it is reset [COMMAND-update_models]', async () => {
    await publish()
    expect(await update({ check: true })).toEqual({ source: builtIn, latest: { version: newer, date: '2027-01-02' }, newer: true, changed: false }) // prettier-ignore
    expect(existsSync(catalogueFile(home))).toBe(false)
    const updated = await update()
    const source = { name: catalogueSource.name, version: newer, date: '2027-01-02', licence: 'MIT', at: updated.source.at } // prettier-ignore
    expect(updated).toMatchObject({ source, newer: true, changed: true, models: 1 })
    expect(updated.unlisted).toContain('openai')
    expect(statSync(catalogueFile(home)).mode & 0o777).toBe(0o600)
    expect(readdirSync(home)).toEqual(['catalogue.json'])
    const found = await readCatalogue(['groq', 'openai'], catalogueFile(home))
    expect([found.ids('groq'), found.entry('groq', 'm')?.contextWindow]).toEqual([['m'], 10])
    expect(found.ids('openai')).toEqual((await readCatalogue(['openai'])).ids('openai'))
    expect(await update()).toMatchObject({ newer: false, changed: false, source })
    expect(await update({ reset: true })).toEqual({ source: builtIn, newer: false, changed: true })
    expect((await readCatalogue(['groq'], catalogueFile(home))).ids('groq')).not.toContain('m')
    expect(await update({ reset: true })).toMatchObject({ changed: false })
  }, 60_000)

  it.runIf(isFull)(
    'fetches a damaged file again, and says which data counts meanwhile',
    async () => {
      await publish()
      mkdirSync(home, { mode: 0o700 })
      writeFileSync(catalogueFile(home), '{"v":1', { mode: 0o600 })
      const problem = () => catalogueData(catalogueFile(home)).problem
      expect(problem()).toMatch(/catalogue\.json cannot be used: .*rxpi models update/)
      expect((await update()).source).toMatchObject({ version: newer })
      expect(problem()).toBeUndefined()
      chmodSync(catalogueFile(home), 0o666)
      expect(problem()).toContain('other users can write it')
    },
    60_000,
  )
})

describe('an update is refused, and changes nothing,', () => {
  const wrong = `sha512-${createHash('sha512').update('x').digest('base64')}`
  const refused: readonly (readonly [string, Parameters<typeof publish>[0], string, RegExp])[] = [
    ['for another content', { integrity: wrong }, 'integrity', /sha512-/],
    ['without a SHA-512', { integrity: null }, 'integrity', /names no SHA-512/],
    ['for an older version', { version: '0.1.0' }, 'older', /0\.1\.0 of 2027-01-02, older than/],
  ]
  it.each(sampleRows(refused, 1))(
    '%s',
    async (_, parts, reason, message) => {
      await publish(parts)
      await expect(update()).rejects.toMatchObject({ code: 'bad_request', data: { reason }, message: expect.stringMatching(message) as string }) // prettier-ignore
      expect(readdirSync(home)).toEqual([])
    },
    60_000,
  )

  it('without a network', async () => {
    env = { ...env, npm_config_registry: 'http://127.0.0.1:9' }
    await expect(update()).rejects.toMatchObject({ code: 'bad_request', data: { reason: 'offline' } })
    await expect(update({ check: true, reset: true })).rejects.toMatchObject({ code: 'bad_request' })
    expect(readdirSync(home)).toEqual([])
  }, 60_000)

  it('for a registry that lacks the package', async () => {
    const empty = await startRegistry()
    try {
      env = { ...env, npm_config_registry: empty.address }
      await expect(update()).rejects.toMatchObject({ data: { reason: 'not_found' } })
      expect(empty.requests.length).toBeGreaterThan(0)
    } finally {
      await empty.close()
    }
  }, 60_000)
})
