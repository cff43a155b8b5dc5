// Property test: a critical command stays critical or unknown under random quoting, splitting and wrapping.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { analyseCommand } from '../../../lib/policy/shell/analyse-command.ts'

const runs = process.env.RXPI_FULL === '1' ? 20_000 : 600
const critical = [
  'rm -rf /',
  'rm -rf ~',
  'dd if=/dev/zero of=/dev/sda',
  'mkfs.ext4 /dev/sda1',
  'find / -delete',
  'rm -r -f /etc',
]

/** Writes one word in another way that bash reads as the same word. */
const spellings: readonly ((word: string, name: string) => { before: string; word: string })[] = [
  (word) => ({ before: '', word }),
  (word) => ({ before: '', word: `'${word}'` }),
  (word) => ({ before: '', word: `"${word}"` }),
  (word) => ({
    before: '',
    word: Array.from(word)
      .map((each) => `\\${each}`)
      .join(''),
  }),
  (word) => ({ before: '', word: `${word.slice(0, 1)}''${word.slice(1)}` }),
  (word) => ({
    before: '',
    word: `$'${Array.from(word)
      .map((each) => `\\x${each.charCodeAt(0).toString(16)}`)
      .join('')}'`,
  }),
  (word) => ({
    before: '',
    word: `$'${Array.from(word)
      .map((each) => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`)
      .join('')}'`,
  }),
  (word) => ({ before: '', word: `$(echo ${word})` }),
  (word) => ({ before: '', word: `\`printf %s ${word}\`` }),
  (word, name) => ({ before: `${name}=${word}; `, word: `$${name}` }),
  (word, name) => ({ before: `${name}=x${word}; `, word: `\${${name}#x}` }),
  (word, name) => ({ before: `${name}=(a ${word}); `, word: `"\${${name}[1]}"` }),
  (word) => ({ before: '', word: `$(echo ${Buffer.from(word).toString('base64')} | base64 -d)` }),
  (word) => ({ before: '', word: `$(rev <<< ${Array.from(word).reverse().join('')})` }),
  (word) => ({ before: '', word: `\\\n${word}` }),
]

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Puts a whole command where bash runs it, too. */
const wrappings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `sh -c ${quote(text)}`,
  (text) => `eval ${quote(text)}`,
  (text) => `( ${text} )`,
  (text) => `{ ${text}; }`,
  (text) => `true && ${text} || false`,
  (text) => `if true; then ${text}; fi`,
  (text) => `echo "$( ${text} )"`,
  (text) => `f() { ${text}; }; f`,
  (text) => `bash <<'END'\n${text}\nEND\n`,
  (text) => `echo ${quote(text)} | sh`,
  (text) => `env A=1 bash -c ${quote(text)}`,
  (text) => `for i in 1 2; do ${text}; done`,
  (text) => `xargs -I{} sh -c ${quote(text)} <<< x`,
  (text) => `timeout 5 sh -c ${quote(text)} &`,
  (text) => `trap ${quote(text)} EXIT`,
  (text) => `cat <(${text})`,
  (text) => `! ${text}`,
]

it('a critical command stays critical or unknown in every disguise [POLICY-shell-disguise]', () => {
  const picks = fc.array(fc.nat(spellings.length - 1), { minLength: 6, maxLength: 6 })
  const layers = fc.array(fc.nat(wrappings.length - 1), { maxLength: 3 })
  fc.assert(
    fc.property(fc.constantFrom(...critical), picks, layers, (command, chosen, wraps) => {
      const words = command
        .split(' ')
        .map((word, index) => spellings[word === '~' ? 0 : (chosen[index] ?? 0)]?.(word, `V${index}`))
      const plain = words.map((each) => each?.before ?? '').join('') + words.map((each) => each?.word ?? '').join(' ')
      const text = wraps.reduce((inner, index) => wrappings[index]?.(inner) ?? inner, plain)
      const { classes, isComplete } = analyseCommand(text, { cwd: '/srv/project', home: '/home/ann' })
      expect(classes.some(({ tier }) => tier === 'critical') || !isComplete, text).toBe(true)
    }),
    { numRuns: runs },
  )
})

it('never throws and stays quick on random text', () => {
  const pieces = fc.constantFrom(
    '$',
    '(',
    ')',
    '{',
    '}',
    '"',
    "'",
    '`',
    '|',
    '&',
    ';',
    '<',
    '>',
    '\\',
    '\n',
    ' ',
    'rm',
    '-rf',
    '/',
    '$(',
    '${',
    '<<',
    'E',
    '*',
    '[',
    ']',
    '=',
    'if',
    'do',
    'a',
    '#',
    '!',
    '~',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (parts) => {
      analyseCommand(parts.join(''), { cwd: '/srv/project', home: '/home/ann' })
    }),
    { numRuns: runs },
  )
})
