// Tests pages of a real Chromium at the gateway: an allowed origin connects, another does not. Skipped without one.
import { describe, expect, it } from 'vitest'
import { chromium, openChromium } from '../../support/chromium.ts'
import { startGateway, token } from './gateway-scene.ts'

/** In the page: the first message of a WebSocket, or how it closed. */
const firstMessage = (url: string): string => `new Promise((resolve) => {
  const socket = new WebSocket(${JSON.stringify(url)}, ['rxpi.v1', ${JSON.stringify(`rxpi.token.${token}`)}])
  socket.onmessage = ({ data }) => { resolve(JSON.parse(data).type + ' ' + socket.protocol); socket.close() }
  socket.onclose = ({ code }) => resolve('closed ' + code)
})`

describe.skipIf(chromium === undefined)(
  'a page in Chromium (skipped without it: apt install chromium-headless-shell)',
  () => {
    it('connects if its origin is allowed, and not otherwise [S11e]', async () => {
      const host = await startGateway() // its health is the page
      const [allowed, other] = [await startGateway({ origins: [host.url] }), await startGateway()]
      await using page = await openChromium({ width: 400, height: 400 })
      await page.goTo(`${host.url}/health`)
      expect(await page.evaluate(firstMessage(allowed.wsUrl))).toBe('hello rxpi.v1')
      expect(await page.evaluate(firstMessage(other.wsUrl))).toBe('closed 1006')
    }, 60_000)
  },
)
