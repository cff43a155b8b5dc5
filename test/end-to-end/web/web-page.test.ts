// Tests the web page of the gateway in a real Chromium, at the width of a phone. Skipped if none is installed.
import axe from 'axe-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chromium, openChromium } from '../../support/chromium.ts'
import type { ChromiumPage } from '../../support/chromium.ts'
import { workplace } from '../../support/command.ts'
import type { Running, Workplace } from '../../support/command.ts'

const token = 'the-token-of-this-test'

describe.skipIf(chromium === undefined)(
  'the page of --web (skipped without Chromium: apt install chromium-headless-shell)',
  () => {
    let project: Workplace
    let server: Running
    let page: ChromiumPage
    let url = ''
    const serve = (port: string): Running =>
      project.start(['serve', '--http', port, '--web'], { env: { RXPI_HTTP_TOKEN: token }, stdin: null })
    beforeAll(async () => {
      project = workplace({ 'notes.txt': 'hello\n' })
      server = serve('0')
      await server.outputText('the page is ')
      url = /the page is (\S+)/.exec(server.stderr)?.[1] ?? ''
      page = await openChromium({ width: 360, height: 740 })
    }, 60_000)
    afterAll(async () => {
      await page[Symbol.asyncDispose]()
      server.child.kill('SIGTERM')
      await server.ended
      project[Symbol.dispose]()
    })

    const text = (selector: string) => `(document.querySelector(${JSON.stringify(selector)})?.innerText ?? '')`
    const click = (label: string) =>
      page.evaluate(
        `[...document.querySelectorAll('button')].find((each) => each.checkVisibility() && each.innerText === ${JSON.stringify(label)}).click()`,
      )
    /** What axe-core finds wrong in the page as it is now: WCAG 2.2 AA and good practice. */
    const accessibilityFaults = async (): Promise<string[]> => {
      await page.evaluate(`${axe.source}; undefined`)
      return page.evaluate(
        `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`,
      )
    }
    const hasNoFaults = async (): Promise<void> => {
      expect(await accessibilityFaults()).toEqual([])
      const widths = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(widths), 'it scrolls sideways').toBe(0)
    }
    const say = async (message: string): Promise<void> => {
      await page.evaluate(`document.getElementById('text').focus()`)
      await page.type(message)
      await page.press('Enter')
    }

    it('asks for the token, and again for another one if it is wrong', async () => {
      await page.goTo(url)
      await page.until(`document.activeElement.id === 'token'`)
      await hasNoFaults()
      await page.type('a-wrong-token-of-this-test')
      await page.press('Enter')
      await page.until(`${text('#connection')} === 'no answer, or a wrong token'`)
    })

    it('takes the token from the fragment, and removes it from the address', async () => {
      await page.evaluate(`location.hash = '#token=${token}'`)
      await page.until(`${text('#connection')} === 'connected'`)
      expect(await page.evaluate('location.href')).toBe(url)
    })

    it('opens a session, streams answers, and asks before a change, with its diff', async () => {
      await click('Sessions')
      await hasNoFaults()
      await page.evaluate(
        `document.getElementById('cwd').value = ${JSON.stringify(project.folder)}; document.getElementById('model').value = 'demo/guide'`,
      )
      await click('Open')
      await page.until(`location.hash.startsWith('#session=')`)
      await say('in notes.txt replace hello with <b>goodbye</b>')
      await page.until(`${text('#questions')}.includes('+<b>goodbye</b>')`)
      expect(await page.evaluate(text('#alarm'))).toContain('rxpi asks')
      await hasNoFaults()
      await page.evaluate(`document.querySelector('#questions input').focus()`)
      await page.press('Tab')
      expect(await page.evaluate('document.activeElement.innerText')).toBe('once')
      await page.press('Enter')
      await page.until(`${text('#run')} === 'Idle.'`)
      await page.until(`document.querySelector('#log ins') !== null`)
      expect(
        await page.evaluate(
          `[...document.querySelectorAll('#log ins, #log del')].map((line) => line.innerText.trim())`,
        ),
      ).toEqual(['-hello', '+<b>goodbye</b>'])
      expect(
        await page.evaluate(
          `document.querySelectorAll('#log b').length + document.querySelectorAll('#questions fieldset').length`,
        ),
      ).toBe(0)
    })

    it('goes on after a reload, without a gap or a repeat', async () => {
      const before = await page.evaluate<string>(text('#log'))
      await page.reload()
      await page.until(`${text('#log')}.includes('goodbye')`)
      await page.until(`${text('#run')} === 'Idle.'`)
      expect(await page.evaluate(text('#log'))).toBe(before)
      await hasNoFaults()
    })

    it('steers and stops a run', async () => {
      await say('run sleep 20')
      await page.until(`document.querySelector('#questions fieldset') !== null`)
      await click('once')
      await page.until(`${text('#log')}.includes('runs')`)
      await say('what else?')
      await page.until(`${text('#run')} === 'A run is on. 1 message waits.'`)
      await click('Stop')
      await page.until(`${text('#run')}.startsWith('Idle.')`)
      expect(await page.evaluate(text('#log'))).toContain('The run ended: aborted')
    })

    it('goes on after a kill and a restart of the server, without a gap or a repeat', async () => {
      const before = await page.evaluate<string>(text('#log'))
      server.child.kill('SIGKILL')
      await server.ended
      await page.until(`${text('#connection')}.startsWith('reconnecting')`)
      server = serve(new URL(url).port)
      await page.until(`${text('#connection')} === 'connected'`)
      await say('What is in this folder?')
      await page.until(`${text('#log')}.includes('That is beyond my rules')`)
      await page.until(`${text('#run')}.startsWith('Idle.')`)
      const after = await page.evaluate<string>(text('#log'))
      expect(after.slice(0, before.length)).toBe(before)
      expect(after.split('What is in this folder?\nYou')).toHaveLength(2)
    })

    it('runs no script but its own, and breaks none of its policy', () => expect(page.problems).toEqual([]))
  },
)
