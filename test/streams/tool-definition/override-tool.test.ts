// Tests that a copy of a tool keeps each method and property of the original, also those of a class.
import { Type } from '@sinclair/typebox'
import { of } from 'rxjs'
import { expect, it } from 'vitest'
import { textResult } from '../../../lib/streams/ports/tool.ts'
import type { AnyTool, ToolContext } from '../../../lib/streams/ports/tool.ts'
import { overrideTool } from '../../../lib/streams/tool-definition/override-tool.ts'

class Shell {
  readonly name = 'shell'
  readonly description = 'Runs.'
  readonly parameters = Type.Object({})
  readonly #folder = '/work'
  get sandboxed() {
    return true
  }
  locks() {
    return { write: [this.#folder] }
  }
  workingContext() {
    return { cwd: this.#folder, changed: [] }
  }
  previewDiff() {
    return of(this.#folder)
  }
  prepareArguments() {
    return { folder: this.#folder }
  }
  parametersFor() {
    return Type.Object({ folder: Type.Literal(this.#folder) })
  }
  execute() {
    return of(textResult(this.#folder))
  }
}

it('a copy keeps the methods of a class, bound to the original, and its getters', () => {
  const original: AnyTool = new Shell()
  const copy = overrideTool(original, { description: 'Runs elsewhere.' })
  const [args, context, model] = [{} as never, {} as ToolContext, {} as never]
  expect({ ...copy }).toMatchObject({ name: 'shell', description: 'Runs elsewhere.', sandboxed: true })
  expect(copy.locks?.(args, context)).toEqual({ write: ['/work'] })
  expect(copy.workingContext?.(args, context)).toEqual({ cwd: '/work', changed: [] })
  expect(copy.prepareArguments?.({})).toEqual({ folder: '/work' })
  expect(copy.parametersFor?.(model)).toEqual(new Shell().parametersFor())
  const emitted: unknown[] = []
  copy.previewDiff?.(args, context).subscribe((diff) => emitted.push(diff))
  expect(emitted).toEqual(['/work'])
  expect(copy.execute(args, context)).toBeDefined()
})
