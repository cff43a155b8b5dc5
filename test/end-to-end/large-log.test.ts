// Tests that a large log is opened within bounded memory, by a real process.
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { sealLine } from '../../lib/store/lines/line-checksum.ts'
import { sessionFolder } from '../../lib/store/sessions/session-folder.ts'
import { lineBody } from '../../lib/streams/log/line-event.ts'
import { assistantMessage, sampleAt, sampleHeader } from '../store/sessions/sample-records.ts'
import { workplace } from '../support/command.ts'
import type { Workplace } from '../support/command.ts'

const mebibyte = 2 ** 20
const session = sampleHeader().id

/** Eight letters for a number. */
const entryIdOf = (seq: number): string =>
  String(seq)
    .padStart(8, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')

/** Writes a session whose log has at least `bytes`: a conversation in answers of 8 KiB. Returns the number of its entries. */
function writeConversation(workspace: Workplace, bytes: number): number {
  const file = join(workspace.home, 'sessions', sessionFolder(workspace.folder), `${sampleAt}_${session}.jsonl`)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const descriptor = openSync(file, 'wx', 0o600)
  const message = assistantMessage('Answer. '.repeat(1024))
  const header = { type: 'session', v: 1, ...sampleHeader({ cwd: workspace.folder }) }
  let size = writeSync(descriptor, `${sealLine(JSON.stringify(header).slice(0, -1))}\n`)
  let seq = 0
  while (size < bytes) {
    const lines: string[] = []
    while (lines.length < 200) {
      const parentId = seq === 0 ? null : entryIdOf(seq)
      seq += 1
      const event = { type: 'message_end', entryId: entryIdOf(seq), parentId, message } as const
      lines.push(sealLine(lineBody({ seq, at: sampleAt + seq, event })))
    }
    size += writeSync(descriptor, `${lines.join('\n')}\n`)
  }
  closeSync(descriptor)
  return seq
}

/** The largest resident size that a process has had, in MiB. */
function peakOf(pid: number | undefined): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}

const isFull = process.env['RXPI_FULL'] !== undefined

it.each([{ size: 32, growth: 30 }, ...(isFull ? [{ size: 348, growth: 150 }] : [])])(
  'opens a log of $size MiB within bounded memory [FILES-large]',
  async ({ size, growth }) => {
    using workspace = workplace()
    const count = writeConversation(workspace, size * mebibyte)
    const rpc = workspace.start(['rpc'], { stdin: null })
    const send = (command: object): void => void rpc.child.stdin?.write(`${JSON.stringify(command)}\n`)
    send({ id: '1', type: 'list_models', cwd: workspace.folder, usable: true })
    await rpc.outputText('"id":"1"')
    const before = peakOf(rpc.child.pid)
    send({ id: '2', type: 'open_session', cwd: workspace.folder, session })
    await rpc.outputText('"id":"2","ok":true')
    send({ id: '3', type: 'get_state', session })
    await rpc.outputText('"id":"3","ok":true')
    expect(rpc.stdout).toContain(`"seq":${count}`)
    const peak = peakOf(rpc.child.pid)
    expect(peak).toBeLessThan(300)
    expect(peak - before).toBeLessThan(growth)
    rpc.child.stdin?.end()
    expect((await rpc.ended).code).toBe(0)
  },
)
