// Tests the stored decisions about extensions: states, digests, the audit before a change, and changes of other processes.
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { defer, lastValueFrom } from 'rxjs'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { extensionTrust } from '../../../lib/extensions/trust/extension-trust.ts'
import type { ExtensionTrust, TrustChange } from '../../../lib/extensions/trust/extension-trust.ts'
import { extensionAuditFile } from '../../../lib/extensions/trust/audit-log.ts'
import { extensionTrustFile } from '../../../lib/extensions/trust/trust-records.ts'
import type { ExtensionRecords } from '../../../lib/extensions/trust/trust-records.ts'

const id = 'user:/home/ada/.config/rxpi/extensions/checksum'
const digest = 'a'.repeat(64)
const other = 'b'.repeat(64)
const change: TrustChange = { id, name: 'checksum', digest, next: 'trusted', reason: 'I read it', operator: 'cli' }

let home = ''
let locks: string[] = []
let trust: ExtensionTrust
beforeEach(() => {
  home = path.join(mkdtempSync(path.join(tmpdir(), 'rxpi-ext-trust-')), 'home')
  locks = []
  trust = openTrust()
})
afterEach(() => {
  rmSync(path.dirname(home), { recursive: true, force: true })
})

function openTrust(): ExtensionTrust {
  return extensionTrust({
    home,
    locked: (file, work) =>
      defer(() => {
        locks.push(file)
        return work()
      }),
  })
}

const done = (value$: Observable<unknown>) => lastValueFrom(value$, { defaultValue: undefined })
const set = (fields: Partial<TrustChange> = {}) => done(trust.set({ ...change, ...fields }))
const auditLines = () =>
  readFileSync(extensionAuditFile(home), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)

describe('the decisions about extensions', () => {
  it('hold for the content that the person saw, and changed content is pending [S23b]', async () => {
    expect(trust.stateOf(id, digest)).toBe('pending')
    for (const next of ['acknowledged', 'trusted'] as const) {
      await set({ next })
      expect(trust.stateOf(id, digest)).toBe(next)
      expect(trust.stateOf(id, other)).toBe('pending')
    }
    await set({ next: 'pending' })
    expect(trust.stateOf(id, digest)).toBe('pending')
    expect(trust.records().size).toBe(0)
  })

  it('keep a killed extension killed whatever its content, and a dev one as it is [S23b]', async () => {
    await set({ next: 'killed', isDev: true })
    expect(trust.stateOf(id, other)).toBe('killed')
    expect(trust.records().get(id)).not.toHaveProperty('dev')
    await set({ isDev: true, mayReplace: ['bash'] })
    expect(trust.stateOf(id, other)).toBe('trusted')
    expect(trust.records().get(id)?.mayReplace).toEqual(['bash'])
    await set()
    expect(trust.stateOf(id, other)).toBe('pending')
    expect(trust.records().get(id)).not.toHaveProperty('mayReplace')
  })

  it('are private files, changed under a lock, and each has a line in the audit', async () => {
    await set({ next: 'acknowledged' })
    await set({ next: 'killed', reason: 'too curious', operator: 'ui' })
    expect(locks).toEqual([extensionTrustFile(home), extensionTrustFile(home)])
    for (const file of [extensionTrustFile(home), extensionAuditFile(home)])
      expect(statSync(file).mode & 0o777).toBe(0o600)
    const fields = { id, name: 'checksum', digest, time: expect.any(Number) as number }
    expect(auditLines()).toEqual([
      { ...fields, activated: true, reason: 'I read it', operator: 'cli', previous: 'pending', next: 'acknowledged' },
      { ...fields, activated: false, reason: 'too curious', operator: 'ui', previous: 'acknowledged', next: 'killed' },
    ])
  })

  it('keep what a person chose for an extension that runs, and nothing of it for a killed one', async () => {
    const chosen = { isDev: true, isIsolated: true, mayReplace: ['read'] }
    await set(chosen)
    expect(trust.records().get(id)).toMatchObject({ dev: true, isolate: true, mayReplace: ['read'] })
    await set({ ...chosen, next: 'acknowledged' })
    expect(trust.records().get(id)).toMatchObject({ dev: true, isolate: true, mayReplace: ['read'] })
    await set({ ...chosen, next: 'killed' })
    expect(Object.keys(trust.records().get(id) ?? {}).toSorted()).toEqual(['at', 'digest', 'state'])
    await set({ isIsolated: false })
    expect(trust.records().get(id)).not.toHaveProperty('isolate')
    await set({})
    expect(trust.records().get(id)).not.toHaveProperty('isolate')
  })

  it('do not change if the audit cannot be written', async () => {
    await set({ next: 'killed' })
    rmSync(extensionAuditFile(home))
    symlinkSync('/dev/null', extensionAuditFile(home))
    await expect(set()).rejects.toMatchObject({ code: 'storage' })
    expect(trust.stateOf(id, digest)).toBe('killed')
    expect(() => { trust.audit({ id, capability: 'exec' }) }).toThrow(/extension-audit/) // prettier-ignore
  })

  it.each([
    ['no JSON', '{', 0o600, /not valid/],
    ['unknown keys', '{"v":1,"extensions":{},"all":"trusted"}', 0o600, /not valid/],
    ['a state that is none', `{"v":1,"extensions":{"x":{"state":"pending","digest":"${digest}","at":1}}}`, 0o600, /not valid/], // prettier-ignore
    ['others that can write it', '{"v":1,"extensions":{}}', 0o666, /other users can write/],
  ])('are refused from a file with %s', async (_, content, mode, reason) => {
    // prettier-ignore
    await set()
    writeFileSync(extensionTrustFile(home), content)
    chmodSync(extensionTrustFile(home), mode)
    expect(() => trust.stateOf(id, digest)).toThrow(reason)
    await expect(set({ next: 'killed' })).rejects.toMatchObject({ code: 'bad_config' })
  })
})

describe('changes of the decisions', () => {
  it('come to each running server, and a damaged file ends every decision', async () => {
    await set()
    const found: ExtensionRecords[] = []
    const subscription = trust.changes$.subscribe((records) => found.push(records))
    try {
      const elsewhere = openTrust()
      await done(elsewhere.set({ ...change, next: 'killed' }))
      await expect.poll(() => found.at(-1)?.get(id)?.state, { timeout: 10_000 }).toBe('killed')
      await set()
      expect(found.at(-1)?.get(id)?.state).toBe('trusted') // an own change at once
      writeFileSync(extensionTrustFile(home), 'no JSON')
      await expect.poll(() => found.at(-1)?.size, { timeout: 10_000 }).toBe(0)
      expect(found).toHaveLength(3)
    } finally {
      subscription.unsubscribe()
    }
  })
})
