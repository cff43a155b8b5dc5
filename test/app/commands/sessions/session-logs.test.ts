// Tests `rxpi sessions verify` and `rxpi sessions repair`.
import { firstValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { checkLogs } from '../../../../app/commands/sessions/session-logs.ts'
import type { LogInvocation } from '../../../../app/cli/invocation.ts'
import { fakeWorld } from '../../../support/fake-world.ts'
import type { FakeWorld } from '../../../support/fake-world.ts'

const verdict = {
  clean: false,
  lines: 5,
  head: 3,
  damaged: 3,
  damages: [
    { line: 2, kind: 'checksum' as const, problem: 'its checksum is missing or wrong' },
    { line: 4, kind: 'number' as const, problem: 'its number is 2 but 3 was expected' },
  ],
}

function begin(own: FakeWorld, invocation: Partial<LogInvocation> = {}): Promise<number> {
  const defaults = { mode: 'sessions', action: 'verify', target: { file: '/logs/my log.jsonl' }, json: false } as const
  return firstValueFrom(checkLogs({ ...defaults, ...invocation }, own.world), { defaultValue: -1 })
}

describe('rxpi sessions verify', () => {
  it('prints one line and returns exit code 0 for a whole log', async () => {
    const own = fakeWorld()
    expect(await begin(own, { target: { session: 'abcdefghij23' } })).toBe(0)
    expect(own.stdout.written).toBe('abcdefghij23.jsonl is clean: 1 line, 0 events\n')
  })

  it('prints damaged lines and advice, and returns exit code 1 [CLI-sessions]', async () => {
    const own = fakeWorld({ verdict })
    expect(await begin(own)).toBe(1)
    expect(own.stdout.written).toBe(
      [
        '/logs/my log.jsonl is damaged in 3 of 5 lines:',
        '  line 2: its checksum is missing or wrong',
        '  line 4: its number is 2 but 3 was expected',
        '  and 1 more',
        "To write a repaired copy: rxpi sessions repair '/logs/my log.jsonl'",
        '',
      ].join('\n'),
    )
  })

  it('prints one JSON document with --json', async () => {
    const own = fakeWorld({ verdict })
    expect(await begin(own, { json: true })).toBe(1)
    expect(JSON.parse(own.stdout.written)).toEqual({ file: '/logs/my log.jsonl', ...verdict })
  })
})

describe('rxpi sessions repair', () => {
  it('reports that a whole log needs no repair', async () => {
    const own = fakeWorld()
    expect(await begin(own, { action: 'repair' })).toBe(0)
    expect(own.stdout.written).toBe('/logs/my log.jsonl is clean: there is nothing to repair\n')
  })

  it('prints the copy, lost and repaired lines, and the next step', async () => {
    const repair = {
      repaired: '/logs/my log.repaired.jsonl',
      lost: ['Line 2: gone'],
      changed: ['Line 4: moved\u001b[2J'],
    }
    const own = fakeWorld({ verdict, repair, terminals: ['stdout'] })
    expect(await begin(own, { action: 'repair' })).toBe(0)
    expect(own.stdout.written).toBe(
      [
        'Repaired copy: /logs/my log.repaired.jsonl',
        'Lost:',
        '  Line 2: gone',
        'Repaired:',
        '  Line 4: moved␛[2J',
        '/logs/my log.jsonl did not change. To continue with the copy, while no rxpi has the session open:',
        "  mv '/logs/my log.jsonl' '/logs/my log.jsonl.damaged' && mv '/logs/my log.repaired.jsonl' '/logs/my log.jsonl'",
        '',
      ].join('\n'),
    )
  })

  it('prints one JSON document with --json', async () => {
    const repair = { repaired: '/copy.jsonl', lost: [], changed: [] }
    const own = fakeWorld({ verdict, repair })
    expect(await begin(own, { action: 'repair', json: true })).toBe(0)
    expect(JSON.parse(own.stdout.written)).toEqual({ file: '/logs/my log.jsonl', ...verdict, ...repair })
  })
})
