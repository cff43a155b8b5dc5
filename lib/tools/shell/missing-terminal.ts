// Keeps programs that want a terminal from waiting for one, and names the way out in words.
// Guarantees: variables that the user has set stay as they are, unless they name an editor that draws on a terminal.

/** Fails with words instead of opening an editor; git runs it through the shell. */
const failingEditor =
  'f() { echo "There is no terminal for an editor here: pass the text as an option (-m, --no-edit), set GIT_EDITOR or GIT_SEQUENCE_EDITOR to a command, or use pty." >&2; return 1; }; f'

/** Programs that read these ask nothing, page nothing and open no editor. */
const defaults: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_EDITOR: failingEditor,
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  // a window that asks for a password would wait for a person until the time limit
  SSH_ASKPASS_REQUIRE: 'never',
  DEBIAN_FRONTEND: 'noninteractive',
}

/** Editors that wait for keys of a terminal. Others, such as `code --wait`, have a window of their own. */
const terminalEditor =
  /^(?:\S*\/)?(?:vim?|vimx|nvim|view|nano|pico|emacs|hx|helix|micro|kak|joe|jed|mcedit|ne|ed)(?:\s|$)/
const editorNames = ['EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR']

/** The environment of a command that has no terminal. */
export function withoutPrompts(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const usable = Object.entries(env).filter(
    ([name, value]) => !editorNames.includes(name) || !terminalEditor.test(value),
  )
  return { EDITOR: failingEditor, ...defaults, ...Object.fromEntries(usable) }
}

/** Programs that draw on a screen, with the options that make them run without one. */
const screenPrograms: Readonly<Record<string, RegExp>> = {
  vim: /^(?:-[eE]s?|-es|-Es|--version|--help|--headless|-s)$/,
  vi: /^(?:-[eE]s?|-es|-Es|--version|--help|-s)$/,
  nvim: /^(?:--headless|-[eE]s?|-l|--version|--help|-v)$/,
  nano: /^(?:--version|--help|-V|-h)$/,
  pico: /^(?:--version|--help)$/,
  emacs: /^(?:-?-batch|-?-script|--version|--help|-x)$/,
  top: /^-[a-zA-Z]*[bhv]/,
  htop: /^(?:--version|--help|-V|-h)$/,
  btop: /^(?:--version|--help|-v|-h)$/,
  watch: /^(?:--version|--help|-v|-h)$/,
}

/**
 * The words that refuse a command which is one such program and nothing else; undefined for every other command. Syntax
 * of the shell means that it may run in another way, and then the program itself ends for want of a terminal.
 */
export function refuseScreenProgram(command: string): string | undefined {
  if (/[;&|<>()$`\n\\{}'"#*]/.test(command.trim())) return undefined
  const words = command.trim().split(/\s+/)
  const [program = '', ...options] = words[0] === 'sudo' ? words.slice(1) : words
  const name = program.slice(program.lastIndexOf('/') + 1)
  const batch = Object.hasOwn(screenPrograms, name) ? screenPrograms[name] : undefined
  if (batch === undefined || options.some((option) => batch.test(option))) return undefined
  return `${name} needs a terminal, and this command has none; it was not run. ${wayOut}`
}

const wayOut =
  'Use a command that asks nothing (options, a file, a pipe), or start it with background: true and pty: true and type with job_input.'

/** Output of programs that ask without a terminal or an input. */
const signs = new RegExp(
  [
    'not a (?:terminal|tty)\\b',
    'not from a terminal',
    'no tty present',
    'must be run (?:from|in) a terminal',
    'a (?:terminal|tty|password) is required',
    'Enter passphrase[^\\n]{0,200}:',
    'failed tty get',
    'requires? (?:a|an interactive) (?:tty|terminal)',
    'Error opening terminal',
    'terminal prompts disabled',
    'could not read (?:Username|Password)',
    'Inappropriate ioctl for device',
    'No such device or address.{0,40}/dev/tty|/dev/tty: No such device',
    'EOFError: EOF when reading a line',
    'no terminal for an editor',
    'Host key verification failed',
    'Permission denied \\([^)]*(?:password|keyboard-interactive)',
    'Error reading input, exiting',
  ].join('|'),
  'i',
)

/** A line at the end that a program left open for an answer. */
const openQuestion = /[^\n]*[:?>)\]] +$/

/** Lines that ssh prints about each command without a terminal. */
const sshNotice = /^Pseudo-terminal will not be allocated.*$/gm

/** The output of a command is a socket, which has no name to open; a redirection to a descriptor works. */
const namedOutput = /\/dev\/(?:stderr|stdout)'?: No such device or address/
const namedOutputText = '[/dev/stderr and /dev/stdout cannot be opened by name here; write >&2 or >&1 instead.]'

/**
 * A remark on a command that failed because it asked, or opened its output by name; undefined without a sign of that.
 * @param output its end
 */
export function describeMissingTerminal(command: string, output: string): string | undefined {
  if (namedOutput.test(output)) return namedOutputText
  const text = output.replaceAll(sshNotice, '')
  const asks =
    signs.test(text) || openQuestion.test(text) || (output.trim() === '' && /(?:^|[;&|]\s*)read\s/.test(command))
  return asks ? `[The command asked for input, and there is neither a terminal nor input. ${wayOut}]` : undefined
}
