// Tests that repeated commands get the same answer and are executed once.
// Connections are cut and servers killed; 1,000 commands in `npm run test:full`.
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ensureBuilt } from '../support/command.ts'
import { randomOf } from '../support/random-of.ts'
import { sampleSize } from '../support/sample-size.ts'
import { builtServer, socketClient } from '../support/socket-server.ts'
import type { Frame, SocketClient, SocketServer } from '../support/socket-server.ts'

const repeats = sampleSize(20, 1_000)

let folder: string
beforeAll(ensureBuilt, 300_000) // if there is no build
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-repeated-'))
  mkdirSync(path.join(folder, 'project'))
  const answers = Array.from({ length: 50 }, (_, index) => ({
    text: `answer ${index}`,
    pieceLength: 2,
    pieceDelayMs: 1,
  }))
  writeFileSync(path.join(folder, 'script.json'), JSON.stringify(answers))
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A command with its opId and its answer. */
interface Operation {
  readonly opId: string
  readonly command: Readonly<Record<string, unknown>>
  /** The operation that created the session of this one. */
  readonly within?: Operation
  answer?: string
}

function operationOf(number: number, made: readonly Operation[], random: () => number): Operation {
  const opId = `op ${number}`
  const within = made[Math.floor(random() * made.length)]
  if (within === undefined || (made.length < 5 && random() < 0.1)) {
    const model = `scripted/${path.join(folder, 'script.json')}`
    return { opId, command: { type: 'new_session', cwd: path.join(folder, 'project'), model, title: opId } }
  }
  const text = `input ${number}.`
  const commands = [
    { type: 'prompt', text, whileRunning: 'follow_up' },
    { type: 'steer', text },
    { type: 'follow_up', text },
    { type: 'set_thinking_level', thinkingLevel: random() < 0.5 ? 'low' : 'high' },
  ]
  return { opId, within, command: commands[Math.floor(random() * commands.length)] ?? {} }
}

/** The part of an answer that is equal for each repetition: the session id, without the current state of its model. */
function answerOf({ ok, result, error }: Frame): string {
  if (ok !== true) return JSON.stringify(error)
  const made = result as { session?: string }
  return JSON.stringify(made.session === undefined ? result : { session: made.session })
}

const sessionOf = ({ answer = '{}' }: Operation): string | undefined =>
  (JSON.parse(answer) as { session?: string }).session

interface World {
  server: SocketServer
  client: SocketClient
  /** Sessions to which this client is attached. */
  attached: Set<string>
}

const socket = (): string => path.join(folder, 'socket')

async function connected(server: SocketServer): Promise<World> {
  return { server, client: await socketClient(socket()), attached: new Set() }
}

async function started(): Promise<World> {
  return connected(await builtServer({ socket: socket(), home: folder }))
}

/** Returns the response, or undefined if the connection or the server ended first. */
async function sent(world: World, operation: Operation, random: () => number): Promise<Frame | undefined> {
  const { client, attached } = world
  const session = operation.within === undefined ? undefined : sessionOf(operation.within)
  if (session !== undefined && !attached.has(session)) {
    // a server that was started again knows only what the log has: the model that a client chose comes with `open_session`
    const { cwd, model } = operation.within?.command ?? {}
    expect(await client.ask({ type: 'open_session', session, cwd, model })).toMatchObject({ ok: true })
    expect(await client.ask({ type: 'attach', session })).toMatchObject({ ok: true })
    attached.add(session)
  }
  const requests = client.ask({
    ...operation.command,
    opId: operation.opId,
    ...(session === undefined ? {} : { session }),
  })
  const answer = requests.catch(() => undefined)
  const chance = random()
  if (chance < 0.8) return answer
  await new Promise((resolve) => setTimeout(resolve, random() * 8))
  if (chance < 0.87) await world.server.kill()
  client.cut()
  await answer
  Object.assign(world, chance < 0.87 ? await started() : await connected(world.server))
  return undefined
}

function logs(): string[] {
  const below = readdirSync(path.join(folder, 'rxpi/sessions'), { recursive: true, withFileTypes: true })
  const files = below.filter(({ name }) => name.endsWith('.jsonl'))
  return files.map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
}

/** Counts how often the logs show this operation. */
function timesDone({ opId, command }: Operation): number {
  const text = 'text' in command ? JSON.stringify(command['text']) : undefined
  const lines = logs().flatMap((log) => log.split('\n'))
  const marked = lines.filter((line) => line.includes(`"opId":${JSON.stringify(opId)}`))
  const asPrompt = lines.filter((line) => line.includes('"message_end"') && text !== undefined && line.includes(text))
  return Math.max(marked.length, asPrompt.length)
}

it(
  `${repeats} commands are repeated over lost connections and killed servers, and executed once [WIRE-opId]`,
  async () => {
    const random = randomOf(7)
    const world = await started()
    const operations: Operation[] = []
    let repeated = 0
    const carryOut = async (operation: Operation): Promise<void> => {
      const response = await sent(world, operation, random)
      if (response === undefined) return
      const answer = answerOf(response)
      operation.answer ??= answer
      expect([operation, answer]).toEqual([operation, operation.answer])
    }
    try {
      while (repeated < repeats) {
        const known = operations[Math.floor(random() * operations.length)]
        if (known !== undefined && random() < 0.6) {
          repeated += 1
          await carryOut(known)
          continue
        }
        const made = operations.filter((each) => each.within === undefined && each.answer !== undefined)
        const operation = operationOf(operations.length, made, random)
        operations.push(operation)
        await carryOut(operation)
      }
      for (const operation of operations) {
        while (operation.answer === undefined) await carryOut(operation)
      }
    } finally {
      world.client.cut()
      await world.server.kill()
    }
    expect(operations.filter((operation) => timesDone(operation) !== 1)).toEqual([])
    expect(operations.filter(({ answer }) => answer?.includes('"code"'))).toEqual([])
  },
  60_000 + repeats * 500,
)
