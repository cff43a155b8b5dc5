// Tests what the processes of a killed rxpi meet whose guardian was killed with it.
import { once } from 'node:events'
import { afterEach, expect, it } from 'vitest'
import { endAll, guardianOf, processesWith, uniqueSeconds, until } from '../host/process/processes-with.ts'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'

const seconds = uniqueSeconds()
afterEach(() => endAll(seconds))

/** Kills `rxpi -p` in one instant with its guardian while a bash command runs. */
async function killTogether(workspace: Workplace): Promise<void> {
  const command = `sleep ${seconds} & setsid sleep ${seconds} & wait`
  const model = workspace.scripted([{ toolCalls: [{ name: 'bash', arguments: { command } }] }, { text: 'never' }])
  const { child } = workspace.start(['-p', 'Wait', '--model', model])
  await until(() => processesWith(seconds).length > 2 || child.exitCode !== null, 20_000)
  const guardian = await guardianOf(child.pid)
  process.kill(guardian, 'SIGSTOP') // it must not see the end of its pipe first
  child.kill('SIGKILL')
  process.kill(guardian, 'SIGKILL')
  await once(child, 'exit')
}

// A server that another test starts at this moment may end the orphans first, so no report is expected here.

it('the recovery of their session ends them [S29c]', async () => {
  using workspace = workplace()
  await killTogether(workspace)
  expect(await workspace.run(['-c', '-p', 'x', '--model', workspace.scripted([{ text: 'done' }])])).toMatchObject({
    code: 0,
  })
  await until(() => processesWith(seconds).length === 0, 10_000)
})

it('a server that starts ends them [S29c]', async () => {
  using workspace = workplace()
  await killTogether(workspace)
  const server = workspace.start(['serve'])
  await server.outputText('listening at')
  await until(() => processesWith(seconds).length === 0, 10_000)
  server.child.kill('SIGTERM')
  expect(await server.ended).toMatchObject({ code: 0 })
})
