// Tests `storeContract` with the stores of rxpi, and with stores that break it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileStore, memoryStore } from '../../lib/store/index.ts'
import type { SessionLog, SessionStore } from '../../lib/streams/ports/session-log.ts'
import { storeContract } from '../../lib/testing/store-contract.ts'

describe('the contract of a store', () => {
  it.each(storeContract(() => memoryStore()))('memoryStore $name', ({ run }) => run())

  const files = () => {
    const home = mkdtempSync(path.join(tmpdir(), 'rxpi-contract-'))
    const again = () => fileStore({ home })
    return { store: again(), again, dispose: () => rmSync(home, { recursive: true }) }
  }
  it.each(storeContract(files))('fileStore $name', ({ run }) => run())

  /** The names of the cases that a store fails. */
  async function failing(change: (log: SessionLog) => object, store: Partial<SessionStore> = {}): Promise<string[]> {
    const broken = (log: SessionLog): SessionLog =>
      new Proxy(log, {
        get: (target, name) => {
          const changed = change(target)
          const value: unknown = Reflect.get(name in changed ? changed : target, name)
          return typeof value === 'function' ? (value.bind(target) as unknown) : value
        },
      })
    const names: string[] = []
    const cases = storeContract(() => {
      const memory = memoryStore()
      return {
        ...memory,
        create: (header) => broken(memory.create(header)),
        open: (id, options) => ({ log: broken(memory.open(id, options).log), warnings: [] }),
        ...store,
      }
    })
    for (const { name, run } of cases) await run().catch(() => names.push(name))
    return names
  }

  it('is kept by a store that changes nothing', async () => {
    expect(await failing(() => ({}))).toEqual([])
  })

  it.each<[string, (log: SessionLog) => object, Partial<SessionStore>, string]>([
    ['counts wrong', ({ head }) => ({ head: head + 1 }), {}, 'begins a log with a header line and no record'],
    [
      'seals no line',
      (log) => ({ append: (body: string) => log.append(body).slice(0, -18) }),
      {},
      'returns the line of an append with its checksum, and counts it',
    ],
    [
      'reads from the start',
      (log) => ({ records: () => log.records() }),
      {},
      'reads the records after a number, each with its number and line',
    ],
    [
      'reads a copy',
      (log) => ({ records: (after?: number) => [...log.records(after)] }),
      {},
      'reads what is appended while it is read',
    ],
    [
      'forgets checkpoints',
      () => ({ checkpoints: () => [] }),
      {},
      'returns the checkpoints of an unfinished message when it is opened again',
    ],
    ['has no read-only log', () => ({ readOnly: undefined }), {}, 'opens a session for reading only'],
    [
      'knows no latest',
      () => ({}),
      { latest: () => undefined },
      'names the session of a folder that was written to last',
    ],
  ])('is broken by a store that %s', async (_, change, store, name) => {
    expect(await failing(change, store)).toContain(name)
  })
})
