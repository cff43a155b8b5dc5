// Values that come one by one under their paths become the text of one JSON object, written as they come, and the object itself.

export interface PathValue {
  /** As in `$.recipe.steps[0]`. */
  readonly jsonPath: string
  readonly value: string | number | boolean | null
  /** The text under this path goes on with the next value. */
  readonly continues: boolean
}

export interface JsonPathWriter {
  /** Adds one value; its text is emitted at once. A path that cannot be read is passed over. */
  write(value: PathValue): void
  /** Closes what is open. The object counts more than its text, where paths came out of order. */
  end(): Record<string, unknown>
}

type Step = string | number
type Container = Record<Step, unknown> | unknown[]

interface OpenContainer {
  readonly step: Step | undefined
  readonly isArray: boolean
  isEmpty: boolean
}

/** Costs the same per value however much came before. */
export function jsonPathWriter(emit: (text: string) => void): JsonPathWriter {
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

/** The brackets, names and commas between values: what both paths share stays open. */
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

/** The names and indexes of a path, undefined where it is none or names nothing. */
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
    if (next !== found) define(container, step, next)
    container = next
  }
  const last = path.at(-1) ?? ''
  const before: unknown = goesOn ? valueAt(container, last) : undefined
  define(container, last, typeof before === 'string' && typeof value === 'string' ? before + value : value)
}

function valueAt(container: Container, step: Step): unknown {
  return Object.hasOwn(container, step) ? Reflect.get(container, step) : undefined
}

/** A name such as `__proto__` is a name like any other. */
function define(container: Container, step: Step, value: unknown): void {
  Object.defineProperty(container, step, { value, writable: true, enumerable: true, configurable: true })
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}
