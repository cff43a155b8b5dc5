// Tests the examples of extensions as a person installs them: copied, trusted by the command, in real runs and at a server.
// Over 250 lines: all examples, so that they share the programs and folders of their scenes.
/* eslint-disable rxjs-x/no-ignored-default-value -- a test fails if nothing is emitted */
import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { firstValueFrom } from 'rxjs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { connect, eventsOf } from '../../lib/client.ts'
import type { ReconnectingClient } from '../../lib/client.ts'
import { connectSocket } from '../../lib/server/index.ts'
import type { AgentEvent } from '../../lib/streams/events/event.ts'
import { workplace } from '../support/command.ts'
import type { Running, Workplace } from '../support/command.ts'
import { withCompileCache } from '../support/compile-cache.ts'
import { isFull } from '../support/sample-size.ts'

const examples = path.resolve('examples/extensions')
/** Installed for the user; the others are named with `--extension`. */
const installed = ['checksum.ts', 'git-checkpoint.ts', 'cost-meter.ts', 'provider.ts', 'todo']

let workspace: Workplace
let server: Running
let client: ReconnectingClient

beforeAll(async () => {
  workspace = workplace({ 'a.txt': 'one\n', '.env': 'KEY=1\n' })
  for (const name of installed) cpSync(path.join(examples, name), path.join(workspace.config, 'extensions', name), { recursive: true }) // prettier-ignore
  const git = (...args: string[]) => execFileSync('git', args, { cwd: workspace.folder, stdio: 'pipe' })
  git('init', '-q')
  git('config', 'user.email', 'a@example.org')
  git('config', 'user.name', 'A')
  git('add', 'a.txt')
  git('commit', '-qm', 'one')
  expect(await workspace.run(['extensions', 'trust', 'checksum', '--reason', 'read'])).toMatchObject({ code: 0 })
  workspace.configure('settings.json', { extensions: { checksum: { algorithm: 'sha1' } } })
  server = workspace.start(['serve'])
  await server.outputText('listening at')
  client = connect({ open: () => connectSocket(workspace.socket), hello: { client: 'test', ui: true }, attempts: 3 })
  // as `/extensions` of the terminal UI does; a process for each would take a second
  const { extensions } = await firstValueFrom(client.request({ type: 'extension_list', cwd: workspace.folder }))
  for (const { id, digest, state } of extensions) {
    if (state !== 'pending') continue
    const decision = { type: 'extension_trust', cwd: workspace.folder, extension: id, answer: 'trust', digest } as const
    await firstValueFrom(client.request(decision))
  }
}, 120_000)

afterAll(async () => {
  client.close()
  await workspace.stop()
  await server.ended
  workspace[Symbol.dispose]()
})

const call = (name: string, args: object) => ({ toolCalls: [{ name, arguments: args }] })

interface Conversation {
  readonly session: string
  /** So far. */
  readonly events: readonly AgentEvent[]
  /** Sends a prompt, and resolves when its run has settled; for a command of an extension with its answer. */
  send(text: string): Promise<string | undefined>
}

function allow(session: string, requestId: string): void {
  client.request({ type: 'ui_response', session, requestId, outcome: true }).subscribe()
}

/** A new session at the server, with a model that answers from the script. Every question is answered with yes. */
async function converse(script: readonly object[]): Promise<Conversation> {
  const command = {
    type: 'new_session',
    cwd: workspace.folder,
    env: { ...workspace.env },
    model: workspace.scripted(script),
  } as const
  const { session, notices } = await firstValueFrom(client.request(command))
  expect(notices).toEqual([])
  const events: AgentEvent[] = []
  client
    .events$(session, { after: 0 })
    .pipe(eventsOf())
    .subscribe((event) => {
      events.push(event)
      if (event.type === 'ui_request' && event.kind === 'confirm') allow(session, event.requestId)
    })
  const settled = () => events.filter(({ type }) => type === 'agent_settled').length
  return {
    session,
    events,
    send: async (text) => {
      const before = settled()
      const result = await firstValueFrom(client.request({ type: 'prompt', session, text }))
      if (result.status === 'started') await vi.waitFor(() => expect(settled()).toBeGreaterThan(before), 20_000)
      return result.text
    },
  }
}

