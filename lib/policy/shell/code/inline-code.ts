// Judges code in the words or on the input of an interpreter: `python -c`, `node -e`, `perl -e` …
// Guarantees: passes only code whose every name is on a short list; the rest is unknown, or a class if it shows one.
import { fileContent } from '../expand/command-output.ts'
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { basename } from '../model/path-patterns.ts'
import { literals } from '../model/option-value.ts'
import { childState } from '../model/shell-state.ts'
import type { ShellState } from '../model/shell-state.ts'
import { anyText, hasFreeText, hasUnknown, networkText, wordSource, wordText } from '../model/word-marks.ts'
import { codeFiles, codeFindings } from './code-dangers.ts'
import { credentialFindings } from '../classes/credential-files.ts'
import { interpreterName, interpreters } from './interpreters.ts'

export function inlineCodeFindings(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): void {
  const [name = '', ...args] = invocation.words
  const language = interpreterName(basename(name))
  if (/^(?:deno|bun|node)$/.test(language) && args.some((word) => /^(?:https?:|data:)/.test(word)))
    run.find('pipe_to_shell', invocation, 'runs code that it downloads')
  const { code, hasOperand } = inlineCode(language, args)
  const script = hasOperand && code.length === 0 ? args.find((word) => !word.startsWith('-')) : undefined
  const content = script === undefined ? undefined : fileContent(script, state)
  if (content?.includes(networkText) === true) run.find('pipe_to_shell', invocation, 'runs a file that it downloads')
  else if (content !== undefined && content !== anyText) judge(run, invocation, language, content, state, frame)
  for (const text of code) judge(run, invocation, language, wordSource(text), state, frame)
  if (code.length > 0 || hasOperand || frame.stdin === undefined) return
  if (hasFreeText(frame.stdin) || hasUnknown(frame.stdin)) {
    run.find('pipe_to_shell', invocation, `runs what it reads from a pipe as ${language}`)
  } else if (frame.stdin.trim() !== '') judge(run, invocation, language, frame.stdin, state, frame)
}

function inlineCode(
  language: string,
  args: readonly string[],
): { readonly code: readonly string[]; readonly hasOperand: boolean } {
  const letters = interpreters.get(language) ?? ''
  if ((language === 'deno' && args[0] === 'eval') || (language === 'bun' && args[0] === 'eval'))
    return { code: args.slice(1, 2), hasOperand: true }
  const code: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] ?? ''
    if (/^(?:--(?:eval|print|execute|run)|-eval)$/.test(word)) code.push(args[++at] ?? '')
    else if (/^--(?:eval|print)=/.test(word)) code.push(word.slice(word.indexOf('=') + 1))
    else if (/^-[A-Za-z0-9]+$/.test(word)) {
      if (/^-m$/.test(word)) return { code, hasOperand: true }
      if (/^-[MIWX]./.test(word) || (language === 'ruby' && word.startsWith('-r'))) continue
      const position = Array.from(word).findIndex((letter, index) => index > 0 && letters.includes(letter))
      if (position > 0)
        code.push(position === word.length - 1 || language !== 'python' ? (args[++at] ?? '') : word.slice(position + 1))
    } else if (word.startsWith('-') && word !== '-') continue
    else return { code, hasOperand: word !== '-' }
  }
  return { code, hasOperand: false }
}

