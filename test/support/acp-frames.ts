// Checks each frame that an agent of ACP sends against the JSON Schema that the SDK's package ships.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AnyMessage, Stream } from '@agentclientprotocol/sdk'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { ValidateFunction } from 'ajv/dist/2020.js'

/** Who sends a frame. */
type Side = 'agent' | 'client'

interface Definition {
  readonly 'x-method'?: string
  readonly 'x-side'?: string
}

export interface FrameCheck {
  /** What does not fit, with the frame. */
  readonly problems: readonly string[]
  /** Number of frames that were checked. */
  readonly checked: number
  frame(from: Side, frame: AnyMessage): void
}

let compiled: Map<string, ValidateFunction> | undefined

/** By `request` or `response`, and the method. The unstable schema has the stable one in it. */
function validators(): Map<string, ValidateFunction> {
  if (compiled !== undefined) return compiled
  const file = createRequire(import.meta.url).resolve('@agentclientprotocol/sdk/schema/v1/schema.unstable.json')
  const schema = JSON.parse(readFileSync(file, 'utf8')) as { readonly $defs: Readonly<Record<string, Definition>> }
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema(schema, 'acp')
  compiled = new Map()
  for (const [name, { 'x-method': method }] of Object.entries(schema.$defs)) {
    if (method === undefined) continue
    const validate = ajv.getSchema(`acp#/$defs/${name}`)
    if (validate === undefined) throw new Error(`the schema has no ${name}`)
    compiled.set(`${name.endsWith('Response') ? 'response' : 'request'} ${method}`, validate)
  }
  return compiled
}

export function frameCheck(): FrameCheck {
  const problems: string[] = []
  const methods = new Map<string, string>()
  let checked = 0
  const check = (kind: string, method: string, value: unknown): void => {
    if (method.startsWith('_')) return // an extension
    const validate = validators().get(`${kind} ${method}`)
    checked += 1
    if (validate === undefined) problems.push(`the schema has no ${kind} ${method}`)
    else if (!validate(value))
      problems.push(`${kind} ${method}: ${JSON.stringify(validate.errors)} ${JSON.stringify(value)}`)
  }
  return {
    problems,
    get checked() {
      return checked
    },
    frame: (from, frame) => {
      if ('method' in frame) {
        if ('id' in frame) methods.set(`${from} ${String(frame.id)}`, frame.method)
        if (from === 'agent') check('request', frame.method, frame.params)
        return
      }
      const other = from === 'agent' ? 'client' : 'agent'
      const method = methods.get(`${other} ${String(frame.id)}`)
      if (method === undefined) problems.push(`an answer to no request: ${JSON.stringify(frame)}`)
      else if (from === 'agent' && 'result' in frame) check('response', method, frame.result)
    },
  }
}

/** A stream for one side, which shows every frame of both sides to the check. */
export function checkedStream(stream: Stream, side: Side, check: Pick<FrameCheck, 'frame'>): Stream {
  const other = side === 'agent' ? 'client' : 'agent'
  const through = (from: Side): TransformStream<AnyMessage, AnyMessage> =>
    new TransformStream({
      transform: (frame, controller) => {
        check.frame(from, frame)
        controller.enqueue(frame)
      },
    })
  const out = through(side)
  void out.readable.pipeTo(stream.writable).catch(() => undefined) // the other side has gone
  return { writable: out.writable, readable: stream.readable.pipeThrough(through(other)) }
}
