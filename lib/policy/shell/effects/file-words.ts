// Finds the words of a call that may be paths; patterns of `grep`, `sed` and `awk` are not.

/** These take a pattern, a filter or a program before their files. */
const scripted = new Set([
  'grep',
  'egrep',
  'fgrep',
  'rg',
  'ag',
  'ack',
  'sed',
  'gsed',
  'awk',
  'gawk',
  'mawk',
  'jq',
  'yq',
  'tr',
])

/** Words that may name files: operands, and values after `=` or `@`. */
export function fileWords(program: string, args: readonly string[]): readonly string[] {
  if (program === 'git') return gitWords(args)
  const hasScript = args.some(
    (word) => /^-(?:e|f|-regexp|-file|-expression)$/.test(word) || /^--(?:regexp|expression|file)=/.test(word),
  )
  const words: string[] = []
  let isScriptDue = scripted.has(program) && !hasScript
  let isOpen = true
  for (const [index, word] of args.entries()) {
    if (word === '--' && isOpen) isOpen = false
    else if (isOpen && word.startsWith('-') && word !== '-') {
      const equals = word.indexOf('=')
      if (equals > 0) words.push(word.slice(equals + 1))
    } else if (isScriptDue) isScriptDue = false
    else if (!(scripted.has(program) && args[index - 1] === '-e')) words.push(word)
  }
  return words
}

/** Texts of messages and names of branches are not files. */
function gitWords(args: readonly string[]): readonly string[] {
  return args.filter((word, index) => {
    if (word.startsWith('-')) return false
    return !/^(?:-m|--message|-b|--author|--grep|-S|-G|-c)$/.test(args[index - 1] ?? '') && !/\s/.test(word)
  })
}