const results = ({ events }: Conversation): string[] =>
  events.flatMap((event) => (event.type === 'tool_execution_end' ? [textOf(event.content)] : []))
const statuses = ({ events }: Conversation, extension: string): string[] =>
  events.flatMap((event) =>
    event.type === 'status' && JSON.stringify(event.context).includes(`"extension":"${extension}"`)
      ? [event.message]
      : [],
  )

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.map(({ text = '' }) => text).join('')
}

const sha1 = createHash('sha1').update('one\n').digest('hex')

it('checksum.ts: its tool, its settings and its hooks work', async () => {
  workspace.write('a.txt', 'one\n')
  const talk = await converse([
    { toolCalls: [...call('checksum', { path: 'a.txt' }).toolCalls, ...call('read', { path: 'a.txt' }).toolCalls] },
    call('bash', { command: 'echo two > a.txt' }),
    call('write', { path: 'a.txt', content: 'three' }),
    call('read', { path: 'a.txt' }),
    { text: 'I will now stop.' },
    { text: 'Stopped.' },
    { text: 'Noted.' },
  ])
  await talk.send('sum:a.txt')
  expect(JSON.stringify(talk.events)).toContain(`a.txt (sha1 ${sha1})`)
  expect(results(talk)).toEqual([
    `${sha1}  a.txt`,
    expect.stringContaining('one'),
    expect.any(String),
    expect.stringContaining('a.txt was changed since you read it: read it again'),
    expect.stringContaining('two'),
  ])
  expect(await talk.send('/checksum')).toMatch(/^[0-9a-f]{12} {2}\/.*a\.txt$/)
  await expect(talk.send('Make an md5 sum')).rejects.toThrow('Here is sha1, not md5')
  expect(statuses(talk, 'checksum')).toEqual(expect.arrayContaining(['turn 1', '2 calls', '1 checksums']))
  expect(talk.events.filter(({ type }) => type === 'warning')).toEqual([])
  // the hook agent_end let the run go on once
  expect(talk.events.filter(({ type }) => type === 'agent_end')).toHaveLength(1)
  expect(JSON.stringify(talk.events)).toContain('Stopped.')
})

it('git-checkpoint.ts: each prompt can be taken back', async () => {
  workspace.write('a.txt', 'mine, not committed\n')
  const talk = await converse([call('bash', { command: 'echo broken > a.txt' }), { text: 'Done.' }])
  await talk.send('Break it')
  expect(readFileSync(path.join(workspace.folder, 'a.txt'), 'utf8')).toBe('broken\n')
  expect(await talk.send('/checkpoints')).toMatch(/^1 {2}[0-9a-f]{8} {2}Break it$/)
  const ref = `refs/rxpi/${talk.session}/1`
  const inGit = execFileSync('git', ['show', `${ref}:a.txt`], { cwd: workspace.folder, encoding: 'utf8' })
  expect(inGit).toBe('mine, not committed\n')
  expect(await talk.send('/restore 7')).toBe('There is no checkpoint 7; /checkpoints lists them')
  expect(await talk.send('/restore 1')).toBe('Restored')
  expect(readFileSync(path.join(workspace.folder, 'a.txt'), 'utf8')).toBe('mine, not committed\n')
})

it('cost-meter.ts: the status shows the cost, the log keeps it', async () => {
  const talk = await converse([{ text: 'Hello', usage: { input: 100, output: 10 } }])
  await talk.send('Hi')
  await vi.waitFor(() => expect(statuses(talk, 'cost-meter').at(-1)).toBe('$0.0000'), 10_000)
  expect(talk.events.filter((event) => event.type === 'custom')).toEqual([
    { type: 'custom', customType: 'cost', data: { usd: 0, unpriced: 0, tokens: 110 } },
  ])
})

