// Tests the selection of tests for a file with a planted fault.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { testsNear } from '../../scripts/mutation/tests-near.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'rxpi-near-'))
  file('lib/room/deep.ts', '')
  file('lib/room/middle.ts', "import { deep } from './deep.ts'")
  file('lib/room/top.ts', "import { middle } from './middle.ts'")
  file('test/room/top.test.ts', "import { top } from '../../lib/room/top.ts'")
})
afterEach(() => {
  rmSync(root, { recursive: true })
})

function file(name: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
  writeFileSync(path.join(root, name), text)
}

describe('the tests that are selected for a mutated file', () => {
  it('are the nearest ones by imports', () => {
    expect(testsNear(root, 'lib/room/deep.ts')).toEqual(['test/room/top.test.ts'])
    file('test/room/middle.test.ts', "import { middle } from '../../lib/room/middle.ts'")
    expect(testsNear(root, 'lib/room/deep.ts')).toEqual(['test/room/middle.test.ts'])
  })

  it('are all of the room that reach it, on request', () => {
    file('test/room/middle.test.ts', "import { middle } from '../../lib/room/middle.ts'")
    file('test/room/aside.test.ts', "import { other } from '../../lib/room/other.ts'")
    file('test/elsewhere/deep.test.ts', "import { deep } from '../../lib/room/deep.ts'")
    const wide = testsNear(root, 'lib/room/deep.ts', { wide: true })
    expect(wide).toEqual(['test/room/middle.test.ts', 'test/room/top.test.ts'])
  })

  it('include no long tests and none that start processes, except its own', () => {
    file(
      'test/room/deep.test.ts',
      "import { spawn } from 'node:child_process'; import { deep } from '../../lib/room/deep.ts'",
    )
    file('test/room/long.test.ts', "import { deep } from '../../lib/room/deep.ts'; sampleSize(1, 20)")
    expect(testsNear(root, 'lib/room/deep.ts')).toEqual(['test/room/deep.test.ts'])
    rmSync(path.join(root, 'test/room/deep.test.ts'))
    expect(testsNear(root, 'lib/room/deep.ts')).toEqual(['test/room/top.test.ts'])
  })

  it('include tests that reach it through a scene beside them', () => {
    file('test/room/deep-scene.ts', "import { deep } from '../../lib/room/deep.ts'")
    file('test/room/deep.test.ts', "import { scene } from './deep-scene.ts'")
    expect(testsNear(root, 'lib/room/deep.ts')).toEqual(['test/room/deep.test.ts'])
  })

  it('terminate if two files import one another', () => {
    file('lib/room/deep.ts', "import { middle } from './middle.ts'")
    expect(testsNear(root, 'lib/room/deep.ts', { wide: true })).toEqual(['test/room/top.test.ts'])
  })
})
