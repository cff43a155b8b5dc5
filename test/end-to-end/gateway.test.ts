// Tests `rxpi serve --http` of the built command: its token, AG-UI runs, a killed and restarted server, and its end.
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { HttpAgent } from '@ag-ui/client'
import { describe, expect, it } from 'vitest'
import { workplace } from '../support/command.ts'
import type { Running, Workplace } from '../support/command.ts'

async function serve(project: Workplace, port = '0'): Promise<{ server: Running; url: string; bearer: object }> {
  const server = project.start(['serve', '--http', port], { stdin: null })
  const file = join(project.home, 'http-token')
  await server.outputText(file)
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(server.stderr) ?? []
  const token = readFileSync(file, 'utf8').trim()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(server.stdout + server.stderr).not.toContain(token)
  return { server, url, bearer: { authorization: `Bearer ${token}` } }
}

describe('rxpi serve --http', () => {
  it('runs a thread of AG-UI, also after a kill: the run before is refused, and the conversation goes on [AGUI-request-errors]', async () => {
    using project = workplace({ 'notes.txt': 'a line\n' })
    const answers = (id: string) => [
      { toolCalls: [{ id, name: 'read', arguments: { path: 'notes.txt' } }] },
      { text: 'It has a line.' },
    ]
    const model = project.scripted(answers('call_1'))
    project.configure('settings.json', { model })
    const first = await serve(project)
    expect((await fetch(`${first.url}/`, { headers: { ...first.bearer } })).status).toBe(404) // no page
    expect(await (await fetch(`${first.url}/health`)).json()).toEqual({ status: 'ok' })
    const agentAt = ({ url, bearer }: typeof first) =>
      new HttpAgent({ url: `${url}/ag-ui`, headers: { ...bearer }, threadId: 'my-thread' })
    const agent = agentAt(first)
    agent.addMessage({ id: 'm1', role: 'user', content: 'What is in notes.txt?' })
    await agent.runAgent({ runId: 'run-1' })
    expect(agent.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(agent.messages.at(-1)?.content).toBe('It has a line.')

    first.server.child.kill('SIGKILL')
    await first.server.ended
    // the script begins anew with the server, and AG-UI's client joins messages of calls with one id
    writeFileSync(model.slice('scripted/'.length), JSON.stringify(answers('call_2')))
    const second = await serve(project, new URL(first.url).port)
    const resumed = await fetch(`${second.url}/ag-ui`, {
      method: 'POST',
      headers: { ...second.bearer, 'content-type': 'application/json', 'last-event-id': '3.2' },
      body: JSON.stringify({ threadId: 'my-thread', runId: 'run-1', messages: agent.messages }),
    })
    expect(await resumed.text()).toMatch(/"RUN_ERROR","code":"bad_request".*not stored any more/)
    const again = agentAt(second)
    again.setMessages([...agent.messages, { id: 'm2', role: 'user', content: 'Again?' }])
    await again.runAgent({ runId: 'run-2' })
    expect(again.messages.slice(4).map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
    const [log, ...others] = project.logs()
    expect(others).toEqual([]) // both runs are in one session
    expect(log?.lines.filter((line) => line.includes('"type":"agent_start"'))).toHaveLength(2)

    second.server.child.kill('SIGTERM')
    expect((await second.server.ended).code).toBe(0)
    await expect(fetch(`${second.url}/health`)).rejects.toThrow()
  })
})
