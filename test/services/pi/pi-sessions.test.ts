// Tests the import of pi's sessions: many of them, those that were imported, and files that are none.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { importSessions } from '../../../lib/services/pi/pi-sessions.ts'
import type { PiImport } from '../../../lib/services/pi/imported-item.ts'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { resultOf } from '../../support/result-of.ts'

let top = ''
const called: string[] = []
const at = (...names: readonly string[]): string => path.join(top, ...names)
const file = (index: number): string => at('sessions', `${String(index).padStart(4, '0')}.jsonl`)
beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-pi-sessions-')))
  called.length = 0
  mkdirSync(at('sessions'))
  mkdirSync(at('home'))
})
afterEach(() => {
  rmSync(top, { recursive: true, force: true })
})

const plant = (count: number, cwd = top): void => {
  for (let index = 0; index < count; index++)
    writeFileSync(file(index), `${JSON.stringify({ type: 'session', cwd })}\n`)
}
const markDone = (text: string): void => {
  writeFileSync(at('home', 'imported-from-pi.json'), text)
}
const run = (more: Partial<PiImport> = {}) =>
  resultOf(
    importSessions({
      home: at('home'),
      config: at('config'),
      dir: top,
      keys: [],
      sessions: true,
      dryRun: false,
      importSession: ({ file: from }) => {
        called.push(path.basename(String(from)))
        return of({ session: 'abcdefghij23' } as ResultOf<'import_session'>)
      },
      ...more,
    }),
  )
const short = (items: Awaited<ReturnType<typeof run>>): string[] =>
  items.map(({ name, outcome }) => `${outcome} ${path.basename(name)}`)

describe('sessions of pi', () => {
  it('beyond the first thousand are imported by the next import', async () => {
    plant(1_002)
    const first = await run({ sessions: false })
    expect(first).toHaveLength(1_001)
    expect(first.at(-1)).toEqual({ kind: 'session', name: '2 more files', outcome: 'left', why: 'run the import again for them' }) // prettier-ignore
    const done = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [file(index), 'abcdefghij23']))
    markDone(JSON.stringify({ v: 1, sessions: done }))
    const items = await run()
    expect(called).toEqual(['1001.jsonl'])
    expect([items.length, ...short([...items.slice(0, 2), ...items.slice(-1)])]).toEqual([1_002, 'imported 1001.jsonl', 'present 0000.jsonl', 'present 1 more files']) // prettier-ignore
    called.length = 0
    await run()
    expect(called).toEqual([])
  })

  it('whose folders are gone do not keep the others from being imported', async () => {
    plant(1_001, at('gone'))
    writeFileSync(at('sessions', 'z.jsonl'), `${JSON.stringify({ type: 'session', cwd: top })}\n`)
    const items = await run()
    expect(called).toEqual(['z.jsonl'])
    expect([items.length, items.at(-1)?.name]).toEqual([1_002, '1 more files'])
  })

  it.each(['{', '', '{"v":1}', '[]', '{"v":1,"sessions":[]}'])(
    'are not imported if the list of imported ones is %j',
    async (text) => {
      plant(1)
      markDone(text)
      await expect(run()).rejects.toMatchObject({ code: 'storage', message: expect.stringContaining('imported-from-pi.json is damaged') as string }) // prettier-ignore
      expect(called).toEqual([])
    },
  )

  it('are left if they are a pipe, a folder or no JSON, without waiting', async () => {
    execFileSync('mkfifo', [file(0)])
    mkdirSync(file(1))
    writeFileSync(file(2), 'no json\n')
    writeFileSync(file(3), `{"cwd":"${'x'.repeat(100_000)}"}\n`)
    expect(short(await run())).toEqual(['left 0000.jsonl', 'left 0001.jsonl', 'left 0002.jsonl', 'left 0003.jsonl'])
  })
})
