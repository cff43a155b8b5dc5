// Tests questions and Markdown on the web page in a real Chromium. Skipped if none is installed.
import path from 'node:path'
import axe from 'axe-core'
import { map } from 'rxjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectGateway } from '../../../lib/client.ts'
import { defineExtension } from '../../../lib/extensions/index.ts'
import { scripted } from '../../../lib/providers/offline/scripted.ts'
import type { Question } from '../../../lib/streams/ports/ask.ts'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import { readBuildRecord } from '../../../scripts/build/build-record.ts'
import { count } from '../../session/extensions/extension-scene.ts'
import { startGateway, token } from '../../server/gateway/gateway-scene.ts'
import { chromium, openChromium } from '../../support/chromium.ts'
import type { ChromiumPage } from '../../support/chromium.ts'
import { workplace } from '../../support/command.ts'
import { resultOf } from '../../support/result-of.ts'
import { isFull } from '../../support/sample-size.ts'

const root = path.resolve(import.meta.dirname, '../../..')

/** A server with the page, whose model first calls tools that ask these questions, one after the other, then answers. */
async function pageOf(page: ChromiumPage, questions: readonly Question[], answer: string): Promise<void> {
  const quiz = defineExtension({
    name: 'quiz',
    version: '1.0.0',
    capabilities: ['read', 'session'],
    setup: ({ tools }) => {
      questions.forEach((question, index) => {
        tools.register({
          ...count,
          name: `ask_${index}`,
          execute: (_args, context) =>
            context.ask(question).pipe(map(({ outcome }) => textResult(JSON.stringify(outcome)))),
        })
      })
    },
  })
  const model$ = scripted(({ messages }) => {
    const results = messages.filter(({ role }) => role === 'toolResult').length
    if (results < questions.length) return { toolCalls: [{ name: `ask_${results}`, arguments: {} }] }
    return { text: `${messages.slice(1).map(({ content }) => JSON.stringify(content)).join(' ')}\n${answer}` } // prettier-ignore
  })
  const pageFolder = path.join(root, 'dist', readBuildRecord(root)?.build ?? '', 'web')
  const { url } = await startGateway({ pageFolder }, model$, [quiz])
  const client = connectGateway({ url, token, hello: { client: 'test' } })
  const { session } = await resultOf(client.request({ type: 'new_session', cwd: '/' }))
  client.close()
  await page.goTo(`${url}/#token=${token}&session=${session}`)
  await page.until(`document.getElementById('connection').innerText === 'connected'`)
  await page.evaluate(`document.getElementById('text').focus()`)
  await page.type('Go')
  await page.press('Enter')
}

const click = (page: ChromiumPage, label: string) =>
  page.evaluate(
    `[...document.querySelectorAll('#questions button')].find((each) => each.innerText === ${JSON.stringify(label)}).click()`,
  )
const asks = (page: ChromiumPage, text: string) =>
  page.until(`document.querySelector('#questions legend')?.innerText === ${JSON.stringify(text)}`)
const log = (page: ChromiumPage) => page.evaluate<string>(`document.getElementById('log').innerText`)

