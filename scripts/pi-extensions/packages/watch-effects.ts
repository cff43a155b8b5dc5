// Notes what a package shows in a session, and answers its questions and surfaces.
import type { Frame, RpcClient } from './rpc-client.ts'

/** Milliseconds between the keys of a dialog. */
const keyMs = 250
const widest = 400

export class EffectWatch {
  #effects: string[] = []
  #session = ''
  readonly #request: RpcClient['request']
  readonly #surfaces = new Map<string, string>()
  readonly #questions = new Set<string>()
  #settled = 0

  constructor(request: RpcClient['request']) {
    this.#request = request
  }

  /** How many runs have ended. */
  get settled(): number {
    return this.#settled
  }

  /** What happened since the last call. */
  take(): readonly string[] {
    const effects = this.#effects
    this.#effects = []
    return effects
  }

  /** Called when an extension asks for another session. */
  onOpen: () => void = () => undefined

  start(session: string): void {
    this.#session = session
  }

  note(kind: string, text: string): void {
    const line = `${kind}: ${text
      .replaceAll(/\u001B\[[0-9;]*m/g, '')
      .replaceAll(/\s+/g, ' ')
      .slice(0, widest)}`
    if (this.#effects.at(-1) !== line && this.#effects.length < 200) this.#effects.push(line)
  }

  onEvent(event: Frame): void {
    const text = (name: string): string => (typeof event[name] === 'string' ? event[name] : JSON.stringify(event[name] ?? '')) // prettier-ignore
    switch (event['type']) {
      case 'ui_request':
        this.note(text('kind'), text('text'))
        if (event['kind'] !== 'notify') this.#answer(event)
        break
      case 'question':
        this.note('approval', text('text'))
        this.#send('ui_response', { requestId: event['requestId'], outcome: { choice: 'once' } })
        break
      case 'surface':
        this.#onSurface(event)
        break
      case 'warning':
      case 'error':
        this.note(`${text('type')} ${text('code')}`, text('message'))
        break
      case 'custom':
        this.note('custom', text('customType'))
        break
      case 'tool_execution_end':
        this.note(`result of ${text('toolName')}${event['isError'] === true ? ' (error)' : ''}`, resultText(event))
        break
      case 'message_end':
        this.#onMessage(event['message'] as Frame)
        break
      case 'status':
        if (event['code'] === 'extension_open') this.onOpen()
        if (event['code'] !== 'retry') this.note(`status ${text('code')}`, JSON.stringify(event['context'] ?? event['message'] ?? '')) // prettier-ignore
        break
      case 'agent_settled':
        this.#settled += 1
        break
      default:
        if (/^(model_change|thinking|tools_change|session_info|compaction|label|head_moved|job_)/.test(text('type'))) this.note('event', text('type')) // prettier-ignore
    }
  }

  #onMessage(message: Frame): void {
    if (message['role'] === 'user') this.note('prompt', JSON.stringify(message['content']))
  }

  #answer(event: Frame): void {
    const { requestId, kind } = event
    const isFirst = !this.#questions.has(String(event['text']))
    this.#questions.add(String(event['text']))
    const options = event['options'] as readonly unknown[] | undefined
    const outcome = !isFirst ? null : kind === 'confirm' ? true : kind === 'select' ? (options?.[0] ?? null) : 'one'
    this.#send('ui_response', { requestId, outcome })
  }

  #onSurface(event: Frame): void {
    const id = String(event['id'])
    const lines = (event['lines'] ?? []) as readonly string[]
    if (event['closed'] === true) {
      this.#surfaces.delete(id)
      return
    }
    const isNew = !this.#surfaces.has(id)
    this.#surfaces.set(id, lines.join('\n'))
    if (!isNew) return
    this.note(`surface ${String(event['placement'])}`, lines.join(' / '))
    if (event['placement'] === 'dialog') void this.#press(id)
  }

  /** Down, Enter, Escape; then the person closes it. */
  async #press(id: string): Promise<void> {
    for (const data of ['\u001B[B', '\r', '\u001B', '\u001B']) {
      await new Promise((resolve) => setTimeout(resolve, keyMs))
      if (!this.#surfaces.has(id)) return
      this.#send('surface_key', { surface: id, data })
    }
    await new Promise((resolve) => setTimeout(resolve, 2 * keyMs))
    if (this.#surfaces.has(id)) this.#send('surface_close', { surface: id })
  }

  #send(type: string, fields: object): void {
    this.#request(type, { session: this.#session, ...fields }).catch((error: unknown) => {
      this.note(`${type} failed`, String(error))
    })
  }
}

function resultText(event: Frame): string {
  const content = (event['content'] ?? []) as readonly { readonly text?: string }[]
  return content.map(({ text = '<image>' }) => text).join(' ')
}
