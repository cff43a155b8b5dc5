// Tests how arguments get into a template.
import { describe, expect, it } from 'vitest'
import { cpuMs } from '../../support/cpu-time.ts'
import { expandTemplate, splitArguments } from '../../../lib/context/templates/expand-template.ts'

describe('expandTemplate', () => {
  it.each([
    ['$1 and $2', 'a b', 'a and b'],
    ['$1 and $2', 'a', 'a and'],
    ['[$1]', '"two words" x', '[two words]'],
    ['[$@]', ` "two words"\n  x `, '["two words"\n  x]'],
    ['[$ARGUMENTS]', "don't break it", "[don't break it]"],
    ['[$ARGUMENTSX]', 'a', '[$ARGUMENTSX]\n\na'],
    ['${1:-none}', '', 'none'],
    ['${1:-none}', '""', 'none'],
    ['${2:-none}', 'a b', 'b'],
    ['${@:-all files}', '', 'all files'],
    ['${ARGUMENTS:-all files}', 'x y', 'x y'],
    ['${@:2}', 'a b c d', 'b c d'],
    ['${@:2:2}', 'a b c d', 'b c'],
    ['${@:2:3}', 'a', ''],
    ['${@:0}', 'a b', 'a b'],
    ['${ARGUMENTS:2:1}', 'a b c', 'b'],
    ['$1', '$2 secret', '$2'],
    ['$@', '$1 ${1:-x}', '$1 ${1:-x}'],
    ['cost $HOME ${PATH} $', 'a', 'cost $HOME ${PATH} $\n\na'],
    ['Do it.', 'for a.ts', 'Do it.\n\nfor a.ts'],
    ['Do it.', '  ', 'Do it.'],
  ])('expands %j with %j [CONTEXT-commands-arguments]', (body, args, text) => {
    expect(expandTemplate(body, args)).toBe(text)
  })
})

describe('splitArguments', () => {
  it.each([
    [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
    [`don't do "this`, [`don't`, 'do', '"this']],
    [`"a"b '' x`, ['"a"b', '', 'x']],
    ['', []],
  ])('splits %j', (text, words) => {
    expect(splitArguments(text)).toEqual(words)
  })

  it('takes time that grows with the text', () => {
    const start = cpuMs()
    splitArguments(`"x '`.repeat(50_000))
    expect(cpuMs() - start).toBeLessThan(2_000)
  })
})
