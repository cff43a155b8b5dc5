// Conversations about runs: prompts, queues, aborts, tools, questions and blobs.
import { largeImage, prompted } from './log-scenes.ts'
import { isEvent } from '../harness/wire-client.ts'
import type { Frame } from '../harness/wire-client.ts'
import { askAll, createdSession } from './wire-scene.ts'
import type { WireScene } from './wire-scene.ts'

const call = (name: string, args: object): object => ({ name, arguments: args })
const waiting = call('bash', { command: 'echo begun; until test -e go; do sleep 0.01; done; echo over' })

const run: WireScene = {
  name: 'run',
  files: { 'a.txt': 'alpha\n' },
  script: [
    { thinking: 'Hm.', text: 'I read.', toolCalls: [call('read', { path: 'a.txt' })], usage: { input: 10, output: 2 } },
    { toolCalls: [call('write', { path: 'b.txt', content: 'beta\n' })] }, // calls of one answer end in any order
    { toolCalls: [call('bash', { command: 'cat b.txt' })] },
    { text: 'Read.', usage: { input: 20, output: 3 } },
    { error: { kind: 'refused', message: 'no' } },
  ],
  talk: async (client, { cwd, env, model }) => {
    const session = await createdSession(client, { cwd, env, model })
    await askAll(client, [
      { type: 'attach', session, after: 5 },
      { type: 'attach', session, after: 0, tail: 1 },
      { type: 'attach', session, after: 0 },
    ])
    const from = client.frames.length
    await client.result({ type: 'prompt', session, text: 'Read', opId: 'op-1' })
    await client.until(isEvent('agent_settled'), from)
    await askAll(client, [
      { type: 'prompt', session, text: 'Read', opId: 'op-1' },
      { type: 'prompt', session, text: 'Another', opId: 'op-1' },
      { type: 'get_stats', session },
      { type: 'get_context', session },
      { type: 'get_diff', session },
      { type: 'detach', session },
      { type: 'attach', session, tail: 2 },
      { type: 'attach', session, after: 3, deltas: false },
    ])
    await prompted(client, session, 'Fail')
    await askAll(client, [
      { type: 'abort', session },
      { type: 'continue', session },
    ])
    await client.quiet(50)
  },
}

const streaming: WireScene = {
  name: 'streaming',
  script: [{ thinking: 'Hm. é😀', text: 'Piece by piece', pieceLength: 5, end: 'never' }, 'After it.'],
  talk: async (client, { cwd, env, model }) => {
    const session = await createdSession(client, { cwd, env, model })
    await client.result({ type: 'attach', session })
    await client.result({ type: 'prompt', session, text: 'Go' })
    await client.quiet(60)
    await askAll(client, [
      { type: 'get_state', session },
      { type: 'attach', session, after: 0 },
      { type: 'prompt', session, text: 'Busy' },
      { type: 'prompt', session, text: 'Queued', whileRunning: 'follow_up' },
      { type: 'steer', session, text: 'Steered' },
      { type: 'edit_queued', session, queueId: 'aaaaaaaa', text: 'None' },
      { type: 'clear_queue', session, queue: 'steering' },
      { type: 'branch_session', session, entryId: null },
      { type: 'abort', session },
      { type: 'continue', session },
    ])
    await client.until(isEvent('agent_end'), client.frames.findIndex(isEvent('agent_settled')))
    await client.quiet(50)
  },
}

