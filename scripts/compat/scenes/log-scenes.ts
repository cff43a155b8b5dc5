// Situations that leave one session log each.
// They are runs of the command and of a server with scripted models.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { questionsScene } from './questions-scene.ts'
import type { Workspace } from '../harness/place.ts'
import { isEvent, wireClient } from '../harness/wire-client.ts'
import type { Frame, WireClient } from '../harness/wire-client.ts'

export interface LogScene {
  readonly name: string
  /** Leaves exactly one new log in the place, and no server. */
  play(workspace: Workspace, build: string): Promise<void>
}

const usage = { input: 120, output: 30, cacheRead: 10 }
const call = (name: string, args: object): object => ({ name, arguments: args })

/** A picture only by its first bytes; larger than the limit of a log line. */
export const largeImage = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(70_000)])

const print =
  (answers: readonly unknown[], args: readonly string[] = ['-p', 'Go on'], exit = 0): LogScene['play'] =>
  async (workspace, build) => {
    const model = workspace.scripted(`print-${answers.length}`, answers)
    const { code, stderr } = await workspace.run(build, [...args, '--model', model])
    if (code !== exit) throw new Error(`The command ended with ${code}, not ${exit}: ${stderr}`)
  }

/** A scene with a server: `act` gets a client that is attached to a new session. */
const served =
  (answers: readonly unknown[], act: (client: WireClient, session: string) => Promise<void>): LogScene['play'] =>
  async (workspace, build) => {
    const model = workspace.scripted('served', answers)
    const server = await workspace.serve(build)
    const client = await wireClient(workspace.socket)
    const created = await client.result({ type: 'new_session', cwd: workspace.folder, env: workspace.env, model })
    const session = String(created['session'])
    await client.result({ type: 'attach', session, after: 0 })
    await act(client, session)
    await client.close()
    await server.stop()
  }

/** Sends a prompt and resolves when its run has settled. */
export async function prompted(client: WireClient, session: string, text: string): Promise<void> {
  const from = client.frames.length
  await client.result({ type: 'prompt', session, text })
  await client.until(isEvent('agent_settled'), from)
}

const tools: LogScene = {
  name: 'tools',
  play: print([
    {
      thinking: 'I write it first.',
      text: 'One moment.',
      toolCalls: [call('write', { path: 'notes/a.txt', content: 'alpha\nbeta\n' })],
      usage,
    },
    { toolCalls: [call('edit', { path: 'notes/a.txt', edits: [{ oldText: 'beta', newText: 'gamma' }] })], usage },
    { toolCalls: [call('bash', { command: 'cat notes/a.txt; exit 3' }), call('read', { path: 'notes/a.txt' })], usage },
    { toolCalls: [call('read', { path: 'missing.txt' }), call('nothing', {})], usage },
    { text: 'Done.', usage },
  ]),
}

const aborted: LogScene = {
  name: 'aborted',
  play: served(
    [{ text: 'This never ends', toolCalls: [call('bash', { command: 'sleep 60' })] }],
    async (client, id) => {
      await client.result({ type: 'prompt', session: id, text: 'Wait' })
      await client.until(isEvent('tool_execution_start'))
      await client.result({ type: 'abort', session: id })
    },
  ),
}

const queued: LogScene = {
  name: 'queued',
  play: served(
    [{ toolCalls: [call('bash', { command: 'until test -e go; do sleep 0.01; done' })] }, 'Two.', 'Three.', 'Four.'],
    async (client, session) => {
      await client.result({ type: 'prompt', session, text: 'One', whileRunning: 'steer' })
      await client.until(isEvent('tool_execution_start'))
      await client.result({ type: 'steer', session, text: 'Steered' })
      await client.result({ type: 'follow_up', session, text: 'Later' })
      const { queueId } = await client.result({ type: 'follow_up', session, text: 'Edited' })
      await client.result({ type: 'edit_queued', session, queueId, text: 'Much later' })
      const removed = await client.result({ type: 'follow_up', session, text: 'Removed' })
      await client.result({ type: 'remove_queued', session, queueId: removed['queueId'] })
      await client.result({ type: 'user_bash', session, command: 'touch go' })
      await client.until(isEvent('agent_settled'))
      await client.result({ type: 'steer', session, text: 'For the next run' })
    },
  ),
}

const failed: LogScene = {
  name: 'failed',
  play: print(
    [
      { error: { kind: 'overloaded', status: 529, message: 'busy', retryAfterMs: 1 } },
      { text: 'Half an ans', error: { kind: 'bad_request', status: 400, message: 'no such field' } },
    ],
    ['-p', 'Fail'],
    3,
  ),
}

const limited: LogScene = {
  name: 'limited',
  play: print(
    [{ toolCalls: [call('bash', { command: 'true' })] }, { toolCalls: [call('bash', { command: 'false' })] }],
    ['-p', 'Twice', '--max-turns', '2'],
    4,
  ),
}

