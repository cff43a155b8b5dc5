// Situations of a client of one build with a server of another: the library's client and the command.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { numberedLines } from './facts.ts'
import { withoutGainedLines } from './gained-events.ts'
import { follow, typesOf } from './library-client.ts'
import type { Follower } from './library-client.ts'
import type { Workspace, ServerProcess } from './harness/place.ts'

export interface Pair {
  readonly place: Workspace
  /** The root folder of the client's build. */
  readonly client: string
  /** The root folder of the server's build. */
  readonly build: string
  /** Starts a server; the caller of the situation ends it. */
  serve(): Promise<ServerProcess>
}

export interface Situation {
  readonly name: string
  /** Rejects if a check fails. */
  play(pair: Pair): Promise<void>
}

const call = (name: string, args: object): object => ({ name, arguments: args })
const waiting = call('bash', { command: 'echo begun; until test -e go; do sleep 0.01; done; rm go' })

/** A new session of a model with these answers, on a new server. */
async function following({ place: workspace, client, serve }: Pair, answers: readonly unknown[]): Promise<Follower> {
  await serve()
  const model = workspace.scripted('pair', answers)
  return follow(client, { socket: workspace.socket, create: { cwd: workspace.folder, env: workspace.env, model } })
}

const linesOf = ({ events }: Follower): string[] =>
  events.flatMap((event) => (event.type === 'event' && event.line !== undefined ? [event.line] : []))

function newestLog(workspace: Workspace): string {
  const log = workspace.logs().at(-1)
  assert(log !== undefined, 'there is a log')
  return log
}

const tools: Situation = {
  name: 'a prompt with tool calls',
  play: async (pair) => {
    const follower = await following(pair, [
      { text: 'I write.', toolCalls: [call('write', { path: 'a.txt', content: 'alpha\n' })] },
      { toolCalls: [call('bash', { command: 'cat a.txt' })] },
      'Done.',
    ])
    await follower.ask({ type: 'prompt', text: 'Write' })
    await follower.until('agent_settled')
    assert.deepEqual(withoutGainedLines(linesOf(follower)), withoutGainedLines(numberedLines(newestLog(pair.place))))
    assert.equal(typesOf(follower.events).filter((type) => type === 'tool_execution_end').length, 2)
    follower.close()
  },
}

const queues: Situation = {
  name: 'steer and follow up',
  play: async (pair) => {
    const follower = await following(pair, [{ toolCalls: [waiting] }, 'Two.', 'Three.'])
    await follower.ask({ type: 'prompt', text: 'One' })
    await follower.until('tool_execution_update')
    await follower.ask({ type: 'steer', text: 'Steered' })
    await follower.ask({ type: 'follow_up', text: 'Later' })
    await follower.ask({ type: 'user_bash', command: 'touch go' })
    await follower.until('agent_settled')
    const { entries } = await follower.ask({ type: 'get_entries', after: 0 })
    const users = JSON.stringify(entries).match(/"role":"user"/g)
    assert.equal(users?.length, 3)
    follower.close()
  },
}

const abort: Situation = {
  name: 'abort',
  play: async (pair) => {
    const follower = await following(pair, [{ text: 'This never ends', end: 'never' }, 'Again.'])
    await follower.ask({ type: 'prompt', text: 'Wait' })
    await follower.until('message_update')
    await follower.ask({ type: 'abort' })
    const { lastEnd } = (await follower.ask({ type: 'get_state' })) as { lastEnd?: { terminationReason: string } }
    assert.equal(lastEnd?.terminationReason, 'aborted')
    const from = follower.events.length
    await follower.ask({ type: 'prompt', text: 'Go on' })
    await follower.until('agent_settled', from)
    follower.close()
  },
}

const reconnect: Situation = {
  name: 'reconnect after kill -9 of the server',
  play: async (pair) => {
    const { place: workspace, client } = pair
    const model = workspace.scripted('pair', [{ text: 'word '.repeat(400), pieceLength: 5, pieceDelayMs: 5 }, 'Later.'])
    const first = await pair.serve()
    const create = { cwd: workspace.folder, env: workspace.env, model }
    const follower = await follow(client, { socket: workspace.socket, create })
    const answer = await follower.ask({ type: 'prompt', text: 'Write' }, 'op-1')
    await follower.until('message_update')
    await first.kill()
    await pair.serve()
    await follower.until('agent_settled')
    const ends = follower.events.flatMap((event) => (event.type === 'event' ? [event.event] : []))
    const end = ends.find((event) => event.type === 'agent_end')
    assert.equal(end?.terminationReason, 'crashed')
    assert.deepEqual(await follower.ask({ type: 'prompt', text: 'Write' }, 'op-1'), answer)
    assert.deepEqual(linesOf(follower), numberedLines(newestLog(workspace)))
    follower.close()
  },
}

const print: Situation = {
  name: 'print mode in a session of the server',
  play: async (pair) => {
    const follower = await following(pair, ['One.', 'Two.', 'Three.'])
    await follower.ask({ type: 'prompt', text: 'Begin' })
    await follower.until('agent_settled')
    const from = follower.events.length
    const text = await pair.place.run(pair.client, ['--session', follower.session, '-p', 'Go on'])
    assert.deepEqual([text.code, text.stdout], [0, 'Two.\n'])
    await follower.until('agent_settled', from)
    const json = await pair.place.run(pair.client, ['-c', '--mode', 'json', '-p', 'Go on'])
    assert.equal(json.code, 0)
    const all = readFileSync(newestLog(pair.place), 'utf8').trimEnd().split('\n')
    const [header, ...lines] = json.stdout.trimEnd().split('\n')
    assert.equal(header, all[0])
    assert.deepEqual(lines, numberedLines(newestLog(pair.place)).slice(-lines.length))
    follower.close()
  },
}

const attach: Situation = {
  name: 'rxpi attach',
  play: async (pair) => {
    const follower = await following(pair, ['One.'])
    await follower.ask({ type: 'prompt', text: 'Begin' })
    await follower.until('agent_settled')
    const child = pair.place.start(pair.client, ['attach', follower.session, '--json', '--after', '0'])
    const expected = readFileSync(newestLog(pair.place), 'utf8')
    let shown = ''
    await new Promise<void>((resolve, reject) => {
      child.stdout?.setEncoding('utf8').on('data', (text: string) => {
        shown += text
        if (shown.length >= expected.length) resolve()
      })
      child.once('exit', () => reject(new Error(`rxpi attach ended after ${shown.length} characters`)))
    })
    child.kill('SIGINT')
    assert.equal(shown, expected)
    follower.close()
  },
}

const manage: Situation = {
  name: 'list, rename, show, status and stop',
  play: async (pair) => {
    const { place: workspace, client } = pair
    const follower = await following(pair, ['One.'])
    await follower.ask({ type: 'prompt', text: 'Begin' })
    await follower.until('agent_settled')
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await workspace.run(client, args)
      assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
      return stdout
    }
    await run('sessions', 'rename', follower.session, 'A title')
    assert.match(await run('sessions', 'list', '--json'), new RegExp(`${follower.session}.*A title`))
    assert.match(await run('sessions', 'show', follower.session), /One\./)
    assert.match(await run('sessions', 'verify', follower.session, '--json'), /"clean":true/)
    assert.match(await run('status', '--json'), /"running":true/)
    follower.close()
    await run('stop')
    assert.equal((await workspace.run(client, ['status'])).code, 1)
  },
}

export const clientSituations: readonly Situation[] = [tools, queues, abort, reconnect, print, attach, manage]
