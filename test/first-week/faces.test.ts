// Tests the first week in other faces: an editor that speaks ACP, and the page in a real Chromium.
// `npx vitest run test/first-week -u` rewrites the pages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { client as clientApp, methods, ndJsonStream } from '@agentclientprotocol/sdk'
import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { walk } from '../first-hour/walk.ts'
import type { Walk } from '../first-hour/walk.ts'
import { chromium, openChromium } from '../support/chromium.ts'
import { weekModel } from './week-model.ts'
import { isFull } from '../support/sample-size.ts'

async function week(): Promise<Walk> {
  const begun = await walk({ says: weekModel })
  await begun.type('pass show openai | rxpi auth set openai >/dev/null')
  begun.place.configure('settings.json', { model: 'openai/gpt-6-luna' })
  return begun
}

/** What an editor shows of an update; undefined for one that changes nothing in the conversation. */
function lineOf(update: SessionUpdate): string | undefined {
  if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') return update.content.text
  if (update.sessionUpdate !== 'tool_call_update' || update.status !== 'completed') return undefined
  const diffs = (update.content ?? []).flatMap((part) => (part.type === 'diff' ? [part] : []))
  return diffs.map(({ path, oldText, newText }) => `\n[${path}: ${String(oldText?.length)} → ${newText.length} characters]\n`).join('') // prettier-ignore
}

describe('the first week in other faces', { timeout: 120_000 }, () => {
  it('an editor begins a session, and the terminal goes on with it', async () => {
    await using own = await week()
    const { folder } = own.place
    const child = spawn('bash', ['-c', 'exec rxpi acp --approve ask'], { cwd: folder, env: own.env })
    const shown: string[] = []
    const app = clientApp({ name: 'editor' })
      .onNotification('session/update', ({ params }) => void shown.push(lineOf(params.update) ?? ''))
      .onRequest('session/request_permission', ({ params: { toolCall, options } }) => {
        shown.push(`\n[${toolCall.title ?? ''}] ${options.map(({ name }) => name).join(' · ')}\n`)
        return { outcome: { outcome: 'selected', optionId: 'once' } }
      })
    const pipes = ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>)
    const { agent } = app.connect(pipes)
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} })
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] })
    const prompt: ContentBlock[] = [{ type: 'text', text: 'Fix the failing test' }]
    const { stopReason } = await agent.request(methods.agent.session.prompt, { sessionId, prompt })
    expect(stopReason).toBe('end_turn')
    own.see(
      'what the editor shows',
      shown
        .join('')
        .replaceAll(/\n{2,}/g, '\n')
        .trim(),
    )
    child.stdin.end()
    expect(await once(child, 'exit')).toEqual([0, null])
    await own.type('git diff --stat')
    await own.type('rxpi -c -p "Thank you"')
    await expect(own.transcript()).toMatchFileSnapshot('seen/editor.txt')
  })

  it.runIf(isFull && chromium !== undefined)('the page asks, and shows what was done', async () => {
    await using own = await week()
    const env = { ...own.env, RXPI_HTTP_TOKEN: 'a-token-of-the-first-week' }
    const server = spawn('bash', ['-c', 'exec rxpi serve --http 0 --web'], { cwd: own.place.folder, env })
    let notices = ''
    server.stderr.setEncoding('utf8').on('data', (text: string) => (notices += text))
    while (!notices.includes('the page is')) await once(server.stderr, 'data')
    const [, url = ''] = /the page is (\S+)/.exec(notices) ?? []
    {
      await using page = await openChromium({ width: 360, height: 740 })
      const textOf = async (id: string) =>
        (await page.evaluate<string>(`document.getElementById('${id}').innerText`)).replaceAll(/\n{2,}/g, '\n').trim()
      await page.goTo(`${url}#token=${env.RXPI_HTTP_TOKEN}`)
      await page.until(`document.getElementById('connection').innerText === 'connected'`)
      await page.evaluate(`
        document.getElementById('cwd').value = ${JSON.stringify(own.place.folder)}
        document.querySelector('#new button').click()`)
      await page.until(`location.hash.startsWith('#session=')`)
      await page.evaluate(`document.getElementById('text').focus()`)
      await page.type('Fix the failing test')
      await page.press('Enter')
      await page.until(`document.getElementById('questions').innerText.includes('sum.js')`)
      own.see('what the page asks', await textOf('questions'))
      const answerOnce = (text: string) =>
        page.evaluate(`document.querySelector('#questions fieldset').innerText.includes('${text}') &&
          document.querySelector('#questions button').click()`)
      await answerOnce('sum.js')
      await page.until(`document.getElementById('questions').innerText.includes('node sum.test.js')`)
      await answerOnce('node sum.test.js')
      await page.until(`document.getElementById('run').innerText === 'Idle.'`)
      own.see('what the page shows', await textOf('log'))
    }
    server.kill('SIGTERM')
    await once(server, 'exit')
    await own.type('git diff --stat')
    await expect(own.transcript()).toMatchFileSnapshot('seen/browser.txt')
  })
})
