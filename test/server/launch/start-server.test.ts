// Tests the start of a server that has no parent: who its parent is, and what happens if it ends at once.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lastValueFrom } from 'rxjs'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startServer } from '../../../lib/server/launch/start-server.ts'
import { sampleRows } from '../../support/sample-size.ts'

function socketIn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rxpi-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'run/rxpi.sock')
}

describe('a server without a parent', () => {
  const failing = [
    ['ends at once', [process.execPath, '-e', 'console.error("no home"); process.exit(3)'], /ended: no home/],
    ['is no program', ['/nowhere/rxpi', 'serve'], /ended: .*(?:not found|No such file)/],
  ] as const
  it.each(sampleRows(failing, 1))('that %s is reported with its last words', async (_, command, message) => {
    const started$ = startServer({ socket: socketIn(), command, env: {}, isOrphan: true })
    const failed = lastValueFrom(started$, { defaultValue: undefined })
    await expect(failed).rejects.toMatchObject({ code: 'no_server', message: expect.stringMatching(message) as string })
  })

  it('takes connections, and this process is not its parent', async () => {
    const socket = socketIn()
    const program = `
      process.umask(0o177)
      const server = require('node:net').createServer((client) => client.end(String(process.ppid), () => server.close()))
      server.listen(${JSON.stringify(socket)})`
    const started = await lastValueFrom(startServer({ socket, command: [process.execPath, '-e', program], env: {}, isOrphan: true }), { defaultValue: undefined }) // prettier-ignore
    expect(started?.log).toMatch(/rxpi\.sock\.log$/)
    const parent = await new Promise<string>((resolve, reject) => {
      let text = ''
      started?.transport.lines$.subscribe({ next: (line) => (text += 'text' in line ? line.text : ''), complete: () => resolve(text), error: reject }) // prettier-ignore
    })
    started?.transport.close()
    expect(parent).not.toBe(String(process.pid))
    expect(Number(parent)).toBeGreaterThan(0)
  })
})
