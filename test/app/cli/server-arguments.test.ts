// Tests the command line of `rxpi mcp serve`, and the gateway of `rxpi serve`.
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
  expect(() => parseCommandLine(['-p', 'x', '--http', '1'])).toThrow(
    '--http works with rxpi serve and rxpi mcp serve only',
  )
  expect(parseCommandLine(['mcp', 'serve', '--help'])).toEqual({ mode: 'help', topic: 'mcp-serve' })
})

const gateway = { host: '127.0.0.1', unsafeHost: false, web: false, hosts: [], origins: [] }

it.each([
  [['--http', '8788'], { ...gateway, port: 8788 }],
  [['--http', '[::1]:0'], { ...gateway, port: 0, host: '::1' }],
  [['--http', '8788', '--web'], { ...gateway, port: 8788, web: true }],
  [
    ['--http', '8788', '--http-origin', 'https://a.example, http://localhost:5173', '--http-host', 'agent.example'],
    { ...gateway, port: 8788, hosts: ['agent.example'], origins: ['https://a.example', 'http://localhost:5173'] },
  ],
  [['--http', '0.0.0.0:80', '--http-unsafe'], { ...gateway, port: 80, host: '0.0.0.0', unsafeHost: true }],
])('takes serve %j', (words, http) => {
  expect(parseCommandLine(['serve', ...words])).toEqual({ mode: 'serve', http })
})

it.each([
  [['--http', '0.0.0.0:80'], /--http-unsafe allows it/],
  [['--http', '70000'], /--http must be a port, or a host and a port, not "70000"/],
  [['--http', '8788', '--http-origin', 'app.example'], /--http-origin must be an origin/],
  [['--http', '8788', '--http-origin', 'null'], /--http-origin must be an origin/],
  [['--http-origin', 'https://a.example'], /--http-origin needs --http/],
  [['--http-unsafe'], /--http-unsafe needs --http/],
  [['--web'], /--web needs --http/],
])('refuses serve %j', (words, reason) => {
  expect(() => parseCommandLine(['serve', ...words])).toThrow(reason)
})
