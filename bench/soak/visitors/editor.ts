// An editor that speaks ACP: `rxpi acp` with a session, prompts, files, and an end by one of three ways.
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type { StayWorld } from '../soak-client.ts'
import { count } from '../soak-actions.ts'
import { endedCode, late, rpcProcess } from './json-lines.ts'
import type { RpcMessage, RpcProcess } from './json-lines.ts'

/** `closes` ends its input, `stops` sends SIGTERM, `dies` is killed. */
const ends = { closes: 40, stops: 20, dies: 40 }
/** `busy`: another client runs or compacts the session. */
const busyCode = -32_600
/** Refusals that are expected while other clients use the same session, and the model fails. */
const expected = /cancelled|stopped|provider|model|HTTP|stream|silent|answer|read.only/i
/** A process that does not end by itself within this is a fault. */
const endsWithinMs = 30_000

/** Resolves when the editor's process has ended. */
export async function useEditor(world: StayWorld, untilMs: number): Promise<void> {
  const { chance, server, counts } = world
  const child = server.command(['acp', '--socket', server.socketPath, '--model', 'openai/mock', '--approve', 'auto'])
  const errors: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => errors.push(text))
  const end = chance.weighted(ends)
  count(counts, `editors: ${end}`)
  const agent = rpcProcess(child, (message) => answerTo(world, message))
  const kills = end === 'dies' ? killLater(child, chance.between(500, 8_000)) : undefined
  try {
    await work(world, agent, untilMs)
  } finally {
    await kills
    if (end === 'closes') child.stdin?.end()
    if (end === 'stops') child.kill('SIGTERM')
    await checkEnd(world, child, end, errors)
  }
}

async function killLater(child: ChildProcess, ms: number): Promise<void> {
  await delay(ms)
  child.kill('SIGKILL')
}

async function work(world: StayWorld, agent: RpcProcess, untilMs: number): Promise<void> {
  const { chance, pool, folders, strays } = world
  const clientCapabilities = { fs: { readTextFile: true, writeTextFile: chance.next() < 0.7 } }
  await checked(world, agent, 'initialize', { protocolVersion: 1, clientCapabilities })
  const known = chance.next() < 0.5 ? chance.one(pool.live) : undefined
  const { cwd } = folders.setup('plain')
  const opened = await (known === undefined
    ? checked(world, agent, 'session/new', { cwd, mcpServers: [] })
    : checked(world, agent, 'session/load', { sessionId: known, cwd, mcpServers: [] }))
  const sessionId = known ?? (opened?.result as { readonly sessionId?: string } | undefined)?.sessionId
  if (sessionId === undefined) return // it was killed
  if (known === undefined) strays.push(sessionId)
  for (let prompts = chance.between(1, 4); prompts > 0 && performance.now() < untilMs; prompts -= 1) {
    const prompt = [{ type: 'text', text: `Do what is to be done, number ${chance.between(1, 1e6)}` }]
    const running = checked(world, agent, 'session/prompt', { sessionId, prompt })
    if (chance.next() < 0.6) {
      await delay(chance.between(200, 6_000))
      agent.notify('session/cancel', { sessionId })
    }
    await running
  }
}

/** Undefined if it was refused, as can be expected. */
async function checked(
  { counts, faults }: StayWorld,
  agent: RpcProcess,
  method: string,
  params: object,
): Promise<RpcMessage | undefined> {
  const response = await agent.ask(method, params)
  const { error } = response
  count(counts, `editors, ${method}: ${error === undefined ? 'ok' : 'refused'}`)
  if (error === undefined) return response
  const { code, message } = error
  const isUsual = code === endedCode || code === busyCode || (message !== late && expected.test(message))
  if (!isUsual) faults.push(`an editor: ${method} was answered with ${code}: ${message}`)
  return undefined
}

function answerTo({ chance, counts }: StayWorld, { method, params = {} }: RpcMessage): unknown {
  count(counts, `editors, asked: ${method}`)
  switch (method) {
    case 'fs/read_text_file':
      return { content: textOf(String(params['path'])) }
    case 'fs/write_text_file':
      writeFileSync(String(params['path']), String(params['content']))
      return {}
    case 'session/request_permission': {
      const options = params['options'] as readonly { readonly optionId: string }[] // as the protocol has it
      return { outcome: { outcome: 'selected', optionId: chance.one(options)?.optionId } }
    }
    default:
      return {}
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return '' // there is no such file
  }
}

async function checkEnd(
  { faults }: StayWorld,
  child: ChildProcess,
  end: keyof typeof ends,
  errors: readonly string[],
): Promise<void> {
  const timer = setTimeout(() => {
    faults.push(`an editor whose process ${end} has not ended within ${endsWithinMs} ms`)
    child.kill('SIGKILL')
  }, endsWithinMs)
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  clearTimeout(timer)
  if (end === 'closes' && child.exitCode !== 0)
    faults.push(
      `an editor: rxpi acp ended with ${child.exitCode ?? child.signalCode}: ${errors.join('').slice(0, 300)}`,
    )
}
