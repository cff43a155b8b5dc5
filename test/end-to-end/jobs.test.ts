// Tests background jobs of a real command: `rxpi -p` ends them, names them, and leaves no process.
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { endAll, processesWith, uniqueSeconds, until } from '../host/process/processes-with.ts'
import { workplace } from '../support/command.ts'

const seconds = uniqueSeconds()
afterEach(() => endAll(seconds))

it('rxpi -p ends the jobs of its run, in a terminal too, and names them [JOBS-print]', async () => {
  using workspace = workplace()
  const job = (more: object) => ({
    name: 'bash',
    arguments: { command: `sleep ${seconds} & sleep ${seconds}`, background: true, ...more },
  })
  const model = workspace.scripted([{ toolCalls: [job({}), job({ pty: true })] }, { text: 'Both run.' }])
  const { code, stdout, stderr } = await workspace.run(['-p', 'Start', '--model', model])
  expect([code, stdout]).toEqual([0, 'Both run.\n'])
  expect(stderr.match(/ended background job \w+: sleep/g)).toHaveLength(2)
  expect(processesWith(seconds)).toEqual([])
})

it('kill -9 of rxpi leaves no process of a job in a terminal [JOBS-pty]', async () => {
  using workspace = workplace()
  const command = `setsid sleep ${seconds} & sleep ${seconds}`
  const job = { name: 'bash', arguments: { command, background: true, pty: true } }
  const wait = { name: 'bash', arguments: { command: `sleep ${seconds}` } }
  const model = workspace.scripted([{ toolCalls: [job] }, { toolCalls: [wait] }])
  const { child } = workspace.start(['-p', 'Start', '--model', model])
  await until(() => processesWith(seconds).length > 3 || child.exitCode !== null, 20_000)
  child.kill('SIGKILL')
  await once(child, 'exit')
  await until(() => processesWith(seconds).length === 0, 10_000)
})
