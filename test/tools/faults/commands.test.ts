// Tests the faults of commands: output without end, fork storms, a sandbox that dies.
import { chmodSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { endAll, processesWith, uniqueSeconds, until } from '../../host/process/processes-with.ts'
import { callTools, callToolsAsNobody } from './call-tools.ts'
import { otherUserProblem } from '../../support/other-user.ts'
import { isFull, sampleRows, sampleSize } from '../../support/sample-size.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'rxpi-faults-')))
const seconds = uniqueSeconds()
afterAll(() => {
  endAll(seconds)
  rmSync(folder, { recursive: true })
})

describe('output without end [TOOLS-faults-commands]', () => {
  it('is ended by the time limit; its end is shown, a bounded file has the rest, memory stays flat', async () => {
    const floods = ['yes', "yes | tr -d '\\n'"]
    const [quiet, lines, line] = await callTools(folder, [
      ['bash', { command: 'true' }],
      ...sampleRows(floods, 1).map((command) => ['bash', { command, timeout: 0.3 }] as const),
    ])
    expect(lines?.text).toMatch(/^(?:y\n){2000}\[[^]*(?:0\.3 s|300 ms)/)
    if (isFull) expect(line?.text).toMatch(/^y{51200}\n\[/)
    expect(Math.max(lines?.ms ?? 0, line?.ms ?? 0)).toBeLessThan(60_000) // on a busy machine; without the limit it would never end
    expect(((line ?? lines)?.peakMiB ?? Infinity) - (quiet?.peakMiB ?? 0)).toBeLessThan(120)
    expect(lines?.lagMs).toBeLessThan(2_000) // 100 on a quiet machine
    const spill = path.join(folder, 'spill/aaaaaaaaaaaa')
    for (const name of readdirSync(spill)) expect(statSync(path.join(spill, name)).size).toBeLessThanOrEqual(256 * 2 ** 20) // prettier-ignore
  }, 120_000)
})

describe('a fork storm [TOOLS-faults-commands]', () => {
  it('ends with the time limit of its command, and no process is left', async () => {
    // 63 or 255 processes, each of which starts the next ones and waits
    const storm = `f() { [ "$1" -lt ${sampleSize(5, 7)} ] && { f $(($1 + 1)) & f $(($1 + 1)) & }; sleep ${seconds}; }; f 0`
    const [outcome] = await callTools(folder, [['bash', { command: storm, timeout: 0.4 }]])
    expect(outcome?.text).toMatch(/timed out|time limit|0\.4 s/)
    expect(outcome?.ms).toBeLessThan(8_000)
    expect(processesWith(seconds)).toEqual([])
  })

  it('is limited without a trace in the messages of the script', async () => {
    const [wrong, own] = await callTools(folder, [
      ['bash', { command: 'fi' }],
      ['bash', { command: 'echo $? $BASH_EXECUTION_STRING' }],
    ])
    expect(wrong?.text).toMatch(/line 1: syntax error near unexpected token `fi'/)
    expect(wrong?.text).not.toContain('ulimit')
    expect(own?.text).toBe('0 echo $? $BASH_EXECUTION_STRING\n')
  })

  it('of a user stops at a limit of processes above those that run', async ({ skip }) => {
    const problem = otherUserProblem()
    skip(problem !== undefined, problem)
    for (const each of [path.dirname(folder), folder]) chmodSync(each, 0o777)
    const storm = `f() { sleep ${seconds} & f; }; f`
    const [limit, outcome] = await callToolsAsNobody(folder, [
      ['bash', { command: 'ulimit -Su' }],
      ['bash', { command: `ulimit -Su 40; ${storm}`, timeout: 0.5 }],
    ])
    expect(Number(limit?.text)).toBeGreaterThan(4_096)
    expect(outcome?.text).toMatch(/Resource temporarily unavailable/)
    await until(() => processesWith(seconds).length === 0)
    const [lower] = await callTools(folder, [['bash', { command: 'ulimit -Su' }]], {
      before: 'ulimit -Su 300 || ulimit -Sp 300',
    })
    expect(lower?.text.trim()).toBe('300')
  })
})
