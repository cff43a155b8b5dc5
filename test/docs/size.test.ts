// Tests that docs/size.md names each installed package with its reason.
// `npm run size` measures the size.
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { carriedParts, installed } from '../../scripts/pages/size-reasons.ts'

type Names = Readonly<Record<string, string>>

interface Manifest {
  readonly dependencies: Names
  readonly optionalDependencies: Names
  readonly peerDependencies: Names
  readonly devDependencies: Names
}

const page = readFileSync('docs/size.md', 'utf8')
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest

describe('the installed packages', () => {
  it('have a reason each, and no other package has one', () => {
    const { dependencies, optionalDependencies, peerDependencies } = manifest
    const all = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies })
    expect(Object.keys(installed).toSorted()).toEqual(all.toSorted())
    expect(Object.keys(carriedParts).filter((name) => !(name in manifest.devDependencies))).toEqual([])
  })

  it.each([...Object.keys(installed), ...Object.keys(carriedParts)])('%s is on the page in its version', (name) => {
    const { devDependencies, dependencies, optionalDependencies } = manifest
    const version = { ...devDependencies, ...dependencies, ...optionalDependencies }[name]
    expect(page).toContain(`| \`${name}\` ${version ?? ''}`)
  })

  it('take at most 53 MB', () => {
    const [, megabytes = ''] = /takes \*\*([\d.]+) MB\*\*/.exec(page) ?? []
    expect(Number(megabytes)).toBeGreaterThan(0)
    expect(Number(megabytes)).toBeLessThan(53)
  })

  it("take less than half of pi's space, counted in the same way", () => {
    const beside = readFileSync('docs/beside-agents.md', 'utf8')
    const [own, pi] = ['rxpi', 'pi'].map((name) =>
      Number(new RegExp(String.raw`^\| ${name} [\d.]+ +\|[^|]+\| (\d+) `, 'm').exec(beside)?.[1]),
    )
    expect((own ?? NaN) / (pi ?? NaN)).toBeLessThan(1 / 2)
  })
})

it('the lock file contains no address of a registry', () => {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Readonly<Record<string, { readonly resolved?: string; readonly link?: boolean }>>
  }
  const resolved = Object.entries(packages).filter(
    ([, { resolved: from, link = false }]) => from !== undefined && !link,
  )
  expect(resolved).toEqual([])
})
