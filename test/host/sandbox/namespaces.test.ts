// Tests that a sandboxed command shares no namespace and no descriptor with rxpi.
import { spawnSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withCompileCache } from '../../support/compile-cache.ts'
import { createBox, noSandbox } from './box.ts'
import type { Box } from './box.ts'

const names = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts'] as const

describe.skipIf(noSandbox !== undefined)('a command in the sandbox', () => {
  let box: Box
  let found: ReadonlyMap<string, string>
  beforeAll(async () => {
    box = await createBox()
    const { stdout } = await box.run(`for n in ${names.join(' ')}; do echo "$n $(readlink /proc/self/ns/$n)"; done`)
    found = new Map(stdout.split('\n').map((line) => [line.split(' ', 1)[0] ?? '', line.split(' ')[1] ?? '']))
  })
  afterAll(() => box.close())

  it.each(names)('has a namespace of its own: %s [SANDBOX-escape]', (name) => {
    expect(found.get(name)).toMatch(new RegExp(String.raw`^${name}:\[\d+\]$`))
    expect(found.get(name)).not.toBe(readlinkSync(`/proc/self/ns/${name}`))
  })

  // Node closes the low descriptors itself
  it.each([3, 40])('gets no descriptor that rxpi inherited as %i [SANDBOX-escape]', (descriptor) => {
    const fixture = path.join(import.meta.dirname, 'fixtures/list-descriptors.ts')
    const start = `exec ${descriptor}< "$0" && exec "$@"`
    const args = ['-c', start, box.at('outside'), process.execPath, fixture, box.base]
    const { stdout, status } = spawnSync('/bin/bash', args, {
      env: withCompileCache({ TMPDIR: box.base }),
      encoding: 'utf8',
    })
    expect([status, stdout]).toEqual([0, expect.stringContaining('1 ') as string])
    expect(stdout).not.toContain('outside')
  })
})
