// Tests the page of the gateway: which files it serves, to whom, and which pages may then use the gateway.
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pageRoutes } from '../../../lib/server/gateway/page-routes.ts'
import { bearer, startGateway, token, upgradeStatus } from './gateway-scene.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rxpi-page-'))
  for (const name of [
    'index.html',
    'page.js',
    'questions.js',
    'transcript.js',
    'style.css',
    'rxpi-client.js',
    'secret.txt',
  ])
    writeFileSync(path.join(folder, name), `the file ${name}`)
})
afterEach(() => rmSync(folder, { recursive: true }))

describe('a gateway with a page', () => {
  it.each([
    ['/', 'index.html', 'text/html'],
    ['/?a=b', 'index.html', 'text/html'],
    ['/page.js', 'page.js', 'text/javascript'],
    ['/questions.js', 'questions.js', 'text/javascript'],
    ['/style.css', 'style.css', 'text/css'],
    ['/rxpi-client.js', 'rxpi-client.js', 'text/javascript'],
  ])('serves %s without a token, under a policy without inline scripts', async (address, name, type) => {
    const { url } = await startGateway({ pageFolder: folder })
    const response = await fetch(`${url}${address}`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect([response.status, await response.text()]).toEqual([200, `the file ${name}`])
    expect(response.headers.get('content-type')).toBe(`${type}; charset=utf-8`)
    expect(policy).toMatch(/default-src 'none'; script-src 'self'; .*connect-src 'self'.*frame-ancestors 'none'/)
    expect(policy).not.toContain('unsafe')
    expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  })

  it.each(['/', '/style.css', '/health'])(
    'answers HEAD on %s as GET, without the body [GATEWAY-health]',
    async (address) => {
      const { url } = await startGateway({ pageFolder: folder })
      const [head, get] = [await fetch(url + address, { method: 'HEAD' }), await fetch(url + address)]
      const { date: _date, ...headers } = Object.fromEntries(head.headers)
      expect([head.status, await head.text()]).toEqual([200, ''])
      expect({ ...Object.fromEntries(get.headers), ...headers }).toEqual(Object.fromEntries(get.headers))
      expect(headers['content-length']).toBe(String((await get.text()).length))
    },
  )

  it('serves no other file of the folder, and answers no other method [GATEWAY-page]', async () => {
    const { url } = await startGateway({ pageFolder: folder })
    for (const address of ['/secret.txt', '/index.html', '/%2e%2e/secret.txt', '/page.js/'])
      expect((await fetch(`${url}${address}`, { headers: bearer })).status, address).toBe(404)
    expect((await fetch(`${url}/`, { method: 'POST' })).status).toBe(405)
  })

  it('lets its own pages use the WebSocket, with the token, and pages of no other origin', async () => {
    const { wsUrl, url, port } = await startGateway({ pageFolder: folder })
    const protocols = ['rxpi.v1', `rxpi.token.${token}`]
    expect(await upgradeStatus(wsUrl, { origin: url }, protocols)).toBe(101)
    expect(await upgradeStatus(wsUrl, { origin: url }, ['rxpi.v1'])).toBe(401)
    for (const origin of [
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
      'http://evil.example',
      'null',
      '',
    ])
      expect(await upgradeStatus(wsUrl, { origin }, protocols), origin).toBe(403)
  })

  it('serves none, and admits no origin, if it has no page', async () => {
    const { wsUrl, url } = await startGateway()
    expect((await fetch(`${url}/`, { headers: bearer })).status).toBe(404)
    expect(await upgradeStatus(wsUrl, { origin: url }, ['rxpi.v1', `rxpi.token.${token}`])).toBe(403)
  })
})

it('the page is an example of 600 lines, comments and blank lines aside', () => {
  const folder = path.resolve(import.meta.dirname, '../../../examples/web')
  const lines = readdirSync(folder).flatMap((name) => readFileSync(path.join(folder, name), 'utf8').split('\n'))
  expect(lines.filter((line) => !/^\s*($|\/\/|\/\*\*)/.test(line)).length).toBeLessThanOrEqual(600)
})

it('a page without one of its files is refused with its path', () => {
  rmSync(path.join(folder, 'style.css'))
  expect(() => pageRoutes(folder)).toThrow(expect.objectContaining({ code: 'bad_config' }) as Error)
  expect(() => pageRoutes(folder)).toThrow(/style\.css/)
})
