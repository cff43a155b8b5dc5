// Attempts to get out of a real sandbox: all of them in one start, each a case of its own.
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attempts } from './escape-attempts.ts'
import { createBox, noSandbox } from './box.ts'
import type { Box } from './box.ts'

const missing = '99'

describe.skipIf(noSandbox !== undefined)('in a real sandbox, which bubblewrap builds', () => {
  let box: Box
  let results: ReadonlyMap<string, string>
  let report: string

  beforeAll(async () => {
    box = await createBox()
    const lines = attempts.map(
      ({ script }, index) => `( cd "$WORK" && set +e; ${script}\n) </dev/null >/tmp/out 2>&1; echo "R ${index} $?"`,
    )
    const { stdout, stderr } = await box.run(`${lines.join('\n')}\necho finished`)
    report = `${stdout}${stderr}`
    results = new Map(
      [...stdout.matchAll(/^R (\d+) (\d+)$/gm)].map(([, index = '', code = '']) => [
        attempts[Number(index)]?.name ?? '',
        code,
      ]),
    )
  })
  afterAll(() => box.close())

  it('runs all attempts to their end', () => {
    expect(report).toContain('finished')
    expect(results.size).toBe(attempts.length)
  })

  it.for(attempts.map(({ name }) => name))('%s does not get out [SANDBOX-escape]', (name, { skip }) => {
    const code = results.get(name)
    skip(code === missing, 'a program that the attempt needs is not installed')
    expect(code).toMatch(/^[1-9]/)
  })

  it('leaves everything outside as it was [SANDBOX-escape]', () => {
    expect(readFileSync(box.at('outside/canary'), 'utf8')).toBe('alive')
    expect(readdirSync(box.at('outside')).sort()).toEqual(['canary', 'x.sock'])
    expect(readdirSync(box.at('home')).sort()).toEqual(['.aws', '.bashrc', '.config', '.npmrc', '.ssh', 'dots'])
    expect(readFileSync(box.at('home/.bashrc'), 'utf8')).toBe('mine')
    expect(readFileSync(box.at('home/.ssh/id_rsa'), 'utf8')).toBe('key')
    expect(readdirSync(box.at('config'))).toEqual([])
    expect(readFileSync(box.at('state/spill/full.txt'), 'utf8')).toBe('all of it')
  })

  it('reaches no server outside [SANDBOX-sockets, S13a]', () => {
    expect(box.connections()).toBe(0)
  })

  it("leaves git's control files as they were, and no placeholder [SANDBOX-git]", () => {
    expect(readFileSync(box.at('work/.git/config'), 'utf8')).toContain('hooksPath')
    expect(readFileSync(box.at('work/.git/config'), 'utf8')).not.toContain('alias')
    expect(readdirSync(box.at('work/.git/hooks'))).toEqual([])
    expect(readdirSync(box.at('work/.husky/_'))).toEqual([])
    expect(existsSync(box.at('work/.rxpi'))).toBe(false)
    expect(readFileSync(box.at('work/.envrc'), 'utf8')).toBe('mine')
    expect(readFileSync(box.at('work/.claude/skills/x.md'), 'utf8')).toBe('mine')
  })
})
