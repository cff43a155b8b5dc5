// Tests the command line of a server that a client starts.
import { describe, expect, it, vi } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'
import { serverCommand } from '../../../app/connect/server-command.ts'

describe('the command line of a background server', () => {
  it('names the socket and an idle exit of 30 minutes [SOCKET-idle]', () => {
    const [program, ...args] = serverCommand('/run/rxpi.sock')
    expect(program).toBe(process.execPath)
    expect(parseCommandLine(args.slice(args.indexOf('serve')))).toMatchObject({
      mode: 'serve',
      socket: '/run/rxpi.sock',
      idleExitMs: 1_800_000,
    })
  })

  it('opens no debugger on a signal [S26a]', () => {
    expect(serverCommand('/run/rxpi.sock')[1]).toBe('--disable-sigusr1')
  })

  it('bounds the young generation, unless RXPI_WITHOUT switches the setting off', () => {
    expect(serverCommand('/run/rxpi.sock')[2]).toBe('--max-semi-space-size=8')
    vi.stubEnv('RXPI_WITHOUT', 'young-generation')
    expect(serverCommand('/run/rxpi.sock')).not.toContain('--max-semi-space-size=8')
  })
})
