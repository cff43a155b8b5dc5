// Tests what a shell's memory keeps between the calls of a session.
import { describe, expect, it } from 'vitest'
import { createShellMemory } from '../../../../lib/tools/shell/persist/shell-memory.ts'

const at = (folder: string, variables: Record<string, string> = {}) => ({ folder, variables: new Map(Object.entries(variables)) }) // prettier-ignore

describe('the memory of a shell', () => {
  it('begins in the folder of the session, and continues where a call ended', () => {
    const memory = createShellMemory()
    expect(memory.start('c1', '/w')).toEqual({ folder: '/w', changes: new Map() })
    expect(memory.keep(at('/w', { A: '1', C: '1' }), at('/w/sub', { A: '2', B: '3' }), '/w')).toEqual(['[The shell is in /w/sub.]']) // prettier-ignore
    expect(memory.start('c2', '/w')).toEqual({ folder: '/w/sub', changes: new Map([['A', '2'], ['B', '3'], ['C', undefined]]) }) // prettier-ignore
  })

  it('names the folder with the first call and when it changes', () => {
    const memory = createShellMemory()
    expect(memory.keep(at('/w'), at('/w'), '/w')).toEqual(['[The shell is in /w.]'])
    expect(memory.keep(at('/w'), at('/w'), '/w')).toEqual([])
    expect(memory.keep(at('/w'), at('/v'), '/w')).toEqual(['[The shell is in /v.]'])
  })

  it('refuses a call that would run elsewhere than where it was judged', () => {
    const memory = createShellMemory()
    expect(memory.judge('c1', '/w')).toEqual({ cwd: '/w', changed: [] })
    memory.judge('c2', '/w')
    memory.start('c1', '/w')
    memory.keep(at('/w'), at('/w/.git', { GIT_DIR: 'x', MORE: '1' }), '/w')
    expect(memory.start('c2', '/w')).toContain('was not run')
    expect(memory.judge('c3', '/w')).toEqual({ cwd: '/w/.git', changed: ['GIT_DIR'] })
    expect(memory.start('c3', '/w')).toMatchObject({ folder: '/w/.git' })
  })

  it('never keeps variables that the policy knows from the session, and names them', () => {
    const memory = createShellMemory()
    const after = at('/w', { HOME: '/x', XDG_CONFIG_HOME: '/y', CDPATH: '/etc', PWD: '/w', SHLVL: '2', OK: '1' })
    expect(memory.keep(at('/w'), after, '/w').at(-1)).toBe('[Not kept for the next call: HOME, XDG_CONFIG_HOME, CDPATH.]') // prettier-ignore
    expect(memory.start('c', '/w')).toMatchObject({ changes: new Map([['OK', '1']]) })
  })

  it.each([
    ['one long variable', { BIG: 'x'.repeat(70_000) }],
    ['many variables', Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`V${index}`, '1']))],
  ])('keeps no variables of a call with %s, and says so', (_, variables) => {
    const memory = createShellMemory()
    memory.keep(at('/w'), at('/w', { A: '1' }), '/w')
    expect(memory.keep(at('/w'), at('/w', variables), '/w').at(-1)).toContain('are not kept')
    expect(memory.start('c', '/w')).toMatchObject({ changes: new Map([['A', '1']]) })
  })

  it('remembers 1,000 judged calls at most', () => {
    const memory = createShellMemory()
    for (let call = 0; call <= 1_000; call += 1) memory.judge(`c${call}`, '/w')
    memory.keep(at('/w'), at('/v'), '/w')
    expect(memory.start('c0', '/w')).toMatchObject({ folder: '/v' }) // forgotten
    expect(memory.start('c1', '/w')).toContain('was not run')
  })
})
