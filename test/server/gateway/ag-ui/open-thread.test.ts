// Tests a thread of AG-UI: requests at the same time, and its end while one waits.
import { expect, it } from 'vitest'
import { scripted } from '../../../../lib/providers/offline/scripted.ts'
import { connect } from '../../../../lib/server/client/client.ts'
import { openThread } from '../../../../lib/server/gateway/ag-ui/open-thread.ts'
import { linkedPair } from '../../../../lib/server/protocol/linked-pair.ts'
import { resultOf } from '../../../support/result-of.ts'
import { startGateway } from '../gateway-scene.ts'
import { input } from './ag-ui-scene.ts'

const withTool = (runId: string, name: string) => ({
  ...input('thread', 'hi', runId),
  tools: [{ name, description: `Runs ${name}.`, parameters: { type: 'object', properties: {} } }],
})

const startOptions = { cwd: undefined, onDisconnect: 'continue', whileRunning: undefined } as const

/** A thread with the tool `a`; `prompts` are what the model got. */
async function threadWithTool() {
  const prompts: string[] = []
  const { server } = await startGateway(
    {},
    scripted(({ messages, tools }) => {
      prompts.push(JSON.stringify([messages, tools]))
      return { text: 'done' }
    }),
  )
  const [clientEnd, serverEnd] = linkedPair()
  server.connect(serverEnd)
  const options = { client: connect(clientEnd), input: withTool('run-1', 'a'), cwd: process.cwd(), env: {} }
  const thread = await resultOf(openThread(options))
  const start = (name: string) => resultOf(thread.startRun(withTool(`run-${name}`, name), startOptions))
  return { prompts, thread, start }
}

it('starts a run with the tools of its request, while another request brings others', { timeout: 20_000 }, async () => {
  const { prompts, thread, start } = await threadWithTool()
  await Promise.all([start('b'), start('c')])
  await expect.poll(() => prompts.length, { timeout: 10_000 }).toBeGreaterThan(0)
  expect(prompts[0]).toContain('channel_agui_b')
  thread.close()
})

it('fails a run that waits for its tools when the gateway leaves the session', { timeout: 20_000 }, async () => {
  const { thread, start } = await threadWithTool()
  const started = start('b')
  thread.close()
  await expect(started).rejects.toMatchObject({ code: 'disconnected' })
})
