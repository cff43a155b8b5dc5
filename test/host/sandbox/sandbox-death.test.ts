// Tests the death of a sandbox during a command.
import { readFileSync } from 'node:fs'
import { mergeMap, takeWhile, tap } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SandboxedEvent } from '../../../lib/host/sandbox/spawn-inside.ts'
import { valuesOf } from '../../support/values-of.ts'
import { endAll, processesWith, uniqueSeconds, until } from '../process/processes-with.ts'
import { createBox, noSandbox } from './box.ts'
import type { Box } from './box.ts'

describe.skipIf(noSandbox !== undefined)('a sandbox that dies [TOOLS-faults-commands]', () => {
  let box: Box
  const seconds = uniqueSeconds()
  beforeAll(async () => (box = await createBox()))
  afterAll(async () => {
    endAll(seconds)
    await box.close()
  })

  /** Pids of bubblewrap: the outer process first, then the first process inside. */
  const supervisors = (): number[] =>
    processesWith(seconds)
      .filter((pid) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'bwrap')
      .sort((one, other) => one - other)

  it.each(['outer', 'inner'] as const)(
    'by its %s process: the command ends with it, and the next one runs',
    async (which) => {
      const events: SandboxedEvent[] = await valuesOf(
        box.open().pipe(
          mergeMap((sandbox) =>
            sandbox.spawn({
              program: '/bin/bash',
              args: ['-c', `echo begun; (setsid sleep ${seconds} &); sleep ${seconds}; echo not reached`],
              cwd: box.at('work'),
              env: box.env,
            }),
          ),
          tap((event) => {
            if (event.type !== 'output') return
            const pids = supervisors()
            process.kill((which === 'outer' ? pids[0] : pids[1]) ?? 0, 'SIGKILL')
          }),
          takeWhile(({ type }) => type !== 'end', true),
        ),
      )
      expect(events.at(0)).toMatchObject({ type: 'output', text: 'begun\n' })
      expect(events.at(-1)).toMatchObject(
        which === 'outer' ? { type: 'end', signal: 'SIGKILL' } : { type: 'end', exitCode: 137 },
      )
      await until(() => processesWith(seconds).length === 0)
      expect((await box.run('echo again')).stdout).toBe('again\n')
    },
  )
})