it('todo/: the list is in the conversation, also after a branch', async () => {
  const add = (text: string) => call('todo_list', { action: 'add', text }).toolCalls
  const talk = await converse([
    { toolCalls: [...add('milk'), ...add('eggs')] },
    { text: 'Added.' },
    call('todo_list', { action: 'toggle', id: 1 }),
    call('todo_list', { action: 'toggle', id: 9 }),
    { text: 'Done.' },
  ])
  await talk.send('I need milk and eggs')
  expect(await talk.send('/todos')).toBe('☐ 1. milk\n☐ 2. eggs')
  const head = talk.events.flatMap((event) => (event.type === 'message_end' ? [event.entryId] : [])).at(-1) ?? ''
  expect(statuses(talk, 'todo-list').at(-1)).toBe('2 to do')
  await talk.send('/work')
  expect(JSON.stringify(talk.events)).toContain('Do this, then toggle it: 1. milk')
  expect(results(talk).slice(2)).toEqual(['☑ 1. milk\n☐ 2. eggs', 'There is no item 9'])
  expect(await talk.send('/todos')).toBe('☑ 1. milk\n☐ 2. eggs')
  const back = { type: 'branch_session', session: talk.session, entryId: head } as const
  await firstValueFrom(client.request(back))
  expect(await talk.send('/todos')).toBe('☐ 1. milk\n☐ 2. eggs')
})

