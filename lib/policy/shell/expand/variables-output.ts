// Predicts the output of programs that print variables: `env`, `ssh-agent -s` and their like.
import { anyText, environmentText, setupText } from '../model/word-marks.ts'

/** Undefined if the program prints something else. */
export function variablesOutput(program: string, args: readonly string[]): string | undefined {
  switch (program) {
    case 'env':
    case 'printenv':
    case 'set':
      return args.length === 0 ? environmentText : anyText
    case 'export':
    case 'declare':
      return args.length === 0 || (args.length === 1 && /^-[px]+$/.test(args[0] ?? '')) ? environmentText : anyText
    default: {
      const verbs = Object.hasOwn(setupVerbs, program) ? setupVerbs[program] : undefined
      return verbs?.test(args.join(' ')) === true ? setupText : undefined
    }
  }
}

/** Programs that print variables and functions for `eval`. */
const setupVerbs: Readonly<Record<string, RegExp>> = {
  'ssh-agent': /^(?:-[sck])?$/,
  direnv: /^(?:hook|export) \w+$/,
  pyenv: /^(?:virtualenv-)?init\b/,
  rbenv: /^init\b/,
  nodenv: /^init\b/,
  goenv: /^init\b/,
  jenv: /^init\b/,
  brew: /^shellenv\b/,
  fnm: /^env\b/,
  conda: /^shell\.\w+ hook$/,
  mise: /^(?:activate|env)\b/,
  rtx: /^(?:activate|env)\b/,
  opam: /^env\b/,
  starship: /^init \w+$/,
  zoxide: /^init \w+$/,
  minikube: /^(?:-p \w+ )?docker-env\b/,
  'docker-machine': /^env\b/,
  dircolors: /^-b$/,
  lesspipe: /^$/,
  luarocks: /^path\b/,
}
