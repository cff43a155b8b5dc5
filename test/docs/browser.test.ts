// Tests that docs/browser.md has the sizes of what a page loads.
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { describe, expect, it } from 'vitest'

const text = readFileSync('docs/browser.md', 'utf8')

const validators = /streams\/generated\/validators\.js$/

/** Kilobytes of the minified and compressed bundle. */
async function kilobytes(input: string, external: readonly (string | RegExp)[]): Promise<number> {
  const bundle = await rolldown({
    input,
    external: ['rxjs', ...external],
    platform: 'browser',
    logLevel: 'silent',
    treeshake: { manualPureFunctions: ['Type'] },
  })
  const { output } = await bundle.generate({ format: 'es', minify: true })
  await bundle.close()
  return gzipSync(output[0].code).length / 1000
}

const stated = (name: string): number => Number(new RegExp(`^\\| ${name} +\\| (\\d+) `, 'm').exec(text)?.[1])

describe('docs/browser.md', () => {
  it.each([
    ['`rxpi/client`', 'lib/client.ts', [validators]],
    ['validators', 'lib/streams/generated/validators.js', []],
    ['`rxpi/core`', 'lib/core.ts', [validators]],
  ])('states the size of %s', async (name, input, external) => {
    const measured = await kilobytes(input, external)
    expect(Math.abs(stated(name) - measured), `${name}: ${measured.toFixed(1)} KB`).toBeLessThan(
      Math.max(2, measured / 20),
    )
  })

  it('has a client of 20 KB at most', () => {
    expect(stated('`rxpi/client`')).toBeLessThanOrEqual(20)
  })
})
