// Tests the command line of `rxpi mcp serve`.
import { expect, it } from 'vitest'
import { parseCommandLine } from '../../../app/cli/command-line.ts'

it.each([
  [[], {}],
  [['--http', '8790'], { http: { host: '127.0.0.1', port: 8790 } }],
  [['--http', 'localhost:0'], { http: { host: 'localhost', port: 0 } }],
  [['--http', '[::1]:8790'], { http: { host: '::1', port: 8790 } }],
  [['--cwd', '/'], { cwd: '/' }],
])('takes mcp serve %j', (words, more) => {
  expect(parseCommandLine(['mcp', 'serve', ...words])).toEqual({ mode: 'mcp-serve', cwd: process.cwd(), ...more })
})

it.each([
  [['--http', '0.0.0.0:8790'], /listens on this machine only/],
  [['--http', 'example.com:80'], /listens on this machine only/],
  [['--http', '70000'], /--http must be a port/],
  [['--http', ''], /http/],
  [['surprise'], /unexpected argument "surprise"/],
  [['--json'], /--json/],
])('refuses mcp serve %j', (words, reason) => {
  expect(() => parseCommandLine(['mcp', 'serve', ...words])).toThrow(reason)
})

it('refuses --http elsewhere, and has a help of its own', () => {
  expect(() => parseCommandLine(['-p', 'x', '--http', '1'])).toThrow('--http works with rxpi mcp serve only')
  expect(parseCommandLine(['mcp', 'serve', '--help'])).toEqual({ mode: 'help', topic: 'mcp-serve' })
})
