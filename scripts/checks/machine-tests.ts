// Finds the test files that start programs or listen at sockets, themselves or by a helper.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'

const touches = /node:(?:child_process|net|http|https|tls|worker_threads)'|process\.execPath/
const imports = /\bfrom '(\.{1,2}\/[^']+\.tsx?)'/g

interface Source {
  readonly touchesMachine: boolean
  /** What it imports of `test`: the sources are the same on each machine. */
  readonly helpers: readonly string[]
}

/** Test files of the project at `root`, from `root`, sorted: their result depends on the machine. */
export function machineTests(root: string): string[] {
  const sources = new Map<string, Source>()
  const sourceOf = (file: string): Source => {
    const source = sources.get(file) ?? readSource(root, file)
    sources.set(file, source)
    return source
  }
  const dependsOnMachine = (test: string): boolean => {
    const files = new Set([test])
    for (const file of files) {
      const { touchesMachine, helpers } = sourceOf(file)
      if (touchesMachine) return true
      for (const helper of helpers) files.add(helper) // the loop comes to it
    }
    return false
  }
  return readdirSync(path.join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => path.join('test', name))
    .filter(dependsOnMachine)
    .toSorted()
}

function readSource(root: string, file: string): Source {
  const code = existsSync(path.join(root, file)) ? readFileSync(path.join(root, file), 'utf8') : ''
  const imported = Array.from(code.matchAll(imports), ([, name = '']) => path.join(path.dirname(file), name))
  return {
    touchesMachine: touches.test(code),
    helpers: imported.filter((name) => name.startsWith(`test${path.sep}`)),
  }
}
