// Tests that secrets are hidden in the pipes of a command, before its output is stored.
import { from } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createSecrets } from '../../../lib/policy/secrets/create-secrets.ts'
import type { ConfinedEnd, ConfinedOutput } from '../../../lib/streams/ports/sandbox.ts'
import { redactOutput } from '../../../lib/tools/shell/redact-output.ts'
import { valuesOf } from '../../support/values-of.ts'

const secret = 'planted-value-0123456789'
const output = (stream: 'stdout' | 'stderr', text: string): ConfinedOutput => ({ type: 'output', stream, text })
const end: ConfinedEnd = { type: 'end', exitCode: 0, signal: null, cutShort: false, leftBehind: [], survivors: [] }

async function redacted(...events: (ConfinedOutput | ConfinedEnd)[]): Promise<Record<string, string>> {
  const { secrets } = createSecrets({ env: { MY_SECRET: secret }, keyVariables: [] })
  if (secrets === undefined) throw new Error('nothing is hidden')
  const redaction = secrets.begin()
  const found = await valuesOf(from(events).pipe(redactOutput(redaction)))
  expect(found.at(-1)).toEqual(events.at(-1))
  expect(found.filter((event) => event.type === 'output' && event.text === '')).toEqual([])
  const text = (stream: string): string =>
    found.map((event) => (event.type === 'output' && event.stream === stream ? event.text : '')).join('')
  return { stdout: text('stdout'), stderr: text('stderr') }
}

describe('redactOutput', () => {
  it.each(['stdout', 'stderr'] as const)('hides a secret of %s that is split anywhere [S18b]', async (stream) => {
    const text = `a ${secret} z`
    for (let at = 1; at < text.length; at += 1) {
      const pieces = [text.slice(0, at), text.slice(at)].map((piece) => output(stream, piece))
      expect((await redacted(...pieces, end))[stream]).toMatch(/^a \[redacted:[^\]]+\] z$/)
    }
  })

  it('keeps the pipes apart, and loses nothing that was held back at the end [S18b]', async () => {
    const [head, tail] = [secret.slice(0, 10), secret.slice(10)]
    const events = [output('stdout', head), output('stderr', `x ${head}`), output('stdout', tail), end]
    const { stdout, stderr } = await redacted(...events)
    expect(stdout).toMatch(/^\[redacted:[^\]]+\]$/)
    expect(stderr).toBe(`x ${head}`)
  })
})