const branched: LogScene = {
  name: 'branched',
  play: served(
    [
      { text: 'First.', toolCalls: [call('write', { path: 'branch.txt', content: 'one\n' })] },
      'First is done.',
      { toolCalls: [call('write', { path: 'branch.txt', content: 'two\n' })] },
      'Second is done.',
      '## Goal\nA summary of the branch.',
      'Third.',
      'Fourth.',
    ],
    async (client, session) => {
      await prompted(client, session, 'First')
      await prompted(client, session, 'Second')
      const tree = await client.result({ type: 'get_entries', session, after: 0 })
      const entries = tree['entries'] as readonly Frame[]
      const [entryId, labelled] = [entries[3]?.['entryId'], entries[1]?.['entryId']]
      await client.result({ type: 'set_label', session, entryId: labelled, label: 'the good one' })
      await client.result({ type: 'branch_session', session, entryId, summarise: true })
      await prompted(client, session, 'Third')
      await client.result({ type: 'undo', session })
      await prompted(client, session, 'Fourth')
      await client.result({ type: 'undo', session })
    },
  ),
}

const settings: LogScene = {
  name: 'settings',
  play: async (workspace, build) => {
    const other = workspace.scripted('other', ['From the other model.'])
    await served(['From the first model.'], async (client, session) => {
      await client.result({ type: 'set_thinking_level', session, thinkingLevel: 'high' })
      await client.result({ type: 'set_active_tools', session, tools: ['read', 'bash'] })
      await client.result({ type: 'set_queue_mode', session, queue: 'steering', mode: 'all' })
      await client.result({ type: 'rename_session', session, title: 'A title' })
      const from = client.frames.length
      await client.result({ type: 'user_bash', session, command: 'echo by hand' })
      await client.until(isEvent('job_end'), from)
      await prompted(client, session, 'First')
      await client.result({ type: 'set_model', session, model: other })
      await client.result({ type: 'rename_session', session, title: '' })
      await prompted(client, session, 'Second')
    })(workspace, build)
  },
}

const images: LogScene = {
  name: 'images',
  play: async (workspace, build) => {
    writeFileSync(path.join(workspace.folder, 'large.png'), largeImage)
    writeFileSync(path.join(workspace.folder, 'small.png'), largeImage.subarray(0, 40))
    const answers = [{ toolCalls: [call('read', { path: 'large.png' })] }, 'Two pictures.']
    await print(answers, ['-p', 'Look', '@large.png', '@small.png'])(workspace, build)
  },
}

/** The log ends in the middle of an answer, after a tool call. */
const crashed: LogScene = {
  name: 'crashed',
  play: async (workspace, build) => {
    const bash = call('bash', { command: 'echo before the crash' })
    const model = workspace.scripted('crashed', [
      { text: 'Looking.', toolCalls: [bash] },
      { thinking: 'Hm.', text: 'word after word '.repeat(2_500), pieceLength: 1_000, end: 'never' },
    ])
    const server = await workspace.serve(build)
    const client = await wireClient(workspace.socket)
    const created = await client.result({ type: 'new_session', cwd: workspace.folder, env: workspace.env, model })
    const session = String(created['session'])
    await client.result({ type: 'attach', session, after: 0, deltas: false })
    await client.result({ type: 'prompt', session, text: 'Write a lot', opId: 'prompt-1' })
    await client.result({ type: 'follow_up', session, text: 'Waiting' })
    await client.quiet(400) // longer than the interval of checkpoints
    await server.kill()
    await client.close()
  },
}

/** A session of pi with a compaction: this build writes such a line for imports only. */
const compacted: LogScene = {
  name: 'compacted',
  play: async (workspace, build) => {
    const at = '2025-11-20T23:33:50.805Z'
    const message = (id: string, parentId: string | null, content: string): object => ({
      ...{ type: 'message', id, parentId, timestamp: at },
      message: { role: 'user', content, timestamp: 1_763_681_630_805 },
    })
    const lines = [
      { type: 'session', version: 3, id: '0199a3c4-0000-7000-8000-000000000000', timestamp: at, cwd: workspace.folder },
      message('aaaaaaaa', null, 'An old question'),
      message('bbbbbbbb', 'aaaaaaaa', 'A kept question'),
      {
        ...{ type: 'compaction', id: 'cccccccc', parentId: 'bbbbbbbb', timestamp: at },
        ...{ summary: 'What came before.', firstKeptEntryId: 'bbbbbbbb', tokensBefore: 5_000 },
      },
      message('dddddddd', 'cccccccc', 'A new question'),
    ]
    const file = path.join(workspace.top, 'pi.jsonl')
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const { code, stderr } = await workspace.run(build, ['sessions', 'import', file])
    if (code !== 0) throw new Error(`The import failed: ${stderr}`)
  },
}

/** A log of more than 256 KiB: the store writes a state snapshot beside it when the session is closed. */
const large: LogScene = {
  name: 'large',
  play: async (workspace, build) => {
    writeFileSync(path.join(workspace.folder, 'long.txt'), 'a line of a long file\n'.repeat(1_900))
    const read = call('read', { path: 'long.txt' })
    const answers = [...Array.from({ length: 7 }, () => ({ toolCalls: [read] })), 'Read seven times.']
    await print(answers)(workspace, build)
  },
}

export const logScenes: readonly LogScene[] = [
  { name: 'plain', play: print([{ thinking: 'Hm.', text: 'A short answer. é😀', pieceLength: 4, usage }]) },
  ...[tools, aborted, queued, failed, limited, branched, settings, images, crashed, compacted, large],
  { name: 'questions', play: questionsScene },
]
