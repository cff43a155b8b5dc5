// Tests that each command's line is written, then synced, and only then answered.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { timer } from 'rxjs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SessionCommand } from '../../../lib/session/contract/session.ts'
import { fileStore } from '../../../lib/store/sessions/file-store.ts'
import { nodeFileSystem } from '../../../lib/store/disk/file-system-port.ts'
import { faultyLog } from '../../support/faulty-log.ts'
import { valuesOf } from '../../support/values-of.ts'
import { playSession } from '../../support/virtual-session.ts'

let home: string
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'rxpi-order-'))
})
afterAll(() => rmSync(home, { recursive: true }))

/**
 * Sends the command to a running session on a disk whose syncs take 5 ms; returns the events that concern it, in order.
 */
async function orderOf(command: SessionCommand, id: string): Promise<string[]> {
  const order: string[] = []
  const note = (what: string): void => void order.push(what)
  const files = {
    ...nodeFileSystem,
    writeSync: (descriptor: number, buffer: Uint8Array, offset: number, length: number) => {
      if (Buffer.from(buffer).includes('"opId":"op"')) note('written')
      return nodeFileSystem.writeSync(descriptor, buffer, offset, length)
    },
    fdatasync: (_descriptor: number, done: (error: Error | null) => void) => {
      note('sync begins')
      timer(5).subscribe(() => {
        note('synced')
        done(null)
      })
    },
    fsync: (_descriptor: number, done: (error: Error | null) => void) => {
      timer(5).subscribe(() => done(null))
    },
    afterStep: (work: () => void) => work(), // virtual time has no later step
  }
  const log = fileStore({ home, files }).create({ id, createdAt: 1, cwd: '/somewhere' })
  const played = playSession({
    script: [{ text: 'slow', delayMs: 500 }],
    log: { ...faultyLog(), log },
    ...(command.type === 'prompt' ? {} : { prompt: 'Go' }),
    at: {
      100: ({ session }) => {
        order.length = 0
        session
          .send(command as Extract<SessionCommand, { type: 'prompt' }>, { opId: 'op' })
          .subscribe(() => note('answered'))
      },
    },
  })
  await valuesOf(played.session.close())
  return order.slice(0, order.indexOf('answered') + 1)
}

const commands: readonly SessionCommand[] = [
  { type: 'prompt', text: 'Hi' },
  { type: 'steer', text: 'x' },
  { type: 'follow_up', text: 'x' },
  { type: 'set_thinking_level', thinkingLevel: 'low' },
  { type: 'set_queue_mode', queue: 'steering', mode: 'all' },
  { type: 'set_active_tools', tools: [] },
]

it.each(commands.map((command, index) => [command, `session${'abcdef'[index] ?? ''}aaaa`] as const))(
  '%j responds when its own line is synced [LOG-durable]',
  async (command, id) => {
    const order = await orderOf(command, id)
    const begun = order.indexOf('sync begins', order.indexOf('written'))
    expect([order.includes('written'), begun > 0, order.indexOf('synced', begun) > begun]).toEqual([true, true, true])
  },
)
