// Tests that processes of a killed rxpi are ended if its guardian was killed with it.
import { spawn, spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { endOrphans } from '../../../lib/host/process/end-orphans.ts'
import { processMarkOwner, processMarkValue } from '../../../lib/host/process/process-identity.ts'
import { endAll, guardianOf, processesWith, uniqueSeconds, until, untilExecuted } from './processes-with.ts'

const seconds = uniqueSeconds()
const started: ChildProcess[] = []

afterEach(async () => {
  for (const child of started.splice(0)) {
    const running = child.exitCode === null && child.signalCode === null
    child.kill('SIGKILL')
    if (running) await once(child, 'exit')
  }
  endAll(seconds)
})

function start(program: string, args: readonly string[], env: Record<string, string> = {}): ChildProcess {
  const child = spawn(program, args, { env: { PATH: process.env['PATH'], ...env }, stdio: ['pipe', 'pipe', 'inherit'] })
  started.push(child)
  return child
}

/** Starts an rxpi that runs a script, and kills it in one instant with its guardian. */
async function killTogether(script: string): Promise<void> {
  const keeper = start(process.execPath, [path.join(import.meta.dirname, 'fixtures/keep-spawning.ts'), script])
  if (keeper.stdout === null) throw new Error('no pipe')
  await once(keeper.stdout, 'data')
  const guardian = await guardianOf(keeper.pid)
  process.kill(guardian, 'SIGSTOP') // it must not see the end of its pipe first
  keeper.kill('SIGKILL')
  process.kill(guardian, 'SIGKILL')
  await once(keeper, 'exit')
}

const namespaces = ['--user', '--map-root-user', '--pid', '--fork', '--kill-child', '--mount-proc']

/** False on macOS, and where the system refuses a namespace. */
function hasNamespaces(): boolean {
  return spawnSync('unshare', [...namespaces, 'true'], { stdio: 'ignore' }).status === 0
}

const marked = (owner: string): Record<string, string> => ({ [`RXPI_CALL_${'b'.repeat(32)}_1`]: owner })
const [pid = '', startTime = '', ...workspace] = processMarkValue().split(':')
const dead = [pid, `${startTime}1`, ...workspace].join(':')

// A server that another test starts at this moment may end the orphans first, so the result is not compared.

describe('endOrphans', () => {
  it('ends every process of an rxpi that was killed with its guardian [S29a]', async () => {
    await killTogether(`sleep ${seconds} & setsid sleep ${seconds} & (trap '' TERM; sleep ${seconds}) & echo x; wait`)
    endOrphans()
    await until(() => processesWith(seconds).length === 0, 10_000)
  })

  it('ends processes that keep forking', async () => {
    await killTogether(`(while :; do sleep ${seconds} & sleep 0.01; done) & echo x; wait`)
    endOrphans()
    await until(() => processesWith(seconds).length === 0, 10_000)
  })

  it('ends a call of an ended rxpi inside a call of a living one', async () => {
    const nested = start('sleep', [seconds], { ...marked(dead), [`RXPI_CALL_${'c'.repeat(32)}_1`]: processMarkValue() })
    await untilExecuted(nested)
    endOrphans()
    await until(() => nested.signalCode === 'SIGKILL')
  })

  it.each<[string, Record<string, string>]>([
    ['a living rxpi', marked(processMarkValue())],
    ['an older build', marked('1')],
    ['a container, whose pids have another meaning', marked(`${pid}:${startTime}1:${workspace[0] ?? ''}:1`)],
    ['a mark that names no process', marked(`-1:${dead}`)],
    ['another variable', { RXPI_CALL_OTHER: dead, MY_RXPI_CALL: dead }],
  ])('spares processes of %s [S29b]', async (_, env) => {
    const child = start('sleep', [seconds], env)
    await untilExecuted(child)
    const orphan = start('sleep', [seconds], marked(dead))
    await untilExecuted(orphan)
    endOrphans()
    await until(() => orphan.signalCode === 'SIGKILL')
    await setTimeout(10) // the end of the other child would be reported by now
    expect([child.exitCode, child.signalCode]).toEqual([null, null])
  })

  // In a pid namespace of its own: a server that another test starts spares marks of other namespaces.
  describe.skipIf(!hasNamespaces())('alone', () => {
    const program = `"${process.execPath}" "${path.join(import.meta.dirname, 'fixtures/end-orphans.ts')}"`
    const markOf = (owner: string): string =>
      `RXPI_CALL_${'b'.repeat(32)}_1="${owner.replace(/\d+$/, '')}$(readlink /proc/self/ns/pid | tr -dc 0-9)"`

    async function outputOf(script: string): Promise<string> {
      const shell = start('unshare', [...namespaces, '/bin/sh', '-c', script])
      let output = ''
      shell.stdout?.on('data', (text: Buffer) => (output += text.toString()))
      await once(shell, 'close')
      return output
    }

    it('spares the process that calls it, though an ended rxpi started its shell', async () => {
      const output = await outputOf(`exec env ${markOf(dead)} /bin/sh -c '${program}; echo "shell $?"'`)
      expect(output).toBe('ended \nshell 0\n')
    })

    it('returns the names of those that one rxpi started, and ends all', async () => {
      const other = [pid, `${startTime}2`, ...workspace].join(':')
      const orphans = `env ${markOf(dead)} sleep ${seconds} & env ${markOf(other)} tail -f /dev/null &`
      const running = `until ${['sleep', 'tail'].map((name) => `grep -qsx ${name} /proc/[0-9]*/comm`).join(' && ')}; do :; done`
      const owner = JSON.stringify({ pid: Number(pid), startTime: `${startTime}1`, bootId: workspace[0] })
      expect(await outputOf(`${orphans} ${running}; ${program} '${owner}'; wait; echo all`)).toBe('ended sleep\nall\n')
    })
  })
})

it.each(['', '1', '0:1:a:1', '1:1:a', '1::a:1', '1:1:a:', '12345678901:1:a:1'])(
  'a mark of %j names nothing',
  (value) => {
    expect(processMarkOwner(value)).toBeUndefined()
  },
)
