// Measures runs with the tool of one of pi's examples, in rxpi and in pi's own session, in turns; writes JSON.
// Argument: pi's packages.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { lastValueFrom, of } from 'rxjs'
import { loadModule } from '../lib/extensions/index.ts'
import { piModules } from '../lib/extensions/pi/modules/pi-modules.ts'
import { piExtension } from '../lib/extensions/pi/pi-extension.ts'
import type { ExtensionDefinition } from '../lib/extensions/index.ts'
import type { AssistantDelta } from '../lib/streams/messages/delta.ts'
import { lastAnswer } from './call-answers.ts'
import { withExtensionSession } from './extension-session.ts'
import { piCall } from './pi-call.ts'
import { loadPi } from './pi-core.ts'
import type { PiStream } from './pi-core.ts'
import { piText } from './pi-text.ts'
import { usage } from './text-answer.ts'
import { timedPrompt } from './timed-prompt.ts'

/** Microseconds a turn, one figure a round. */
export interface ExampleSamples {
  readonly turns: number
  readonly ours: number[]
  readonly pi: number[]
}

/** pi's session, as far as the comparison uses it. */
interface PiSession {
  readonly agent: { streamFunction: () => PiStream }
  bindExtensions(bindings: object): Promise<void>
  subscribe(listener: (event: { readonly type: string; readonly isError?: boolean }) => void): () => void
  prompt(text: string): Promise<void>
  dispose(): void
}

interface PiCodingAgent {
  createAgentSessionServices(options: object): Promise<object>
  createAgentSessionFromServices(options: object): Promise<{ readonly session: PiSession }>
  readonly SessionManager: { create(cwd: string, folder: string): object }
}

const turns = 300
const rounds = 9
const packages = process.argv[2] ?? ''
const example = path.join(packages, 'pi-coding-agent/examples/extensions/hello.ts')
const core = await loadPi(packages)
const coding = (await import(pathToFileURL(path.join(packages, 'pi-coding-agent/dist/index.js')).href)) as PiCodingAgent // its version is pinned
const definition = await ourExtension()

await takeSamples({ turns, ours: [], pi: [] }) // compiles hot code
const samples: ExampleSamples = { turns, ours: [], pi: [] }
for (let round = 0; round < rounds; round++) await takeSamples(samples)
process.stdout.write(JSON.stringify(samples))
process.exit(0) // pi's watchers

async function takeSamples({ ours, pi }: ExampleSamples): Promise<void> {
  ours.push((await ourTime()) / turns)
  pi.push((await piTime()) / turns)
}

/** With the names that modules of pi import, as a session of a server loads it. */
async function ourExtension(): Promise<ExtensionDefinition> {
  const names = await piModules({ variables: process.env, link: {} })
  const exported = await lastValueFrom(
    loadModule({ entry: example, root: example }, () => of({ ...names })),
    { defaultValue: undefined },
  )
  return piExtension(exported, { name: 'hello', path: example, replaces: [] })
}

async function ourTime(): Promise<number> {
  let request = 0
  const provider = () => of(...(request++ < turns ? helloCall(request) : lastAnswer))
  return withExtensionSession({ provider, extensions: [definition] }, async (session) => {
    let greeted = 0
    const time = await timedPrompt(session, (event) => {
      if (event.type === 'tool_execution_end' && !event.isError) greeted++
    })
    check(greeted)
    return time
  })
}

function helloCall(request: number): AssistantDelta[] {
  const args = { name: `friend ${request}` }
  return [
    { type: 'toolcall_start', contentIndex: 0, id: `call_${request}`, name: 'hello' },
    { type: 'toolcall_delta', contentIndex: 0, text: JSON.stringify(args) },
    { type: 'toolcall_end', contentIndex: 0, arguments: args },
    { type: 'done', stopReason: 'toolUse', usage },
  ]
}

async function piTime(): Promise<number> {
  const home = mkdtempSync(path.join(tmpdir(), 'rxpi-bench-pi-'))
  try {
    const session = await openPi(home)
    let request = 0
    session.agent.streamFunction = () => (request++ < turns ? piHello(request) : piText(core, 1, 'awaited'))
    let greeted = 0
    session.subscribe(({ type, isError }) => {
      if (type === 'tool_execution_end' && isError === false) greeted++
    })
    const startedAt = performance.now()
    await session.prompt('Go on.')
    const time = (performance.now() - startedAt) * 1000
    session.dispose()
    check(greeted)
    return time
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** A session with its log on the disk, the example loaded, and a model that is never reached. */
async function openPi(home: string): Promise<PiSession> {
  const [cwd, agentDir] = [path.join(home, 'work'), path.join(home, 'agent')]
  for (const folder of [cwd, agentDir]) mkdirSync(folder)
  const model = { id: 'm', name: 'm', reasoning: false, input: ['text'], contextWindow: 200_000, maxTokens: 8192 }
  const mock = { baseUrl: 'http://127.0.0.1:9/v1', api: 'openai-completions', apiKey: 'none', models: [model] }
  writeFileSync(path.join(agentDir, 'models.json'), JSON.stringify({ providers: { mock } }))
  writeFileSync(path.join(agentDir, 'settings.json'), JSON.stringify({ defaultProvider: 'mock', defaultModel: 'm' }))
  const services = await coding.createAgentSessionServices({
    ...{ cwd, agentDir },
    resourceLoaderOptions: { noExtensions: true, additionalExtensionPaths: [example] },
  })
  const sessionManager = coding.SessionManager.create(cwd, path.join(agentDir, 'sessions'))
  const { session } = await coding.createAgentSessionFromServices({ services, sessionManager })
  await session.bindExtensions({})
  return session
}

function piHello(request: number): PiStream {
  const pieces = [JSON.stringify({ name: `friend ${request}` })]
  return piCall(core, { id: `call_${request}`, name: 'hello', pieces })
}

function check(greeted: number): void {
  if (greeted !== turns) throw new Error(`${greeted} calls of ${turns} ended well`)
}
