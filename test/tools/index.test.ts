// Tests the set of built-in tools: schemas, metadata and size.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { repairArguments } from '../../lib/operators/tool-calls/repair-arguments.ts'
import { defaultActiveTools } from '../../lib/session/tools/active-tools.ts'
import { builtInTools, parameterSchemas, tools } from '../../lib/tools/index.ts'
import { resultOf, testContext, textOf } from '../contract/tool-contract.ts'
import { withCompileCache } from '../support/compile-cache.ts'

const definitions = builtInTools({ home: '/nowhere' }).map(({ name, description, parameters }) => {
  return { name, description, parameters }
})

const jobTools = ['job_output', 'job_input', 'job_kill']

describe('the built-in tools', () => {
  it('take at most 4.2 kB of each request, those that are active by default', () => {
    const active = definitions.filter(({ name }) => defaultActiveTools.includes(name))
    expect(Buffer.byteLength(JSON.stringify(active))).toBeLessThanOrEqual(4200)
  })

  it('are files, bash, search, jobs, todo, ask and propose_plan, as tools and as the list for a session', () => {
    expect(definitions.map(({ name }) => name)).toEqual([
      'read',
      'write',
      'edit',
      'bash',
      'hashline_edit',
      'grep',
      'find',
      'ls',
      ...jobTools,
      'todo',
      'ask',
      'propose_plan',
    ])
    expect(Object.values(tools).map(({ name }) => name)).toEqual([
      'read',
      'write',
      'edit',
      'hashline_edit',
      'bash',
      'grep',
      'find',
      'ls',
      ...jobTools,
      'todo',
      'ask',
      'propose_plan',
    ])
  })

  it('have schemas without $id, and copies with an own id for the compiler', () => {
    expect(JSON.stringify(definitions)).not.toContain('$id')
    expect(Object.entries(parameterSchemas).map(([key, { $id }]) => [key, $id])).toEqual(
      [
        ...['read', 'write', 'edit', 'hashlineEdit', 'bash', 'grep', 'find', 'ls'],
        ...['jobOutput', 'jobInput', 'jobKill', 'todo', 'ask', 'searchTools', 'proposePlan'],
      ].map((name) => [`${name}Parameters`, `${name}Parameters`]),
    )
  })

  it('declare their effects, and bash has a time limit of its own [LOOP-6d]', () => {
    const { read, write, edit, bash } = tools
    expect([read, write, edit, bash].map(({ capability }) => capability)).toEqual(['read', 'write', 'write', 'execute'])
    expect([read, write, edit, bash].map(({ sideEffectFree = false }) => sideEffectFree)).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect([bash.timeoutMs, bash.locks]).toEqual([0, undefined])
    expect(edit.locks?.({ path: 'src/../a', edits: [] }, { cwd: '/srv' })).toEqual({ write: ['/srv/a'] })
    const hashlineEdit = builtInTools().find(({ name }) => name === 'hashline_edit')
    expect(hashlineEdit?.locks?.({ path: 'b', edits: [] } as never, { cwd: '/srv' })).toEqual({ write: ['/srv/b'] })
  })

  it('accept repaired arguments', () => {
    const { edit, read, bash } = tools
    const repaired = repairArguments(edit.parameters, { path: 'a', edits: '{"oldText":"x","newText":"y"}' })
    expect(repaired).toEqual({ path: 'a', edits: [{ oldText: 'x', newText: 'y' }] })
    expect(edit.validate?.(repaired)).toEqual([])
    expect(read.validate?.(repairArguments(read.parameters, { path: 'a', offset: '5', limit: null }))).toEqual([])
    expect(bash.validate?.(repairArguments(bash.parameters, { command: 'a', timeout: '1.5' }))).toEqual([])
  })

  it('name the path of an invalid argument', () => {
    expect(tools.edit.validate?.({ path: 'a', edits: [{ oldText: 1, newText: '' }] })).toEqual([
      { path: '/edits/0/oldText', reason: 'must be text' },
    ])
    expect(tools.read.validate?.({})).toEqual([{ path: '', reason: 'needs the field "path"' }])
  })

  it('have typed arguments', () => {
    expectTypeOf<Parameters<typeof tools.edit.execute>[0]>().toEqualTypeOf<{
      path: string
      edits: { oldText: string; newText: string }[]
    }>()
    expectTypeOf<Parameters<typeof tools.read.execute>[0]>().toEqualTypeOf<{
      path: string
      offset?: number
      limit?: number
      hashes?: boolean
    }>()
  })

  it('store the whole output under their configured home, and read finds it there [S17b]', async () => {
    const home = mkdtempSync(path.join(tmpdir(), 'rxpi-home-'))
    const [read, , , bash] = builtInTools({ home, bashTimeoutMs: 5000 })
    if (read === undefined || bash === undefined) throw new Error('too few tools')
    const { details } = await resultOf(bash, { command: 'seq 3000' }, testContext(home))
    const { fullOutput = '' } = details as { fullOutput?: string }
    expect(path.dirname(fullOutput)).toBe(path.join(home, 'spill/aaaaaaaaaaaa'))
    const rest = await resultOf(read, { path: fullOutput, limit: 2 }, testContext(home))
    expect(textOf(rest)).toMatch(/^1\n2\n\[Lines 1-2 are shown/)
    expect(readdirSync(home)).toEqual(['spill'])
    rmSync(home, { recursive: true })
  })

  it('load without Ajv and without the packages that only some calls need', () => {
    const script = `
      const { registerHooks } = await import('node:module')
      const loaded = new Set()
      registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) })
      await import(${JSON.stringify(path.resolve('lib/tools/index.ts'))})
      const packages = [...loaded].map((url) => /node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]).filter(Boolean)
      console.log(JSON.stringify([...new Set(packages)].sort()))`
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      encoding: 'utf8',
      env: withCompileCache(),
    })
    expect(JSON.parse(printed)).toEqual(['@sinclair/typebox', 'rxjs'])
  })
})
