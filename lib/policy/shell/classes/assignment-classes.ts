// Judges variables that change what other programs run: `LD_PRELOAD`, `BASH_ENV`, `GIT_SSH_COMMAND` …
import { hiddenCommandReason, hidesCommand } from '../model/hidden-command.ts'
import type { Evaluator, Frame, Invocation } from '../model/evaluator.ts'
import { childState } from '../model/shell-state.ts'
import type { ShellState } from '../model/shell-state.ts'
import { wordSource, wordText } from '../model/word-marks.ts'

/** Their value is a command. */
const commands = new Set(
  `PAGER GIT_PAGER MANPAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS
  SSH_ASKPASS SUDO_ASKPASS PROMPT_COMMAND PS0 PS4 LESSOPEN BROWSER GIT_PROXY_COMMAND RSYNC_RSH`.split(/\s+/),
)
/** Other variables whose value programs run. */
const runningVariable =
  /(?:^|_)(?:PAGER|EDITOR|VISUAL|BROWSER|SHELL|COMMAND|CMD|EXEC|WRAPPER|RSH|PROGRAM|LINKER|HOOK|ASKPASS)$|^(?:CC|CXX|CPP|LD|AR|AS|RM|FC|MAKE|MAKEFLAGS)$/
/** They load code or files into programs. */
const loaders =
  /^(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|ENV|SHELLOPTS|BASHOPTS|BASH_FUNC_.*|PYTHONSTARTUP|PERL5OPT|PERL5DB|RUBYOPT|GIT_EXEC_PATH|GIT_TEMPLATE_DIR|GIT_CONFIG.*|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS)$/

export function assignmentFindings(run: Evaluator, invocation: Invocation, state: ShellState, frame: Frame): void {
  for (const { name, value } of [...invocation.assignments, ...exported(invocation)]) {
    if (commands.has(name) && value !== '')
      run.runText(wordSource(value.replace(/^(?:\|{1,2}-?|-)/, '')), childState(state, []), {
        ...frame,
        depth: frame.depth + 1,
      })
    else if (invocation.words.length > 0 && /\s/.test(value) && runningVariable.test(name))
      run.runGuess(wordSource(value), childState(state, []), { ...frame, depth: frame.depth + 1 })
    if (hidesCommand(value)) run.unknown('code', wordText(value), hiddenCommandReason)
    const isNodeLoader =
      name === 'NODE_OPTIONS' &&
      /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|--inspect)/.test(value)
    if (loaders.test(name) || isNodeLoader) {
      run.unknown('command', `${name}=${wordSource(value)}`, 'the variable makes programs load other code')
    }
  }
}

function exported({ words }: Invocation): readonly { readonly name: string; readonly value: string }[] {
  if (!/^(?:export|declare|typeset|readonly|env)$/.test(words[0] ?? '')) return []
  return words.slice(1).flatMap((word) => {
    const equals = word.indexOf('=')
    return equals > 0 && !word.startsWith('-') ? [{ name: word.slice(0, equals), value: word.slice(equals + 1) }] : []
  })
}
