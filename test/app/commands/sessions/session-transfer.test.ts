// Tests `rxpi sessions export` and `rxpi sessions import`.
import { firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { exportSession, importSession } from '../../../../app/commands/sessions/session-transfer.ts'
import { sampleHeader } from '../../../store/sessions/sample-records.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import type { FakeWorld } from '../../../support/fake-world.ts'

const session = sampleHeader().id
const notes = Array.from({ length: 25 }, (_, index) => ({
  line: index + 2,
  message: 'it is not JSON; it was left out',
}))

const exporting = (own: FakeWorld, fields: { readonly to?: string; readonly json?: boolean } = {}): Promise<number> => {
  const invocation = {
    mode: 'sessions',
    action: 'export',
    target: { session },
    format: 'markdown',
    json: false,
    ...fields,
  } as const
  return firstValueFrom(exportSession(invocation, own.world), { defaultValue: -1 })
}
const importing = (own: FakeWorld, json = false): Promise<number> => {
  const invocation = { mode: 'sessions', action: 'import', file: '/pi.jsonl', cwd: '/work', json } as const
  return firstValueFrom(importSession(invocation, own.world), { defaultValue: -1 })
}

describe('rxpi sessions export', () => {
  it('prints only the text on stdout', async () => {
    const own = fakeWorld({
      commands: { exportSession: () => of({ text: '# Page\n', characters: 7, notes: [], moreNotes: 0 }) },
    })
    expect(await exporting(own)).toBe(0)
    expect([own.stdout.written, own.stderr.written]).toEqual(['# Page\n', ''])
  })

  it('prints the name of a written file on stderr, and nothing on stdout', async () => {
    const requests: unknown[] = []
    const own = fakeWorld({
      commands: {
        exportSession: (command) => {
          requests.push(command)
          return of({ file: '/out.md', characters: 7, notes, moreNotes: 3 })
        },
      },
    })
    expect(await exporting(own, { to: '/out.md' })).toBe(0)
    expect(requests).toMatchObject([{ session, format: 'markdown', to: '/out.md' }])
    expect(own.stdout.written).toBe('')
    expect(own.stderr.written).toContain('wrote /out.md')
    expect(own.stderr.written).toContain('and 8 more like these')
  })

  it('prints one JSON document with --json', async () => {
    const result = { text: 'x', characters: 1, notes: [], moreNotes: 0 }
    const own = fakeWorld({ commands: { exportSession: () => of(result) } })
    expect(await exporting(own, { json: true })).toBe(0)
    expect(JSON.parse(own.stdout.written)).toEqual(result)
  })
})

describe('rxpi sessions import', () => {
  const result = {
    session,
    header: sampleHeader({}),
    format: 'pi' as const,
    messages: 1,
    notes: notes.slice(0, 1),
    moreNotes: 0,
  }
  const own = (): FakeWorld =>
    fakeWorld({
      commands: { importSession: () => of({ ...result, header: { type: 'session', v: 1, ...sampleHeader() } }) },
    })

  it('prints the id of the new session and how to continue it [CLI-sessions]', async () => {
    const world = own()
    expect(await importing(world)).toBe(0)
    expect(world.stdout.written).toBe(
      `Imported 1 message of a session of pi as session ${session} of /work. To continue it: rxpi --session ${session} -p "…"\n`,
    )
    expect(world.stderr.written).toBe('rxpi: line 2: it is not JSON; it was left out\n')
  })

  it('prints one JSON document with --json', async () => {
    const world = own()
    expect(await importing(world, true)).toBe(0)
    expect(JSON.parse(world.stdout.written)).toMatchObject({ session, format: 'pi', messages: 1 })
  })
})
