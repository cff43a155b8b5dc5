// Tests which data of the catalogue counts: that of the file, or that of rxpi.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resultOf } from '../../support/result-of.ts'
import { catalogueSource } from '../../../lib/providers/catalogue-data/index.ts'
import { catalogueData, catalogueFile, catalogueText } from '../../../lib/providers/catalogue/catalogue-file.ts'
import type { CatalogueRows } from '../../../lib/providers/catalogue/catalogue-file.ts'
import { processKeyMemory } from '../../../lib/providers/keys/key-memory.ts'
import { listModels } from '../../../lib/providers/resolve/list-models.ts'
import { resolveModel } from '../../../lib/providers/resolve/resolve-model.ts'

let home = ''
beforeEach(() => (home = mkdtempSync(path.join(tmpdir(), 'rxpi-catalogue-'))))
afterEach(() => {
  rmSync(home, { recursive: true, force: true })
})

const source = { name: 'a-package', version: '99.0.0', date: '2999-01-02', licence: 'MIT', at: 1 }
const rows = { groq: [['m', 'Of the file', 4242, 5, 'r', [7, 8]]] } satisfies CatalogueRows
const text = (own: CatalogueRows = rows, more: Partial<typeof source> = {}): string =>
  catalogueText({ source: { ...source, ...more }, integrity: 'sha512-a' }, own)
function write(text: string): void {
  writeFileSync(catalogueFile(home), text, { mode: 0o600 })
}
const options = () => ({ env: { GROQ_API_KEY: 'k' }, models: { providers: {} }, catalogueFile: catalogueFile(home) })
const resolve = () => resultOf(resolveModel({ ...options(), name: 'groq/m' }))

describe('the data of the catalogue', () => {
  it('is that of the file, read again when it changes, and of rxpi without it', async () => {
    expect((await resolve()).model.contextWindow).toBeUndefined()
    write(text())
    const { model, notices } = await resolve()
    expect(model).toMatchObject({ name: 'Of the file', contextWindow: 4242, prices: { input: 7, output: 8 } })
    expect(notices).toEqual([])
    const listed = await resultOf(
      listModels({ ...options(), cwd: '/', memory: processKeyMemory, provider: 'groq', localMs: 0 }),
    )
    expect([listed.source, listed.models.map((each) => each.model.id)]).toEqual([source, expect.arrayContaining(['m'])])
    expect(listed.models.find((each) => each.model.id === 'm')?.model.contextWindow).toBe(4242)
    write(text({ groq: [['m', 'M', 43, 5, 'r', []]] }))
    expect((await resolve()).model.contextWindow).toBe(43)
    rmSync(catalogueFile(home))
    expect((await resolve()).model.contextWindow).toBeUndefined()
  })

  it('is that of rxpi if the file has an earlier day', () => {
    write(text(rows, { date: '2020-01-02' }))
    expect(catalogueData(catalogueFile(home))).toEqual({ source: catalogueSource })
  })

  it.each([
    ['no JSON', '{"v":1', /is not valid|JSON/],
    ['another version', text().replace('"v":1', '"v":2'), /v/],
    ['changed rows', text().replace('4242', '4243'), /its checksum is wrong/],
    ['a half', text().slice(0, -9), /its checksum is wrong/],
    ['a version that is none', text(rows, { version: 'x' }), /version/],
  ])('is that of rxpi, with the reason, for %s', async (_, content, reason) => {
    write(content)
    const { problem, ...data } = catalogueData(catalogueFile(home))
    expect([data, problem]).toEqual([{ source: catalogueSource }, expect.stringMatching(reason)])
    expect((await resolve()).notices).toEqual([{ code: 'catalogue_unreadable', message: problem }])
  })
})
