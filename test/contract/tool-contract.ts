// The contract of every tool; each tool's own test file calls it.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { NEVER, firstValueFrom, lastValueFrom, toArray } from 'rxjs'
import { outputOf } from '../../lib/streams/tool-definition/tool-output.ts'
import type { Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { processesSettled } from '../../lib/host/process/running-processes.ts'
import { processMarkPrefix } from '../../lib/host/process/process-identity.ts'
import { spawnProcess } from '../../lib/host/process/spawn-process.ts'
import { compileSchema } from '../../lib/streams/schema/compile-schema.ts'
import type { AnyTool, ToolContext, ToolProgress, ToolResult } from '../../lib/streams/ports/tool.ts'

export interface ToolCase {
  readonly tool: AnyTool
  /** Prepares the (empty, temporary) folder and returns arguments of a call that succeeds there. */
  succeeding(folder: string): Record<string, unknown>
  /** Arguments that are valid but cannot succeed there. */
  failing(folder: string): Record<string, unknown>
  /** A call that takes long, if the tool has any; else the succeeding one is unsubscribed early. */
  pending?(folder: string): Record<string, unknown>
  /** Names in the folder that calls can leave, whole. Default: none. */
  readonly leaves?: readonly string[]
  /** Arguments that the schema refuses. */
  readonly invalid: readonly Record<string, unknown>[]
}

/**
 * A context for calls by hand: the process's own environment, a signal that must not be read by tools that end at once.
 */
export function testContext(cwd: string, more: Partial<ToolContext> = {}): ToolContext {
  const env = Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const { signal } = new AbortController()
  return { cwd, env, signal, sessionId: 'aaaaaaaaaaaa', toolCallId: 'call_1', ask: () => NEVER, ...more }
}

/** Calls a tool as the pipeline does, with the arguments as they are. */
export function call(tool: AnyTool, args: object, context: ToolContext): Observable<ToolProgress | ToolResult> {
  return outputOf(tool.execute(args as never, context), context)
}

/** The result of one call. */
export async function resultOf(tool: AnyTool, args: object, context: ToolContext): Promise<ToolResult> {
  const last = await lastValueFrom(call(tool, args, context), { defaultValue: undefined })
  if (last?.type !== 'result') throw new Error('the tool ended without a result')
  return last
}

/** Text of a result's first part. */
export function textOf(result: ToolResult): string {
  const [first] = result.content
  return first?.type === 'text' ? first.text : ''
}

export function toolContract(name: string, make: () => ToolCase): void {
  describe(`${name}, as every tool,`, () => {
    const toolCase = make()
    const { tool, leaves = [] } = toolCase
    let folder: string
    let before: Traces

    beforeEach(async () => {
      folder = mkdtempSync(path.join(tmpdir(), `rxpi-${name}-`))
      await warmUp(folder)
      before = traces()
    })
    afterEach(async () => {
      await waitForTeardown(before)
      rmSync(folder, { recursive: true, force: true })
    })
    const filesLeft = () => readdirSync(folder).filter((file) => !leaves.includes(file))

    it('has a definition that a model API accepts', () => {
      expect(tool.name).toMatch(/^[a-z][a-z0-9_]{0,63}$/)
      expect(tool.description).not.toBe('')
      expect(tool.parameters).toMatchObject({ type: 'object' })
      expect(compileSchema(tool.parameters)(toolCase.invalid[0]).length).toBeGreaterThan(0)
    })

    it('accepts valid arguments and names the problem of others', () => {
      const validate = tool.validate ?? compileSchema(tool.parameters)
      expect(validate(toolCase.succeeding(folder))).toEqual([])
      expect(validate(toolCase.failing(folder))).toEqual([])
      for (const args of toolCase.invalid) {
        expect(validate(args).map(({ reason }) => reason)).toEqual([expect.stringMatching(/\w/)])
        expect(compileSchema(tool.parameters)(args).length).toBeGreaterThan(0)
      }
    })

    it('emits one result, as its last value, and completes [PORT-tool]', async () => {
      const args = deepFreeze(toolCase.succeeding(folder))
      const values = await lastValueFrom(call(tool, args, testContext(folder)).pipe(toArray()), { defaultValue: [] })
      expect(values.filter(({ type }) => type === 'result')).toHaveLength(1)
      expect(values.at(-1)).toMatchObject({ type: 'result' })
      expect(values.at(-1)).not.toMatchObject({ isError: true })
      expect(() => JSON.stringify(values)).not.toThrow()
    })

    it('is cold: without a subscription it does nothing, and each subscription is a separate call [PORT-cold]', async () => {
      const args = toolCase.succeeding(folder)
      const listing = readdirSync(folder)
      const calls$ = call(tool, args, testContext(folder))
      await delay(10)
      expect(readdirSync(folder)).toEqual(listing)
      for (let round = 0; round < 2; round += 1) {
        expect(await lastValueFrom(calls$, { defaultValue: undefined })).toMatchObject({ type: 'result' })
      }
    })

    it('emits its failures as results [PORT-tool]', async () => {
      const result = await resultOf(tool, toolCase.failing(folder), testContext(folder))
      expect(result.isError).toBe(true)
      expect(textOf(result)).toMatch(/\w/)
    })

    it('emits a missing working folder as a result', async () => {
      const args = toolCase.succeeding(folder)
      expect(await resultOf(tool, args, testContext(path.join(folder, 'nowhere')))).toMatchObject({ type: 'result' })
    })

    it.each([0, 1, 5, 50])(
      'ends at once and emits nothing when it is unsubscribed after %d ms [PORT-cold]',
      async (ms) => {
        const args = (toolCase.pending ?? toolCase.succeeding)(folder)
        const listing = filesLeft()
        let unsubscribed = false
        let late = 0
        const subscription = call(tool, args, testContext(folder)).subscribe({
          next: () => (late += unsubscribed ? 1 : 0),
          error: () => (late += 1),
        })
        if (ms > 0) await delay(ms)
        unsubscribed = true
        subscription.unsubscribe()
        await waitForTeardown(before)
        expect(late).toBe(0)
        // only the close of a temporary file and its removal remain
        await vi.waitFor(() => expect(filesLeft()).toEqual(listing), { timeout: 10_000 })
      },
    )
  })
}

interface Traces {
  readonly descriptors: number
  readonly resources: number
  readonly processes: number
}

/** Resources that exist once and stay: the guardian and modules that were loaded on first use. */
async function warmUp(folder: string): Promise<void> {
  await lastValueFrom(spawnProcess({ program: '/bin/sh', args: ['-c', ':'], cwd: folder, env: {} }), {
    defaultValue: undefined,
  })
}

function traces(): Traces {
  return {
    descriptors: readdirSync('/proc/self/fd').length,
    resources: process.getActiveResourcesInfo().filter((name) => !name.startsWith('Immediate')).length,
    processes: markedProcesses(),
  }
}

/** Waits until no more resources are open, pending and running than before; fails at a deadline. */
async function waitForTeardown(before: Traces): Promise<void> {
  await firstValueFrom(processesSettled({ withinMs: 5000 }), { defaultValue: undefined })
  const end = performance.now() + 5000
  for (;;) {
    // the wait itself is one timer, which is over when it is counted
    const now = traces()
    const isBack = now.descriptors <= before.descriptors && now.resources <= before.resources && now.processes === 0
    if (isBack) return
    if (performance.now() > end) expect(now).toEqual({ ...before, processes: 0 })
    await delay(5)
  }
}

function markedProcesses(): number {
  const mark = processMarkPrefix()
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && environmentOf(pid).includes(mark)).length
}

function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1')
  } catch {
    return '' // the process has ended meanwhile, or belongs to another user
  }
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) deepFreeze(part)
  return Object.freeze(value)
}
