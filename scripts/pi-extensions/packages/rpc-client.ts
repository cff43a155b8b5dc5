// Speaks rxpi's protocol with a server of its own: `rxpi rpc`, as an editor would.
import { createInterface } from 'node:readline'
import path from 'node:path'
import type { Workspace } from '../../../bench/report.ts'

export type Frame = Readonly<Record<string, unknown>>

export interface RpcClient {
  /** Resolves with `result`; rejects with the code and the message of the error, and after the limit. */
  request(type: string, fields?: object, limitMs?: number): Promise<Frame>
  /** Ends the server. Resolves with the code or signal, and with what it wrote to stderr. */
  end(): Promise<{ readonly code: number | string; readonly stderr: string }>
}

interface Pending {
  resolve(result: Frame): void
  reject(error: Error): void
}

/** @param onEvent gets the events of all sessions */
export function rpcClient(
  workspace: Workspace,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  onEvent: (event: Frame) => void,
): RpcClient {
  const program = path.join(workspace.root, 'bin/start.js')
  const child = workspace.spawn(process.execPath, [program, 'rpc'], { ...options, stdio: ['pipe', 'pipe', 'pipe'] })
  const pending = new Map<string, Pending>()
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-16_384)))
  const ended = new Promise<number | string>((resolve) => {
    child.once('exit', (code, signal) => {
      for (const { reject } of pending.values()) reject(new Error(`the server ended: ${stderr.trim().slice(-500)}`))
      pending.clear()
      resolve(code ?? signal ?? '')
    })
  })
  if (child.stdout !== null)
    createInterface({ input: child.stdout }).on('line', (line) => {
      const frame = JSON.parse(line) as Frame // of the server under test
      if (frame['type'] === 'event') onEvent(frame['event'] as Frame)
      if (frame['type'] === 'response') settle(pending, frame)
    })
  let requests = 0
  return {
    request: (type, fields = {}, limitMs = 30_000) =>
      new Promise((resolve, reject) => {
        const id = String(++requests)
        const timer = setTimeout(() => reject(new Error(`${type}: no response within ${limitMs / 1000} s`)), limitMs)
        const done = <Value>(act: (value: Value) => void) => (value: Value): void => {
          clearTimeout(timer)
          act(value)
        } // prettier-ignore
        pending.set(id, { resolve: done(resolve), reject: done(reject) })
        child.stdin?.write(`${JSON.stringify({ id, type, ...fields })}\n`)
      }),
    end: async () => {
      child.stdin?.end()
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000)
      const code = await ended
      clearTimeout(timer)
      return { code, stderr }
    },
  }
}

function settle(pending: Map<string, Pending>, frame: Frame): void {
  const id = String(frame['id'])
  const waiting = pending.get(id)
  pending.delete(id)
  if (frame['ok'] === true) waiting?.resolve(frame['result'] as Frame)
  else {
    const { code, message } = frame['error'] as { code: string; message: string }
    waiting?.reject(new Error(`${code}: ${message}`))
  }
}