function judge(
  run: Evaluator,
  invocation: Invocation,
  language: string,
  code: string,
  state: ShellState,
  frame: Frame,
): void {
  const hasModules = language === 'perl' && invocation.words.some((word) => /^-[mM]./.test(word))
  if (code.includes(networkText)) run.find('pipe_to_shell', invocation, `runs what it downloads as ${language}`)
  if (!hasUnknown(code) && !hasModules && isHarmless(language, code)) return
  const isSocket =
    /socket|Socket|fsockopen|TCPSocket|net\.connect|createConnection|\/dev\/tcp|IO::|net['"]|urllib|requests/.test(code)
  const isShell = /dup2|subprocess|pty|exec|spawn|system|popen|proc_open|\bsh\b/.test(code)
  if (isSocket && /(?:socket|Socket|fsockopen|net\.|\/dev\/tcp|net['"])/.test(code) && isShell) {
    run.find('reverse_shell', invocation, `${language} code connects a program to the network`)
  }
  codeFindings(run, invocation, language, code)
  const files = codeFiles(run, code, state)
  if (files.length > 0) {
    const reading = { words: ['cat', '--', ...files], assignments: [], redirections: [] }
    credentialFindings({ invocation: reading, program: 'cat', args: reading.words.slice(1), state, frame, run })
  }
  if (
    /\bfork\b/.test(code) &&
    (/\b(?:while|loop|for|until|forever|repeat|iter)\b/.test(code) || code.indexOf('fork') !== code.lastIndexOf('fork'))
  ) {
    run.find('fork_bomb', invocation, `${language} code starts processes without end`)
  }
  if (
    /rmtree|remove_(?:tree|dir|entry)|rm_rf|rm_r\b|emptyDir|delete-directory|\b(?:rm(?:dir)?|remove|unlink)(?:Sync)?\(/.test(
      code,
    ) &&
    /rmtree|remove_(?:tree|dir|entry)|rm_r|recursive|delete-directory|emptyDir|fs-extra/i.test(code)
  )
    deletionFindings(run, invocation, code, state, frame)
  if (
    /\b(?:system|exec\w*|spawn\w*|popen|Popen|run|call|cmd|check_output|check_call|qx|shell_exec|passthru|proc_open|shell script|shell-command|call-process)\b|`|%x/.test(
      code,
    )
  ) {
    const texts = [...literals(code, `"'\``), ...bracketed(code)]
    // Words of a list such as ['rm', '-rf', '/'] make one command.
    for (const text of [...texts, texts.join(' ')]) {
      if (/\s|^(?:reboot|halt|poweroff|shutdown)$/.test(text))
        run.runText(text, childState(state, []), { ...frame, depth: frame.depth + 1 })
    }
  }
  run.unknown('code', wordText(code), `rxpi does not read ${language}`)
}

/** Texts of Perl's `qx(…)` and Ruby's `%x(…)`, and what Tcl's `exec` takes. */
function bracketed(code: string): readonly string[] {
  const quoted = [...code.matchAll(/(?:\bqx|%x)\s*[({[<|/!]([^)}\]>|!]*)/g)].map(([, text = '']) => text)
  return [...quoted, ...[...code.matchAll(/^\s*exec\s+(\w[^;\n"'(]*)$/gm)].map(([, text = '']) => text)]
}

/** Paths of recursive deletions are judged like those of `rm -r`. */
function deletionFindings(run: Evaluator, invocation: Invocation, code: string, state: ShellState, frame: Frame): void {
  const paths = literals(code, `"'\``).filter((text) => /[/.~]/.test(text) && !/\s/.test(text))
  if (paths.length === 0) run.find('recursive_delete', invocation, 'deletes a folder tree whose path is not known')
  for (const path of paths) {
    const word = path.startsWith('~') ? run.scene.home + path.slice(1) : path
    run.runInvocation({ words: ['rm', '-r', '--', word], assignments: [], redirections: [] }, state, {
      ...frame,
      depth: frame.depth + 1,
    })
  }
}

const names = new Set(
  `print console log info JSON parse stringify process version versions arch platform argv len str int float list dict set tuple
  sorted sum min max range for in of if else not and or is None True False true false null undefined import from json sys math re
  stdin stdout read readline readlines write load loads dumps dump indent version_info join split strip replace upper lower format
  Math Date now toISOString length map filter reduce forEach keys values entries Object Array isArray const let var return
  datetime random uuid uuid4 hashlib sha256 md5 hexdigest encode decode b64encode b64decode base64 time sqrt pi round abs pow
  floor ceil toString puts p echo PHP_VERSION RUBY_VERSION lambda as enumerate zip any all type name
  node scripts dependencies devDependencies engines main ensure_ascii sort_keys end sep i x y k v s n d f`.split(/\s+/),
)

/** Code that can only compute and print: every name is listed, and nothing is reached by a computed name. */
function isHarmless(language: string, source: string): boolean {
  let code = source
  if (language === 'perl' || language === 'sqlite3') return language === 'perl' && isPlainPerl(code)
  if (code.length > 2_000 || code.includes('`') || code.includes('\\')) return false
  if (/^(?:node|nodejs|bun)$/.test(language)) code = code.replace(/require\((['"])[\w./-]{1,200}\.json\1\)/g, 'x')
  const isScript = /^(?:node|nodejs|bun|deno)$/.test(language)
  if (isScript && /\[\s*[^\s\d\]]/.test(code)) return false
  const bare = withoutLiterals(code)
  return bare.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu)?.every((name) => names.has(name)) ?? true
}

/** Substitutions of `perl -pe` without calls. */
function isPlainPerl(code: string): boolean {
  return !/`|\b(?:system|exec|qx|open|unlink|rename|fork|socket|require|use|do|eval|syscall|sub|kill|rmdir|mkdir|chmod|chown|link|symlink|truncate|CORE|POSIX|IO|readpipe)\b|->|&\{|\*\{|::|<<|\be+\s*(?:;|$)|\/\w*e\w*\s*(?:;|$)/.test(
    code,
  )
}

function withoutLiterals(code: string): string {
  let bare = ''
  for (let at = 0; at < code.length; at++) {
    const quote = code[at] ?? ''
    if (quote !== '"' && quote !== "'") bare += quote
    else {
      // Text of Python's f-strings is code: it stays.
      const isFormat = /[fF]$/.test(bare) && /(?:^|[^\p{L}\p{N}_])[rR]?[fF]$/u.test(bare.slice(-3))
      const end = code.indexOf(quote, at + 1)
      if (end < 0) return `${bare} unterminated`
      bare += isFormat ? ` ${code.slice(at + 1, end)} ` : ' '
      at = end
    }
  }
  return bare
}
