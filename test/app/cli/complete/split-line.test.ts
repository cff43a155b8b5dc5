import { describe, expect, it } from 'vitest'
import { splitLine } from '../../../../app/cli/complete/split-line.ts'

describe('splitting a line of a shell', () => {
  it.each<[string, string[]]>([
    ['rxpi se', ['rxpi', 'se']],
    ['rxpi sessions ', ['rxpi', 'sessions', '']],
    ['', ['']],
    ['rxpi -p "two words" --mo', ['rxpi', '-p', 'two words', '--mo']],
    ["rxpi -p 'it''s", ['rxpi', '-p', 'its']],
    ['rxpi -p "open quote', ['rxpi', '-p', 'open quote']],
    ['rxpi -p a\\ b ', ['rxpi', '-p', 'a b', '']],
    ['rxpi -p "say \\"hi\\" \\$x" ', ['rxpi', '-p', 'say "hi" $x', '']],
    ['rxpi --model=a"b c"d', ['rxpi', '--model=ab cd']],
    ['rxpi -p "$(touch x)" `y` --', ['rxpi', '-p', '$(touch x)', '`y`', '--']],
    ['rxpi trailing\\', ['rxpi', 'trailing']],
  ])('%j', (line, words) => {
    expect(splitLine(line)).toEqual(words)
  })
})
