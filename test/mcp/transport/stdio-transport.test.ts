// Tests the transport of programs: messages, foreign output, bounds, and that nothing is left.
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { firstValueFrom } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { countLiveCalls, processesSettled } from '../../../lib/host/process/running-processes.ts'
import { serverLog } from '../../../lib/mcp/transport/server-log.ts'
import { stdioTransport } from '../../../lib/mcp/transport/stdio-transport.ts'

afterEach(async () => {
  await firstValueFrom(processesSettled(), { defaultValue: undefined })
  expect(countLiveCalls()).toBe(0)
})

function open(script: string, more: { readonly graceMs?: number; readonly command?: string } = {}) {
  const log = serverLog()
  const { command = 'sh', ...options } = more
  const transport = stdioTransport({
    server: { kind: 'stdio', command, args: ['-c', script], env: { OWN: 'of the entry' } },
    cwd: tmpdir(),
    env: { PATH: '/usr/bin:/bin', OWN: 'of the session' },
    log,
    ...options,
  })
  const messages: unknown[] = []
  const errors: string[] = []
  transport.onmessage = (message) => messages.push(message)
  transport.onerror = (error) => errors.push(error.message)
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve))
  return { transport, log, messages, errors, closed }
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const
/** Sends back each line that it reads. */
const echo = 'while IFS= read -r line; do printf "%s\\n" "$line"; done'

/** False also for a process that has ended and whose parent has not looked yet. */
const isRunning = (pid = 0): boolean => {
  const status = existsSync(`/proc/${pid}/stat`) ? readFileSync(`/proc/${pid}/stat`, 'utf8') : ') Z'
  return !/\) [ZX]/.test(status)
}

describe('stdioTransport', () => {
  it('sends and receives messages, and ends with the input', async () => {
    const { transport, messages, closed } = open(`echo '{"jsonrpc":"2.0","method":"'"$OWN"'"}'; ${echo}`)
    await transport.start()
    const { pid } = transport
    expect(isRunning(pid)).toBe(true)
    await transport.send(ping)
    await expect
      .poll(() => messages, { interval: 5, timeout: 10_000 })
      .toEqual([{ jsonrpc: '2.0', method: 'of the entry' }, ping])
    await transport.close()
    await closed
    expect(isRunning(pid)).toBe(false)
    expect(transport.endReason).toBe('it ended with exit code 0')
    await expect(transport.send(ping)).rejects.toThrow('the server has ended')
  })

  it('ends a server that ignores the end of its input and SIGTERM, with its children [MCP-hostile-children]', async () => {
    const { transport, messages } = open(
      `trap '' TERM; sleep 300 & echo '{"jsonrpc":"2.0","id":'$!'}'; while :; do sleep 300; done`,
      { graceMs: 10 },
    )
    await transport.start()
    await expect.poll(() => messages.length, { interval: 5, timeout: 10_000 }).toBe(1)
    const [{ id }] = messages as [{ id: number }]
    expect(isRunning(id)).toBe(true)
    await transport.close()
    expect([isRunning(id), isRunning(transport.pid)]).toEqual([false, false])
    expect(transport.endReason).toBe('it was ended by SIGKILL')
  })

  it('says how a server ended, and keeps its standard error', async () => {
    const { transport, log, closed } = open('echo "Error: no key" >&2; exit 3')
    await transport.start()
    await closed
    expect(transport.endReason).toBe('it ended with exit code 3')
    expect(log.lines()).toEqual(['Error: no key'])
  })

  it('quotes the first lines that are no messages in the log [MCP-hostile-garbage]', async () => {
    const { transport, log, messages, closed } = open(
      `for i in $(seq 100); do echo "garbage $i"; done; echo '{"jsonrpc":"2.0","id":9}'`,
    )
    await transport.start()
    await closed
    expect(messages).toEqual([{ jsonrpc: '2.0', id: 9 }])
    expect(log.lines()).toHaveLength(6)
    expect(log.lines()[0]).toMatch(/^\[rxpi\] no message on standard output: garbage 1 \(it is not JSON/)
  })

  it('ends a server that sends a line without an end', async () => {
    const { transport, errors, closed } = open(`head -c 17000000 /dev/zero | tr '\\0' x; sleep 300`)
    await transport.start()
    await closed
    expect(errors).toEqual(['it sent a message of more than 16 MiB'])
    expect(transport.endReason).toBe('it sent a message of more than 16 MiB')
  })

  it('ends a server that does not read, instead of collecting messages for it', async () => {
    const { transport, closed } = open('exec sleep 300')
    await transport.start()
    const large = { ...ping, params: { text: 'x'.repeat(2 ** 24) } }
    const sent = [transport.send(large), transport.send(large), transport.send(large), transport.send(large)]
    const outcomes = await Promise.allSettled(sent)
    await closed
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
    expect(transport.endReason).toBe('it does not read its standard input')
  })

  it('refuses a program that is not there', async () => {
    const { transport } = open('', { command: 'no-such-program' })
    await expect(transport.start()).rejects.toMatchObject({
      code: 'bad_config',
      message: 'The program no-such-program is not in a folder of PATH.',
    })
    const missing = open('', { command: '/no/such/program' })
    await expect(missing.transport.start()).rejects.toMatchObject({ code: 'bad_request' })
    await delay(0)
  })
})