const progress: WireScene = {
  name: 'progress',
  script: [{ toolCalls: [waiting] }, 'Over.'],
  talk: async (client, { cwd, env, model }) => {
    const session = await createdSession(client, { cwd, env, model })
    await client.result({ type: 'attach', session, after: 0 })
    await client.result({ type: 'prompt', session, text: 'Go' })
    await client.until(isEvent('tool_execution_update'))
    await client.quiet(60)
    await askAll(client, [
      { type: 'attach', session },
      { type: 'get_state', session },
    ])
    const from = client.frames.length
    await client.result({ type: 'run_tool', name: 'write', args: { path: 'go', content: '' }, cwd })
    await client.until(isEvent('agent_settled'), from)
    await client.quiet(60)
    await client.result({ type: 'user_bash', session, command: 'echo by hand', exclude: true })
    await client.until(isEvent('job_end'), from)
    await client.quiet(60)
    const { jobId } = await client.result({ type: 'user_bash', session, command: 'sleep 60' })
    await askAll(client, [
      { type: 'get_state', session },
      { type: 'kill_job', session, jobId },
      { type: 'kill_job', session, jobId: 'aaaaaaaa' },
    ])
  },
}

/** A call of a client tool needs an approval; here the same client approves it. */
const channelTools: WireScene = {
  name: 'channel-tools',
  script: [
    { toolCalls: [call('channel_editor_look', { line: 7 })] },
    { toolCalls: [call('channel_editor_look', { line: 8 })] },
    'It says so.',
  ],
  talk: async (client, { cwd, env, model }) => {
    await client.result({ type: 'hello', client: 'editor', ui: true })
    const session = await createdSession(client, { cwd, env, model })
    const parameters = { type: 'object', properties: { line: { type: 'integer' } }, required: ['line'] }
    const tools = [{ name: 'look', description: 'The text of a line', parameters }]
    await askAll(client, [
      { type: 'attach', session, after: 0, tools },
      { type: 'list_tools', session },
      { type: 'prompt', session, text: 'Go' },
    ])
    const requests = await client.until(isEvent('ui_request'))
    const { requestId } = requests['event'] as Frame
    const answer = { type: 'ui_response', session, requestId, outcome: 'once' }
    await askAll(client, [{ type: 'get_state', session }, { ...answer, outcome: 'perhaps' }, answer, answer])
    const { callId } = await client.until(({ type }) => type === 'channel_call')
    const result = { type: 'channel_result', callId, content: [{ type: 'text', text: 'line seven' }] }
    const from = client.frames.length
    await askAll(client, [result, result])
    const again = await client.until(isEvent('ui_request'), from)
    const denied = {
      ...answer,
      requestId: (again['event'] as Frame)['requestId'],
      outcome: 'deny',
      text: 'Not this line',
    }
    await client.ask(denied)
    await client.until(isEvent('agent_settled'), from)
    await askAll(client, [{ type: 'detach', session }])
  },
}

const blobs: WireScene = {
  name: 'blobs',
  files: { 'large.png': largeImage },
  script: [{ toolCalls: [call('read', { path: 'large.png' })] }, 'A picture.'],
  talk: async (client, { cwd, env, model }) => {
    const session = await createdSession(client, { cwd, env, model })
    await client.result({ type: 'attach', session, after: 0 })
    await prompted(client, session, 'Look')
    const log = JSON.stringify(client.frames)
    const hash = /"blob":"([0-9a-f]{64})"/.exec(log)?.[1] ?? ''
    await askAll(client, [
      { type: 'get_blob', session, hash, offset: 0, limit: 30 },
      { type: 'get_blob', session, hash, offset: 69_990, limit: 30 },
      { type: 'get_blob', session, hash: '0'.repeat(64) },
      { type: 'get_entries', session, after: 0 },
    ])
  },
}

/** The last conversation: the server ends. */
const shutdown: WireScene = {
  name: 'shutdown',
  script: [{ text: 'So', end: 'never' }],
  talk: async (client, { cwd, env, model }) => {
    const session = await createdSession(client, { cwd, env, model })
    await client.result({ type: 'attach', session, after: 0 })
    await client.result({ type: 'prompt', session, text: 'Go' })
    await client.quiet(60)
    await client.ask({ type: 'shutdown' })
    await client.quiet(200)
  },
}

export { blobs, channelTools, progress, run, shutdown, streaming }
