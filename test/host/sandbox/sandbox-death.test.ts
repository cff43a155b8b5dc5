// Tests the death of a sandbox during a command.
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs'
import { mergeMap, switchMap, take, takeWhile, tap } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SandboxedEvent } from '../../../lib/host/sandbox/spawn-inside.ts'
import { createBashTool } from '../../../lib/tools/shell/bash.ts'
import { call, testContext, textOf } from '../../contract/tool-contract.ts'
import { fakeSandbox } from '../../support/fake-sandbox.ts'
import { valuesOf } from '../../support/values-of.ts'
import { endAll, processesWith, uniqueSeconds, until } from '../process/processes-with.ts'
import { createBox, noSandbox } from './box.ts'
import type { Box } from './box.ts'

/** Empty if the process has ended meanwhile. */
function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
  } catch {
    return ''
  }
}

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
      .filter((pid) => nameOf(pid) === 'bwrap')
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
            if (event.type !== 'output' || event.text !== 'begun\n') return
            const pids = supervisors()
            kill(which === 'outer' ? pids[0] : pids[1])
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

  /** Runs commands of bash in one sandbox, which stays open. */
  const inOneSandbox = async (work: (run: BashRun, temp: string) => Promise<void>): Promise<void> => {
    const bash = createBashTool()
    await valuesOf(
      box.open().pipe(
        switchMap(async (sandbox) => {
          const confined = fakeSandbox({ fence: sandbox.fence, spawn: (program) => sandbox.spawn(program) })
          const context = { ...testContext(box.at('work'), { sandbox: confined }), env: box.env }
          await work(async (command, onOutput) => {
            const values = await valuesOf(
              call(bash, { command }, context).pipe(
                tap(({ type }) => (type === 'progress' ? onOutput?.() : undefined)),
              ),
            )
            const result = values.at(-1)
            return result?.type === 'result' ? textOf(result) : ''
          }, sandbox.temp ?? '')
        }),
        take(1),
      ),
    )
  }

  it('is named in the result of bash, and the next call gets an answer', async () => {
    await inOneSandbox(async (run) => {
      const killed = await run(`echo begun; sleep ${seconds}`, () => kill(supervisors()[0]))
      expect(killed).toBe('begun\n[Ended by signal SIGKILL.]')
      expect(await run('echo again')).toBe('again\n')
    })
  })

  it('for lack of its temporary folder gets a new one', async () => {
    await inOneSandbox(async (run, temp) => {
      expect(await run('echo x > /tmp/x; cat /tmp/x')).toBe('x\n')
      rmSync(temp, { recursive: true })
      expect(await run('echo again; ls -A /tmp')).toBe('again\n')
      expect(statSync(temp).mode & 0o777).toBe(0o700)
      rmSync(temp, { recursive: true })
      symlinkSync(box.at('outside'), temp)
      expect(await run('echo x > /tmp/x')).toMatch(/^The sandbox cannot use its temporary folder/)
      expect(existsSync(box.at('outside/x'))).toBe(false)
      rmSync(temp)
      mkdirSync(temp)
    })
  })
})

type BashRun = (command: string, onOutput?: () => void) => Promise<string>

/** Never pid 0, which is the group of the tests. */
function kill(pid: number | undefined): void {
  if (pid === undefined) throw new Error('bubblewrap was not found')
  process.kill(pid, 'SIGKILL')
}
