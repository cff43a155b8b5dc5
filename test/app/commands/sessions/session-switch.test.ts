// Tests `rxpi sessions switch` and `rxpi sessions rm`.
import { firstValueFrom, of } from 'rxjs'
import { expect, it } from 'vitest'
import { switchOrRemove } from '../../../../app/commands/sessions/session-change.ts'
import { fakeWorld } from '../../../support/fake-world.ts'

const session = 'abcdefghij23'
const commands = {
  switchSession: () => of({ cwd: '/work' }),
  deleteSession: () => of({ removed: ['/logs/a.jsonl', '/spill/a\u001b[2J'] }),
}

it.each([
  ['switch', false, `rxpi -c continues session ${session} in /work\n`],
  ['switch', true, `{"session":"${session}","cwd":"/work"}\n`],
  ['rm', false, `Removed session ${session}:\n  /logs/a.jsonl\n  /spill/a␛[2J\n`],
  ['rm', true, `{"session":"${session}","removed":["/logs/a.jsonl","/spill/a\\u001b[2J"]}\n`],
] as const)('%s with --json %s prints the result', async (action, json, text) => {
  const own = fakeWorld({ commands, terminals: ['stdout'] })
  const done$ = switchOrRemove({ mode: 'sessions', action, session, json }, own.world)
  expect([await firstValueFrom(done$, { defaultValue: -1 }), own.stdout.written]).toEqual([0, text])
})