async function hasNoFaults(page: ChromiumPage): Promise<void> {
  await page.evaluate(`${axe.source}; undefined`)
  const faults = await page.evaluate(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map((node) => node.html).join(' ')))`,
  )
  expect(faults).toEqual([])
}

/** What `question` of a server of MCP sends: every kind of field. */
const form = {
  type: 'question',
  requestId: 'aform',
  kind: 'form',
  text: 'Who are you?',
  choices: ['accept', 'decline', 'cancel'],
  schema: {
    type: 'object',
    required: ['name', 'age', 'color'],
    properties: {
      name: { type: 'string', title: 'Your name', description: 'As on the badge', minLength: 2 },
      age: { type: 'integer', minimum: 18 },
      mail: { type: 'string', format: 'email' },
      news: { type: 'boolean', default: true },
      color: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      size: { type: 'string', oneOf: [{ const: 's', title: 'Small' }, { const: 'l', title: 'Large' }], default: 'l' }, // prettier-ignore
      days: { type: 'array', items: { enum: ['mon', 'tue', 'wed'] } },
    },
  },
}

describe.runIf(isFull && chromium !== undefined)(
  'questions on the page (with RXPI_FULL; skipped without Chromium: apt install chromium-headless-shell)',
  { timeout: 60_000 },
  () => {
    let page: ChromiumPage
    beforeAll(async () => {
      workplace()[Symbol.dispose]() // builds what is not built
      page = await openChromium({ width: 360, height: 740 })
    }, 120_000)
    afterAll(() => page[Symbol.asyncDispose]())

    it('asks for yes or no, for a choice and for a text', async () => {
      const questions: Question[] = [
        { kind: 'confirm', text: 'Sure?' },
        { kind: 'select', text: 'Which?', options: ['left', 'right'] },
        { kind: 'input', text: 'What name?' },
      ]
      await pageOf(page, questions, 'Done.')
      await asks(page, 'Sure?')
      await click(page, 'yes')
      await asks(page, 'Which?')
      await hasNoFaults(page)
      await click(page, 'right')
      await asks(page, 'What name?')
      await page.evaluate(`document.querySelector('#questions input').focus()`)
      await page.type('Ada')
      await click(page, 'answer')
      await page.until(`document.getElementById('log').innerText.includes('Done.')`)
      for (const outcome of ['true', '\\"right\\"', '\\"Ada\\"']) expect(await log(page)).toContain(outcome)
      expect(await page.evaluate(`document.querySelector('#questions fieldset')`)).toBeNull()
    })

    it('shows the fields of a form, refuses what does not fit with an error at the field, and sends the values', async () => {
      await page.evaluate(`import('./questions.js').then(({ drawQuestion }) => {
        window.outcomes = []
        document.getElementById('questions').append(drawQuestion(${JSON.stringify(form)}, (...answer) => outcomes.push(answer)))
      })`)
      await hasNoFaults(page)
      const label = (text: string) =>
        `[...document.querySelectorAll('#questions label')].find(({ innerText }) => innerText === ${JSON.stringify(text)}).control`
      await click(page, 'accept')
      expect(await page.evaluate('outcomes')).toEqual([])
      // the first wrong field has the focus, and a screen reader reads its error with it
      expect(await page.evaluate(`document.activeElement === ${label('Your name')}`)).toBe(true)
      expect(
        await page.evaluate(
          `(({ ariaInvalid, attributes }) => [ariaInvalid, document.getElementById(attributes['aria-describedby'].value).innerText !== ''])(document.activeElement)`,
        ),
      ).toEqual(['true', true])
      await hasNoFaults(page)
      await page.type('Ada')
      await page.evaluate(`${label('age')}.focus()`)
      await page.type('17')
      await page.evaluate(`${label('mail (optional)')}.focus()`)
      await page.type('nowhere')
      await page.evaluate(`${label('color')}.value = 'g'`)
      await page.evaluate(`[1, 2].forEach((index) => (${label('days (optional)')}.options[index].selected = true))`)
      await click(page, 'accept')
      expect(await page.evaluate(`document.activeElement === ${label('age')}`)).toBe(true)
      await page.evaluate(`${label('age')}.value = '36'; ${label('mail (optional)')}.value = ''`)
      await click(page, 'accept')
      const values = { name: 'Ada', age: 36, news: true, color: 'g', size: 'l', days: ['tue', 'wed'] }
      expect(await page.evaluate('outcomes')).toEqual([[{ choice: 'accept', values }, {}]])
      await click(page, 'decline')
      expect(await page.evaluate('outcomes.at(-1)')).toEqual([{ choice: 'decline' }, {}])
      await page.evaluate(`document.querySelector('#questions fieldset').remove()`)
    })

    it('sends a message with a refusal alone: with an accepted plan it would be a changed plan', async () => {
      const plan = { ...form, requestId: 'aplan', kind: 'plan', text: '1. Begin at 0', choices: ['accept', 'reject'] }
      await page.evaluate(`import('./questions.js').then(({ drawQuestion }) => {
        const { schema, ...plan } = ${JSON.stringify(plan)}
        window.outcomes = []
        document.getElementById('questions').append(drawQuestion(plan, (...answer) => outcomes.push(answer)))
      })`)
      await hasNoFaults(page)
      await page.evaluate(`document.querySelector('#questions input').value = 'Not yet'`)
      await click(page, 'accept')
      await click(page, 'reject')
      expect(await page.evaluate('outcomes')).toEqual([
        [{ choice: 'accept' }, {}],
        [{ choice: 'reject', text: 'Not yet' }, {}],
      ])
    })

    it('draws code, headings and strong words of an answer as elements, and nothing as HTML', async () => {
      const answer =
        '## A title\nUse `a < b` and **not** <b>that</b>:\n\n```js\nconst a = "<i>"\n**plain**\n```\n- one\n- two ```'
      await pageOf(page, [], answer)
      await page.until(`document.querySelector('#log strong') !== null`)
      const texts = (selector: string) =>
        page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.textContent)`)
      expect(await texts('#log strong')).toEqual(['A title', 'not'])
      expect(await texts('#log code')).toEqual(['a < b'])
      expect(await texts('#log .text pre')).toEqual(['const a = "<i>"\n**plain**\n'])
      expect(await texts('#log b, #log i')).toEqual([])
      expect(await log(page)).toContain('- one\n- two ```')
      await hasNoFaults(page)
    })

    it('breaks none of its policy', () => expect(page.problems).toEqual([]))
  },
)
