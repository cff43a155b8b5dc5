// Parts of a candidate in their order: text, thoughts, calls in both their forms; what tools at the provider left says nothing here.
import type { AnswerWriter, CallWriter } from '../adapter/delta-emitter.ts'
import { jsonPathWriter } from './json-path-writer.ts'
import type { JsonPathWriter } from './json-path-writer.ts'
import { isObject, recordOf, textOf } from '../http/json-field.ts'

type Fields = Readonly<Record<string, unknown>>

export interface GoogleParts {
  /** How many calls were made. */
  readonly calls: number
  read(part: unknown): void
  /** Ends a call whose arguments were still to go on. */
  end(): void
}

/** A call whose arguments come under their paths. */
interface StreamedCall {
  readonly writer: CallWriter
  readonly args: JsonPathWriter
  signature: string
}

/** `inventId` names a call that came without an id, counted from 1. */
export function googleParts(answer: AnswerWriter, inventId: (count: number) => string): GoogleParts {
  let calls = 0
  let streamed: StreamedCall | undefined

  const end = (): void => {
    if (streamed === undefined) return
    const { writer, args, signature } = streamed
    streamed = undefined
    const known = args.end()
    writer.close(signature || undefined, known)
  }
  const readCall = (call: Fields, signature: string): void => {
    const name = textOf(call['name'])
    const continues = call['willContinue'] === true
    if (name !== '') {
      end()
      calls++
      const writer = answer.call(textOf(call['id']) || inventId(calls), name)
      if (!continues && !Array.isArray(call['partialArgs'])) {
        writeWhole(writer, call['args'], signature)
        return
      }
      const args = jsonPathWriter((text) => {
        writer.arguments(text)
      })
      streamed = { writer, args, signature }
    }
    if (streamed === undefined) return
    streamed.signature ||= signature
    for (const piece of listOf(call['partialArgs'])) writePiece(streamed.args, piece)
    if (!continues) end()
  }
  return {
    get calls() {
      return calls
    },
    read: (value) => {
      const part = recordOf(value)
      const signature = textOf(part['thoughtSignature'])
      if (isObject(part['functionCall'])) readCall(recordOf(part['functionCall']), signature)
      else if (typeof part['text'] === 'string') {
        const kind = part['thought'] === true ? 'thinking' : 'text'
        answer[kind](part['text'])
        if (signature !== '' && answer.open === kind) answer.closeBlock(signature)
      }
    },
    end,
  }
}

function writeWhole(writer: CallWriter, args: unknown, signature: string): void {
  if (isObject(args)) writer.arguments(JSON.stringify(args))
  writer.close(signature || undefined)
}

function writePiece(args: JsonPathWriter, piece: Fields): void {
  const { jsonPath, stringValue, numberValue, boolValue, willContinue } = piece
  const value = stringValue ?? numberValue ?? boolValue ?? null
  if (typeof jsonPath !== 'string' || typeof value === 'object') {
    if (typeof jsonPath === 'string' && 'nullValue' in piece) args.write({ jsonPath, value: null, continues: false })
    return
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return
  args.write({ jsonPath, value, continues: willContinue === true })
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}
