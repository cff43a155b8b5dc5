// Tests how the command prints an error.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { main } from '../../app/main.ts'

const terminal = Object.getOwnPropertyDescriptor(process.stderr, 'isTTY')
afterEach(() => {
  process.exitCode = undefined
  if (terminal === undefined) Reflect.deleteProperty(process.stderr, 'isTTY')
  else Object.defineProperty(process.stderr, 'isTTY', terminal)
})

async function notices(commandLine: readonly string[], isTTY: boolean): Promise<string> {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true })
  await main(commandLine)
  return write.mock.calls.map(([text]) => String(text)).join('')
}

describe('the error message of a command', () => {
  it('escapes control sequences on a terminal and writes them unchanged to a file [S19a]', async () => {
    const hostile = '--no\u001b[2Jsuch'
    expect(await notices([hostile], true)).toContain('--no␛[2Jsuch')
    expect(process.exitCode).toBe(2)
    expect(await notices([hostile], false)).toContain(hostile)
  })
})
