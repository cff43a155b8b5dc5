// Emits the parts of a candidate in order: text, thoughts, and calls in both forms.
//
// Parts of tools that run at the provider are skipped.
import type { DeltaEmitter, CallEmitter } from '../adapter/delta-emitter.ts'
import { jsonText } from '../../streams/values/json.ts'
import { isObject, recordOf, textOf } from '../http/json-field.ts'

type Fields = Readonly<Record<string, unknown>>

export interface GoogleParts {
  /** The number of calls so far. */
  readonly calls: number
  read(part: unknown): void
  /** Ends a call whose arguments are incomplete. */
  end(): void
}

/** A call whose arguments arrive as values with paths. */
interface StreamedCall {
  readonly writer: CallEmitter
  readonly args: JsonPathWriter
  signature: string
}

/** @param inventId names a call without an id; it counts from 1 */
export function googleParts(emitter: DeltaEmitter, inventId: (count: number) => string): GoogleParts {
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
      const writer = emitter.call(textOf(call['id']) || inventId(calls), name)
      if (!continues && !Array.isArray(call['partialArgs'])) {
        writeWhole(writer, call['args'], signature)
        return
      }
      const args = createJsonPathWriter((text) => {
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
        emitter[kind](part['text'])
        if (signature !== '' && emitter.open === kind) emitter.closeBlock(signature)
      }
    },
    end,
  }
}

function writeWhole(writer: CallEmitter, args: unknown, signature: string): void {
  if (isObject(args)) writer.arguments(jsonText(args))
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

export interface PathValue {
  /** As in `$.recipe.steps[0]`. */
  readonly jsonPath: string
  readonly value: string | number | boolean | null
  /** True if the next value continues the text at this path. */
  readonly continues: boolean
}

interface JsonPathWriter {
  /** Adds one value and emits its text at once. Ignores a path that it cannot parse. */
  write(value: PathValue): void
  /** Closes all open values. The object is right also if paths arrived out of order; the text may not be. */
  end(): Record<string, unknown>
}

type Step = string | number
type Container = Record<Step, unknown> | unknown[]

interface OpenContainer {
  readonly step: Step | undefined
  readonly isArray: boolean
  isEmpty: boolean
}

/** Writes values with paths as the text of one JSON object, and builds the object. The cost per value is constant. */
export function createJsonPathWriter(emit: (text: string) => void): JsonPathWriter {
  const whole: Record<string, unknown> = {}
  const containers = openContainers(emit)
  let openText: string | undefined

  const closeText = (): void => {
    if (openText !== undefined) emit('"')
    openText = undefined
  }
  return {
    write: ({ jsonPath, value, continues }) => {
      const path = stepsOf(jsonPath)
      if (path === undefined) return
      const goesOn = openText === jsonPath && typeof value === 'string'
      if (!goesOn) {
        closeText()
        containers.goTo(path)
      }
      const text = JSON.stringify(value)
      emit(typeof value === 'string' ? `${goesOn ? '' : '"'}${text.slice(1, -1)}` : text)
      setAt(whole, path, value, goesOn)
      if (typeof value !== 'string') return
      openText = jsonPath
      if (!continues) closeText()
    },
    end: () => {
      closeText()
      containers.closeTo(0)
      return whole
    },
  }
}

/** Emits the brackets, names and commas between two values; the common part of their paths stays open. */
function openContainers(emit: (text: string) => void) {
  const open: OpenContainer[] = []
  const closeTo = (depth: number): void => {
    while (open.length > depth) emit(open.pop()?.isArray === true ? ']' : '}')
  }
  const enter = (step: Step | undefined, isArray: boolean): void => {
    emit(isArray ? '[' : '{')
    open.push({ step, isArray, isEmpty: true })
  }
  const name = (step: Step): void => {
    const container = open.at(-1)
    if (container === undefined) return
    emit(`${container.isEmpty ? '' : ','}${container.isArray ? '' : `${JSON.stringify(String(step))}:`}`)
    container.isEmpty = false
  }
  const goTo = (path: readonly Step[]): void => {
    if (open.length === 0) enter(undefined, false)
    let depth = 1
    while (depth < path.length && open[depth]?.step === path[depth - 1]) depth++
    closeTo(depth)
    for (; depth < path.length; depth++) {
      name(path[depth - 1] ?? '')
      enter(path[depth - 1], typeof path[depth] === 'number')
    }
    name(path.at(-1) ?? '')
  }
  return { goTo, closeTo }
}

/** Returns the names and indexes of a path; undefined if the path is invalid or empty. */
function stepsOf(jsonPath: string): readonly Step[] | undefined {
  if (!jsonPath.startsWith('$')) return undefined
  const steps: Step[] = []
  const pattern = /\.([^.[\]]+)|\[(\d{1,6})\]|\['([^']*)'\]|\["([^"]*)"\]/gy
  pattern.lastIndex = 1
  for (let match = pattern.exec(jsonPath); match !== null; match = pattern.exec(jsonPath)) {
    const [, name, index, single, double] = match
    steps.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index))
    if (pattern.lastIndex === jsonPath.length) return typeof steps[0] === 'string' ? steps : undefined
  }
  return undefined
}

function setAt(whole: Container, path: readonly Step[], value: unknown, goesOn: boolean): void {
  let container: Container = whole
  for (const [index, step] of path.slice(0, -1).entries()) {
    const found: unknown = valueAt(container, step)
    const next: Container = isContainer(found) ? found : typeof path[index + 1] === 'number' ? [] : {}
    if (next !== found) setOwn(container, step, next)
    container = next
  }
  const last = path.at(-1) ?? ''
  const before: unknown = goesOn ? valueAt(container, last) : undefined
  setOwn(container, last, typeof before === 'string' && typeof value === 'string' ? before + value : value)
}

function valueAt(container: Container, step: Step): unknown {
  return Object.hasOwn(container, step) ? Reflect.get(container, step) : undefined
}

/** Sets a property; `__proto__` is a name like any other. */
function setOwn(container: Container, step: Step, value: unknown): void {
  Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true })
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
