// Drives a page of a real Chromium over its pipe, by the DevTools protocol.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'

const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']
/** Its program; undefined if none is installed. */
export const chromium = names.find((name) => spawnSync(name, ['--version']).status === 0)

export interface ChromiumPage extends AsyncDisposable {
  /** Errors of scripts and of the content security policy. */
  readonly problems: readonly string[]
  goTo(url: string): Promise<void>
  reload(): Promise<void>
  /** The value of a JavaScript expression, as JSON has it. */
  evaluate<Value>(expression: string): Promise<Value>
  /** Resolves when the expression is true; rejects after 15 s with the text of the page. */
  until(expression: string): Promise<void>
  /** Presses a key, such as `Tab`, or types a text. */
  press(key: string): Promise<void>
  type(text: string): Promise<void>
  screenshot(): Promise<Buffer>
  send(method: string, parameters?: object): Promise<Reply>
}

type Reply = Readonly<Record<string, unknown>>

interface Message {
  readonly id?: number
  readonly method?: string
  readonly params?: Reply
  readonly result?: Reply
  readonly error?: { readonly message: string }
}

const codes: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Space: 32 }

/** Starts a browser with one page of this size. */
export async function openChromium({ width, height }: { width: number; height: number }): Promise<ChromiumPage> {
  const profile = mkdtempSync(path.join(tmpdir(), 'rxpi-chromium-'))
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars', '--force-color-profile=srgb']
  const args = [...flags, '--remote-debugging-pipe', `--user-data-dir=${profile}`, 'about:blank']
  const child = spawn(chromium ?? '', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
  const [, , , input, output] = child.stdio as [null, null, null, Writable, Readable]
  const link = connectPipe(input, output)
  const { targetInfos } = (await link.send('Target.getTargets')) as {
    targetInfos: { targetId: string; type: string }[]
  }
  const targetId = targetInfos.find(({ type }) => type === 'page')?.targetId
  const { sessionId } = (await link.send('Target.attachToTarget', { targetId, flatten: true })) as { sessionId: string }
  const send = (method: string, parameters: object = {}) => link.send(method, parameters, sessionId)
  for (const domain of ['Page', 'Runtime', 'Log']) await send(`${domain}.enable`)
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: width < 600 })
  return {
    ...pageOf(send, link),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      await link.send('Browser.close')
      await ended
      for (const pipe of [input, output]) pipe.destroy()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

type Link = ReturnType<typeof connectPipe>

/** Messages end with NUL. */
function connectPipe(input: Writable, output: Readable) {
  const open = new Map<number, { resolve(reply: Reply): void; reject(error: Error): void }>()
  const problems: string[] = []
  const loaded = new Set<() => void>()
  let [count, rest] = [0, '']
  const receive = ({ id = 0, method, params = {}, result, error }: Message): void => {
    const request = open.get(id)
    open.delete(id)
    if (error === undefined) request?.resolve(result ?? {})
    else request?.reject(new Error(error.message))
    if (method === 'Page.loadEventFired') for (const each of loaded) each()
    const { entry } = params as { entry?: { source: string } }
    // a lost connection is in the log too, as network
    if (method === 'Runtime.exceptionThrown' || entry?.source === 'security') problems.push(JSON.stringify(params))
  }
  output.setEncoding('utf8').on('data', (piece: string) => {
    const messages = (rest + piece).split('\0')
    rest = messages.pop() ?? ''
    for (const message of messages) receive(JSON.parse(message) as Message)
  })
  const send = (method: string, params: object = {}, sessionId?: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      count += 1
      open.set(count, { resolve, reject })
      input.write(`${JSON.stringify({ id: count, method, params, sessionId })}\0`)
    })
  const untilLoaded = (): Promise<void> =>
    new Promise((resolve) => {
      const onLoad = (): void => {
        loaded.delete(onLoad)
        resolve()
      }
      loaded.add(onLoad)
    })
  return { send, problems, untilLoaded }
}

function pageOf(
  send: ChromiumPage['send'],
  { problems, untilLoaded }: Link,
): Omit<ChromiumPage, typeof Symbol.asyncDispose> {
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const reply = await send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
    const { result, exceptionDetails } = reply as { result: { value: Value }; exceptionDetails?: object }
    if (exceptionDetails !== undefined) throw new Error(`${expression}: ${JSON.stringify(exceptionDetails)}`)
    return result.value
  }
  const afterLoad = async (method: string, parameters: object): Promise<void> => {
    const done = untilLoaded()
    await send(method, parameters)
    await done
  }
  return {
    problems,
    send,
    evaluate,
    goTo: (url) => afterLoad('Page.navigate', { url }),
    reload: () => afterLoad('Page.reload', {}),
    until: async (expression) => {
      const end = performance.now() + 15_000
      while (!(await evaluate<boolean>(`Boolean(${expression})`))) {
        if (performance.now() > end)
          throw new Error(`never: ${expression}\n${await evaluate<string>('document.body.innerText')}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    press: async (key) => {
      const text = key === 'Enter' ? '\r' : key === 'Space' ? ' ' : undefined
      const named = { key: key === 'Space' ? ' ' : key, code: key, windowsVirtualKeyCode: codes[key] ?? 0 }
      await send('Input.dispatchKeyEvent', { type: 'keyDown', ...named, ...(text && { text }) })
      await send('Input.dispatchKeyEvent', { type: 'keyUp', ...named })
    },
    type: async (text) => void (await send('Input.insertText', { text })),
    screenshot: async () => {
      const { data } = (await send('Page.captureScreenshot', { format: 'png' })) as { data: string }
      return Buffer.from(data, 'base64')
    },
  }
}
