// Tests the exit codes and failures of `rxpi sessions`.
import { NEVER, firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { sessions } from '../../../../app/commands/sessions/sessions.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const invocation = { mode: 'sessions', action: 'list', json: true } as const

it('returns the exit code of the action', async () => {
  const own = fakeWorld()
  expect(await firstValueFrom(sessions(invocation, own.world), { defaultValue: -1 })).toBe(0)
  expect(JSON.parse(own.stdout.written)).toMatchObject({ sessions: [] })
})

it.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('a %s ends any action with exit code %d', async (signal, code) => {
  const own = fakeWorld({ commands: { listSessions: () => NEVER } })
  const ended = firstValueFrom(sessions(invocation, own.world), { defaultValue: -1 })
  own.signal(signal)
  expect(await ended).toBe(code)
})

it('fails like the action', async () => {
  const own = fakeWorld({ commands: { listSessions: () => of() } })
  await expect(firstValueFrom(sessions(invocation, own.world), { defaultValue: -1 })).rejects.toMatchObject({
    code: 'internal',
  })
})
