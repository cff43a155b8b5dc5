// Tests with a system call trace that the server writes, syncs, and only then answers.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { socketClient, socketServer } from '../support/socket-server.ts'

const calls = 'write,writev,pwrite64,sendmsg,sendto,fdatasync,fsync'
const canTrace = spawnSync('strace', ['-f', '-y', '-e', `trace=${calls}`, 'true']).status === 0
if (!canTrace) console.warn('strace is missing or may not trace here: the order of system calls is not looked at')

/** One system call: the trace lines at which it begins and ends. */
interface Call {
  readonly name: string
  readonly text: string
  readonly begun: number
  readonly ended: number
}

/** Parses the calls. A call that another thread interrupts has two lines; the second one has no arguments. */
function callsIn(trace: string): Call[] {
  const open = new Map<string, { name: string; text: string; begun: number }>()
  return trace.split('\n').flatMap((line, at) => {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    const resumed = /^<\.\.\. (\w+) resumed>/.exec(rest)
    if (resumed !== null) {
      const begun = open.get(thread)
      open.delete(thread)
      return begun === undefined ? [] : [{ ...begun, ended: at }]
    }
    const name = /^(\w+)\(/.exec(rest)?.[1]
    if (name === undefined) return []
    const text = rest.replaceAll('\\"', '"')
    if (!rest.endsWith('<unfinished ...>')) return [{ name, text, begun: at, ended: at }]
    open.set(thread, { name, text, begun: at })
    return []
  })
}

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-trace-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function traced(): Promise<{ calls: Call[]; requests: string[]; log: string }> {
  const [trace, socket, cwd, script] = ['trace', 'socket', 'project', 'script.json'].map((name) =>
    path.join(folder, name),
  )
  if (trace === undefined || socket === undefined || cwd === undefined || script === undefined) throw new Error()
  mkdirSync(cwd)
  writeFileSync(script, JSON.stringify([{ text: 'slowly said', pieceLength: 1, pieceDelayMs: 20 }, { text: 'then' }]))
  const within = ['strace', '-f', '-y', '-s', '400', '-e', `trace=${calls}`, '-o', trace]
  const server = await socketServer({ socket, home: folder, within })
  const client = await socketClient(socket)
  try {
    const made = await client.ask({ type: 'new_session', cwd, model: `scripted/${script}`, opId: 'made' })
    const { session } = made['result'] as { session: string }
    const commands = [
      { type: 'steer', text: 'before', opId: 'early' },
      { type: 'prompt', text: 'Hi', opId: 'asked' },
      { type: 'follow_up', text: 'later', opId: 'later' },
      { type: 'set_thinking_level', thinkingLevel: 'low', opId: 'level' },
      { type: 'set_queue_mode', queue: 'steering', mode: 'all', opId: 'mode' },
    ]
    const requests = ['made']
    for (const command of commands) {
      expect(await client.ask({ session, ...command })).toMatchObject({ ok: true })
      requests.push(command.opId)
    }
    return { calls: callsIn(readFileSync(trace, 'utf8')), requests, log: session }
  } finally {
    client.cut()
    await server.kill()
  }
}

describe.skipIf(!canTrace)('a real server', () => {
  it('answers a command after its lines are synced, and a new session after its folders are', async () => {
    const { calls: all, requests, log } = await traced()
    const order = requests.map((opId, index) => {
      const written = all.find(
        ({ name, text }) => name === 'write' && text.includes(`${log}.jsonl`) && text.includes(`"opId":"${opId}"`),
      )
      const after = (call: Call): boolean => written !== undefined && call.begun > written.ended
      const synced = all.find((call) => call.name === 'fdatasync' && call.text.includes(`${log}.jsonl`) && after(call))
      const answered = all.find(({ text }) => text.includes(`"type":"response","id":"${index + 1}","ok":true`))
      return { opId, written: written !== undefined, before: (synced?.ended ?? Infinity) < (answered?.begun ?? -1) }
    })
    expect(order).toEqual(requests.map((opId) => ({ opId, written: true, before: true })))
    const firstAnswer = all.findIndex(({ text }) => text.includes('"type":"response"'))
    const folders = all.slice(0, firstAnswer).filter(({ name }) => name === 'fsync')
    expect(folders.map(({ text }) => /<([^>]*)>/.exec(text)?.[1])).toEqual([
      expect.stringMatching(/\/rxpi\/sessions\/project-[0-9a-f]+$/),
      path.join(folder, 'rxpi/sessions'),
      path.join(folder, 'rxpi'),
      folder,
    ])
  })
})
