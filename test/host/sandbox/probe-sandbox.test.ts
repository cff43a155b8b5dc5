// Tests the real run that shows whether this machine can sandbox commands.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { probeSandbox, probeWith } from '../../../lib/host/sandbox/probe-sandbox.ts'
import { valuesOf } from '../../support/values-of.ts'
import { noSandbox } from './box.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rxpi-fake-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/** A program in the place of bubblewrap. */
function fake(name: string, script: string): { readonly kind: 'bubblewrap'; readonly program: string } {
  const program = path.join(folder, name)
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o700)
  return { kind: 'bubblewrap', program }
}

describe.runIf(process.platform === 'linux')('probeSandbox', () => {
  it('names the package and the way to install it if it is missing [SANDBOX-probe]', async () => {
    const [probe] = await valuesOf(probeWith(undefined))
    expect(probe).toMatchObject({
      works: false,
      reason: 'missing',
      message: expect.stringContaining('install it: ') as string,
    })
  })

  it('does not believe a program that runs the command without a fence [SANDBOX-probe]', async () => {
    const [probe] = await valuesOf(probeWith(fake('open', 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"')))
    expect(probe).toMatchObject({ works: false, reason: 'leaks' })
  })

  it('does not believe a program that runs nothing [SANDBOX-probe]', async () => {
    const [probe] = await valuesOf(probeWith(fake('nothing', 'exit 0')))
    expect(probe).toMatchObject({ works: false })
  })

  it('says what bubblewrap says, and what to do [SANDBOX-probe]', async () => {
    const [probe] = await valuesOf(
      probeWith(
        fake('container', 'echo "bwrap: Can\'t mount proc on /newroot/proc: Operation not permitted" >&2; exit 1'),
      ),
    )
    expect(probe).toMatchObject({ works: false, message: expect.stringContaining("Can't mount proc") as string })
  })

  it.each([
    [2, { reason: 'leaks' }], // the third run is the real one, without a fence
    [3, { message: expect.stringContaining("Can't create file") as string }],
  ])('tries again if a mount vanished %i times', async (times, outcome) => {
    const count = path.join(folder, `count-${times}`)
    const vanished = `echo "bwrap: Can't create file at /x: Read-only file system" >&2; exit 1`
    const script = `echo x >> ${count}; [ $(wc -l < ${count}) -gt ${times} ] || { ${vanished}; }`
    const runs = 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"'
    const [probe] = await valuesOf(probeWith(fake(`vanishing-${times}`, `${script}; ${runs}`)))
    expect(probe).toMatchObject({ works: false, ...outcome })
    expect(readFileSync(count, 'utf8')).toBe('x\n'.repeat(3))
  })

  it('runs once for all who ask', () => {
    expect(probeSandbox()).toBe(probeSandbox())
  })

  it.skipIf(noSandbox !== undefined)('finds the real one [SANDBOX-probe]', async () => {
    const [probe] = await valuesOf(probeSandbox())
    expect(probe).toMatchObject({ works: true, program: { kind: 'bubblewrap' } })
  })
})
