// Tests `rxpi import pi`: its arguments, its report, and consent without a terminal.
import { firstValueFrom, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'
import { importPi } from '../../../app/commands/import-pi.ts'
import { fakeWorld } from '../../support/fake-world.ts'

const items = [
  { kind: 'skill' as const, name: 'skills/deploy', outcome: 'imported' as const },
  { kind: 'key' as const, name: 'openai', outcome: 'left' as const, why: 'you have not agreed', needsConsent: true },
]

async function begin(words: string[]) {
  const invocation = parseCommandLine(['import', ...words])
  if (invocation.mode !== 'import') throw new Error('not import')
  const sent: object[] = []
  const { world, stdout, stderr } = fakeWorld({
    commands: {
      importPi: (command) => {
        sent.push({ keys: command.keys, sessions: command.sessions, dryRun: command.dryRun, dir: command.dir })
        return of({ dir: '/pi', items })
      },
    },
  })
  const code = await firstValueFrom(importPi(invocation, world), { defaultValue: -1 })
  return { code, sent, out: stdout.written, err: stderr.written }
}

describe('rxpi import pi', () => {
  it('without a terminal brings no key and no session over, and names the options [CLI-import]', async () => {
    const { code, sent, out, err } = await begin(['pi'])
    expect([code, sent]).toEqual([0, [{ keys: [], sessions: false, dryRun: false, dir: undefined }]])
    expect(out).toBe('from /pi\nimported  skill skills/deploy\nleft  key openai: you have not agreed\n')
    expect(err).toContain('rxpi import pi --keys openai')
  })

  it('passes what the options agree to [CLI-import]', async () => {
    const { sent, out } = await begin(['pi', '--from', '/pi', '--keys', 'openai, groq', '--with-sessions', '--dry-run'])
    expect(sent).toEqual([{ keys: ['openai', 'groq'], sessions: true, dryRun: true, dir: '/pi' }])
    expect(out).toContain('would import  skill')
  })

  it.each([
    [[], /needs the name of another agent/],
    [['claude'], /needs the name of another agent/],
    [['pi', 'x'], /unexpected argument "x"/],
    [['pi', '--model', 'x'], /no option --model/],
  ])('rejects %j', (words, reason) => {
    expect(() => parseCommandLine(['import', ...words])).toThrow(reason)
  })
})
