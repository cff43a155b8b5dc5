// Tests a client that offers its files to a server process: unsaved texts, the sandbox, refusals, a killed client.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { EMPTY, ignoreElements, merge, mergeMap, of, takeWhile, toArray } from 'rxjs'
import { expect, it } from 'vitest'
import { connect } from '../../lib/server/client/client.ts'
import type { Client } from '../../lib/server/client/client.ts'
import type { OfferedFiles } from '../../lib/server/client-tools/file-tools.ts'
import type { ClientEvent } from '../../lib/server/protocol/server-frame.ts'
import { connectSocket } from '../../lib/server/socket/connect-socket.ts'
import type { CommandNamed } from '../../lib/streams/commands/command.ts'
import { noSandbox } from '../host/sandbox/box.ts'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'
import { resultOf } from '../support/result-of.ts'
import { startServing } from './start-serving.ts'

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)
const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })
const read = call('read', { path: 'a.txt' })
const edit = call('edit', { path: 'a.txt', edits: [{ oldText: 'typed', newText: 'changed' }] })

interface Opened {
  readonly client: Client
  readonly session: string
}

async function open(
  workspace: Workplace,
  script: readonly unknown[],
  setup: Partial<CommandNamed<'new_session'>> = {},
): Promise<Opened> {
  const model = `scripted/${workspace.write('../script.json', JSON.stringify(script))}`
  const client = connect(await resultOf(connectSocket(workspace.socket)))
  const { PATH = '' } = process.env
  const command = { type: 'new_session', cwd: workspace.folder, env: { PATH }, model, ...setup } as const
  const { session } = await resultOf(client.request(command))
  return { client, session }
}

const hasSettled = (received: ClientEvent): boolean =>
  received.type === 'event' && received.event.type === 'agent_settled'

/** The results of the tools of one run. @param files offered while it lasts */
async function run({ client, session }: Opened, files?: OfferedFiles): Promise<string[]> {
  const sent$ = client.request({ type: 'prompt', session, text: 'Go.' }).pipe(ignoreElements())
  const all = await resultOf(
    client.events$(session, files === undefined ? {} : { files }).pipe(
      mergeMap((received) => merge(of(received), received.type === 'attached' ? sent$ : EMPTY)),
      takeWhile((received) => !hasSettled(received), true),
      toArray(),
    ),
  )
  return all.flatMap((received) => {
    if (received.type !== 'event' || received.event.type !== 'tool_execution_end') return []
    return [received.event.content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')]
  })
}

/** A client whose text of a.txt is not saved. */
function editor({ at }: { at(name: string): string }) {
  const requests: string[] = []
  const files: OfferedFiles = {
    read: (name) => {
      requests.push(`read ${path.basename(name)}`)
      return of(name === at('a.txt') ? 'typed\n' : undefined)
    },
    write: (name, text) => {
      requests.push(`write ${path.basename(name)}`)
      writeFileSync(name, text)
      return of(undefined)
    },
  }
  return { requests, files }
}

it('reads and changes its texts; files outside of the folder and refused changes do not reach it [ATTACH-files]', async () => {
  using workspace = workplace({ 'a.txt': 'saved\n', '../b.txt': 'outside\n' })
  const at = (name: string): string => path.join(workspace.folder, name)
  await startServing(workspace)
  const outside = call('read', { path: '../b.txt' })
  const opened = await open(workspace, [read, outside, edit, 'done'], { sandbox: 'off', approve: 'auto' })
  const { requests, files } = editor({ at })
  const results = await run(opened, files)
  expect(results).toMatchObject([/typed/, /^outside/, /^Made 1 edit/].map(matching))
  expect(readFileSync(at('a.txt'), 'utf8')).toBe('changed\n')
  expect(requests).toEqual(['read a.txt', 'read a.txt', 'write a.txt'])
  opened.client.close()
  const asking = await open(workspace, [edit, 'done'], { approve: 'ask' })
  expect(await run(asking, files)).toMatchObject([matching(/approv|not allowed/i)])
  expect(requests.filter((each) => each.startsWith('write'))).toHaveLength(1)
  asking.client.close()
  await workspace.stop()
})

it.skipIf(noSandbox !== undefined)('is not asked while a job runs in the sandbox [ATTACH-files]', async () => {
  using workspace = workplace({ 'a.txt': 'saved\n' })
  await startServing(workspace)
  const job = call('bash', { command: 'sleep 60', background: true })
  const opened = await open(workspace, [read, job, read, 'done'], { sandbox: 'workspace' })
  const { requests, files } = editor({ at: (name) => path.join(workspace.folder, name) })
  const results = await run(opened, files)
  expect(results).toMatchObject([/^typed/, /job/, /^saved[^]*while a command runs in the sandbox/].map(matching))
  expect(requests).toEqual(['read a.txt'])
  opened.client.close()
  await workspace.stop()
})

/** Attaches with its files, reports the first call and never answers. */
const silentClient = `
const [socket, session] = process.argv.slice(1)
const client = require('node:net').connect(socket)
client.write(JSON.stringify({ id: '1', type: 'attach', session, environment: { files: 'read_write' } }) + '\\n')
client.on('data', (data) => {
  if (data.includes('"ok":true')) console.log('attached')
  if (data.includes('client/read_file')) console.log('called')
})`

it('that is killed in the middle of a read costs nothing but its text [ATTACH-files]', async () => {
  using workspace = workplace({ 'a.txt': 'saved\n' })
  await startServing(workspace)
  const opened = await open(workspace, [read, read, 'done'])
  const silent = spawn(process.execPath, ['-e', silentClient, workspace.socket, opened.session], { stdio: ['ignore', 'pipe', 'inherit'] }) // prettier-ignore
  const lines = silent.stdout.setEncoding('utf8')
  await once(lines, 'data')
  const over = run(opened)
  await once(lines, 'data')
  silent.kill('SIGKILL')
  expect(await over).toMatchObject([/^saved\n[^]*left the session/, /^saved\n$/].map(matching))
  opened.client.close()
  await workspace.stop()
})
