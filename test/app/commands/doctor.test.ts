// Tests the output of `rxpi doctor`.
import { firstValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ResultOf } from '../../../lib/streams/commands/command.ts'
import { doctor } from '../../../app/commands/doctor.ts'
import { fakeWorld } from '../../support/fake-world.ts'
import type { FakeWorld } from '../../support/fake-world.ts'

type Checks = ResultOf<'doctor'>['checks']

const nowhere = { RXPI_SOCKET: '/nowhere/rxpi.sock' }
const socket = { name: 'socket', ok: true, required: false, message: '/nowhere/rxpi.sock: no server runs' }
const good = { name: 'node', ok: true, required: true, message: 'Node 24' }
const useful = { name: 'rg', ok: false, required: false, message: 'not found' }
const bad = { name: 'state folder', ok: false, required: true, message: 'not writable\u001b[2J' }

function begin(own: FakeWorld, json = false): Promise<number> {
  return firstValueFrom(doctor({ mode: 'doctor', cwd: '/here', json }, { ...own.world, env: nowhere }), {
    defaultValue: -1,
  })
}

describe('rxpi doctor', () => {
  it.each<[string, Checks, number]>([
    ['0 if every check passes', [good], 0],
    ['0 if an optional check fails', [good, useful], 0],
    ['1 if a required check fails', [good, bad, useful], 1],
  ])('returns exit code %s [CLI-doctor]', async (_, checks, code) => {
    expect(await begin(fakeWorld({ checks }))).toBe(code)
  })

  it('prints one line per check, and escapes control characters on a terminal [S19a]', async () => {
    const own = fakeWorld({ checks: [good, useful, bad], terminals: ['stdout'] })
    await begin(own)
    expect(own.stdout.written).toBe(
      'ok    node           Node 24\nnote  rg             not found\nFAIL  state folder   not writable␛[2J\n' +
        'ok    socket         /nowhere/rxpi.sock: no server runs\n',
    )
  })

  it('prints one JSON document with --json [CLI-document]', async () => {
    const own = fakeWorld({ checks: [good, useful] })
    await begin(own, true)
    expect(JSON.parse(own.stdout.written)).toEqual({ checks: [good, useful, socket] })
  })
})