it('provider.ts: its models answer from an HTTP server', async () => {
  const received: string[] = []
  const gateway = createServer((request, response) => {
    request
      .setEncoding('utf8')
      .on('data', (body: string) => received.push(`${request.headers.authorization ?? ''} ${body}`))
    request.on('end', () => {
      if (request.url === '/v1/chat/completions') {
        const usage = { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 }
        const frames = [{ choices: [{ index: 0, delta: { content: 'Hello' }, finish_reason: 'stop' }] }, { choices: [], usage }] // prettier-ignore
        response.setHeader('content-type', 'text/event-stream')
        response.end([...frames.map((frame) => JSON.stringify(frame)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')) // prettier-ignore
        return
      }
      const bytes = Buffer.from('Grüße')
      response.write(bytes.subarray(0, 5)) // a character is cut
      response.end(bytes.subarray(5))
    })
  })
  await once(gateway.listen(0, '127.0.0.1'), 'listening')
  const { port } = gateway.address() as AddressInfo
  const keyFile = path.join(workspace.folder, 'gateway.key')
  writeFileSync(keyFile, 'key-of-file\n')
  workspace.configure('settings.json', {
    extensions: { provider: { url: `http://127.0.0.1:${port}/`, keyVariable: 'HOME', keyFile } },
  })
  const talk = await converse([{ text: 'unused' }])
  await firstValueFrom(client.request({ type: 'set_model', session: talk.session, model: 'gateway/small' }))
  await talk.send('Say hello')
  expect(JSON.stringify(talk.events.findLast(({ type }) => type === 'message_end'))).toContain('Grüße')
  expect(received.join()).toContain('Bearer key-of-file {"model":"small"')
  expect(received.join()).toContain('Say hello')
  await firstValueFrom(client.request({ type: 'set_model', session: talk.session, model: 'gateway-v1/large' }))
  await talk.send('Say hello again')
  expect(received.at(-1)).toContain(`Bearer ${workspace.env['HOME'] ?? ''} {"model":"large"`)
  // cost-meter.ts counts what the prices of the entry make of the usage
  const prices = talk.events.flatMap((event) => (event.type === 'custom' ? [event.data] : []))
  expect(prices.at(-1)).toMatchObject({ usd: 0.0028, unpriced: 1, tokens: 1_100 })
  await vi.waitFor(() => expect(statuses(talk, 'cost-meter').at(-1)).toContain('$0.0028'), 10_000)
  gateway.close()
  gateway.closeAllConnections()
})

it.runIf(isFull)(
  'review/: a package with a scenario, whose tools end its phase',
  async () => {
    expect(await workspace.run(['install', path.join(examples, 'review')])).toMatchObject({ code: 0 })
    expect(await workspace.run(['extensions', 'trust', 'review'])).toMatchObject({ code: 0 })
    const write = call('write', { path: 'a.txt', content: 'repaired' })
    const finding = { file: 'a.txt', line: 1, text: 'It says one, and should say two' }
    const talk = await converse([
      ...[write, call('report_finding', finding), call('finish_review', {}), write],
      { text: 'Repaired.' },
    ])
    const { session } = talk
    await firstValueFrom(client.request({ type: 'set_scenario_phase', session, scenario: 'careful-review' }))
    await talk.send('Go')
    expect(results(talk)).toEqual([
      expect.stringContaining('The phase "look" of the scenario "careful-review" only reads'),
      'Finding 1',
      '1 open:\n- a.txt:1 It says one, and should say two',
      expect.any(String),
    ])
    expect(await talk.send('/findings')).toBe('- a.txt:1 It says one, and should say two')
    expect(readFileSync(path.join(workspace.folder, 'a.txt'), 'utf8')).toBe('repaired')
  },
  40_000,
)

it('permission-gate.ts: named in a command line, it runs when a person has trusted it', async () => {
  const gate = path.join(examples, 'permission-gate.ts')
  workspace.write('b.txt', 'stays')
  const model = workspace.scripted([
    call('bash', { command: 'rm b.txt' }),
    call('write', { path: '.env', content: 'KEY=2' }),
    call('bash', { command: 'echo fine > c.txt' }),
    { text: 'Done.' },
  ])
  const run = () => workspace.run(['-p', 'Tidy up', '--model', model, '--extension', gate])
  // `npm test` shows this refusal in test/app/commands/print/named-extensions.test.ts
  if (isFull) expect(await run()).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(`rxpi extensions trust ${gate}`) as string }) // prettier-ignore
  // in a worker of the built command
  expect(await workspace.run(['extensions', 'trust', gate, '--isolate'])).toMatchObject({ code: 0 })
  const { code, stderr } = await run()
  expect(code).toBe(1) // calls were refused
  expect(stderr).toContain('rm b.txt')
  expect(readFileSync(path.join(workspace.folder, 'b.txt'), 'utf8')).toBe('stays')
  expect(readFileSync(path.join(workspace.folder, '.env'), 'utf8')).toBe('KEY=1\n')
  expect(readFileSync(path.join(workspace.folder, 'c.txt'), 'utf8')).toBe('fine\n')
})

it('channel.ts: people in a chat are answered there', async () => {
  const model = workspace.scripted([
    call('channel_chat_history', { channel: 'general', last: 5 }),
    call('channel_chat_post', { channel: 'general', text: 'The build is green' }),
    { text: 'Posted.' },
  ])
  workspace.configure('settings.json', { model })
  const chat = spawn(process.execPath, [path.resolve('examples/channel.ts')], {
    cwd: workspace.folder,
    env: withCompileCache({ ...workspace.env }),
  })
  const printed: string[] = []
  chat.stdout.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  chat.stderr.setEncoding('utf8').on('data', (text: string) => printed.push(text))
  chat.stdin.write('#general bob: lunch?\n#general ada: @rxpi is the build green?\n')
  await vi.waitFor(() => expect(printed.join('')).toBe('#general rxpi: The build is green\n'), 10_000)
  chat.stdin.end()
  expect(await once(chat, 'exit')).toEqual([0, null])
  const log = workspace.logs().at(-1)?.lines.join('\n') ?? ''
  expect(log).toContain('bob: lunch?')
  expect(log).toContain('ada in #general: @rxpi is the build green?')
})

it('are short, and docs/extensions.md names each', () => {
  const files = readdirSync(examples, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'))
  const page = readFileSync('docs/extensions.md', 'utf8')
  for (const name of files)
    expect(readFileSync(path.join(examples, name), 'utf8').split('\n').length).toBeLessThanOrEqual(130)
  for (const name of readdirSync(examples)) expect(page).toContain(`examples/extensions/${name}`)
})
