// Finds installations of packages whose scripts run with the user's rights.
import { hasFlag } from './call.ts'
import type { Call } from './call.ts'
import { commandWords } from './command-verbs.ts'
import { isProjectProgram } from './project-programs.ts'

/** By program: operands that install. */
const verbs: Readonly<Record<string, RegExp>> = {
  npm: /^(?:audit|i|in|ins|inst|install|isntall|add|ci|clean-install|install-test|it|cit|update|up|upgrade|rebuild|rb|exec|x|init|create)$/,
  pnpm: /^(?:i|install|add|update|up|upgrade|rebuild|dlx|create|import)$/,
  yarn: /^(?:install|add|upgrade|up|dlx|create|global|rebuild)$/,
  bun: /^(?:i|install|add|a|update|x|create)$/,
  deno: /^(?:install|add)$/,
  pip: /^(?:install|wheel)$/,
  pipx: /^(?:install|run|upgrade|inject)$/,
  uv: /^(?:add|sync|tool|pip)$/,
  poetry: /^(?:install|add|update)$/,
  pipenv: /^(?:install|sync|update)$/,
  pdm: /^(?:install|add|sync|update)$/,
  conda: /^(?:install|create|update)$/,
  mamba: /^(?:install|create|update)$/,
  easy_install: /./,
  gem: /^(?:install|i|update)$/,
  bundle: /^(?:install|update|add)$/,
  cargo: /^(?:install|binstall)$/,
  composer: /^(?:install|require|update|create-project)$/,
  brew: /^(?:install|reinstall|upgrade|tap|bundle)$/,
  apt: /^(?:install|upgrade|full-upgrade|dist-upgrade|remove|purge|autoremove)$/,
  'apt-get': /^(?:install|upgrade|dist-upgrade|remove|purge|autoremove|build-dep)$/,
  aptitude: /^(?:install|upgrade|safe-upgrade|remove|purge)$/,
  dnf: /^(?:install|upgrade|update|remove|group)$/,
  yum: /^(?:install|upgrade|update|remove)$/,
  zypper: /^(?:install|in|update|up|dup|remove|rm)$/,
  apk: /^(?:add|upgrade|del|fix)$/,
  snap: /^(?:install|refresh|remove)$/,
  flatpak: /^(?:install|update)$/,
  port: /^(?:install|upgrade)$/,
  winget: /^(?:install|upgrade)$/,
  choco: /^(?:install|upgrade)$/,
  'nix-env': /./,
  luarocks: /^(?:install|build)$/,
  mix: /^(?:deps\.get|archive\.install|local\.hex)$/,
  opam: /^(?:install|upgrade|switch)$/,
  stack: /^install$/,
  cabal: /^install$/,
  asdf: /^install$/,
  mise: /^(?:install|use|i)$/,
  nvm: /^install$/,
  fnm: /^install$/,
  volta: /^install$/,
  pyenv: /^install$/,
  rbenv: /^install$/,
  sdk: /^install$/,
  pod: /^install$/,
  julia: /^add$/,
  rye: /^(?:install|sync|add)$/,
  cpan: /^[^-]/,
  cpanm: /^[^-]/,
  emerge: /./,
  'xbps-install': /./,
  pkg: /^(?:install|upgrade|add)$/,
  pkg_add: /./,
  eopkg: /^(?:install|it|upgrade)$/,
  code: /^--install-extension$/,
  corepack: /^(?:install|prepare|use|up)$/,
}

/** By program: two operands that install. */
const pairs: Readonly<Record<string, RegExp>> = {
  go: /^(?:run|install) .+@[^/]*$/,
  dotnet: /^tool (?:install|update)$/,
  gh: /^extension (?:install|upgrade)$/,
  rustup: /^(?:update|install)\b|^(?:toolchain|component|target) (?:install|add)$/,
  nix: /^profile (?:install|add|upgrade)$|^run [^.\s]/,
  hatch: /^env create$/,
  pixi: /^(?:install|add)\b|^global install$/,
  devbox: /^(?:add|install)\b|^global add$/,
  kubectl: /^krew install$/,
  helm: /^plugin install$/,
}

/** Programs that have parts of others load them by these words: `vagrant plugin install x`, `az extension add x`. */
const ofPlugins =
  /^(?:plugins?|extensions?|add-?ons?) (?:install|add|update|upgrade)$|^(?:plugin|extension|addon):install$/

/** Most calls are of another program, and end here. */
const installers = new Set([
  ...Object.keys(verbs),
  ...Object.keys(pairs),
  ...'npx bunx pnpx uvx pacman dpkg rpm codium cursor vim nvim'.split(' '),
])

/** With these nothing is installed. */
const idle = /^(?:--dry-run|--help|-h|--no-install|--simulate|--download-only|--lockfile-only|--package-lock-only)$/

export function installFindings({ program, args, run, invocation }: Call): void {
  if (isInstallation(program, args))
    run.find('package_installation', invocation, 'installs packages; their scripts run as you')
}

function isInstallation(program: string, args: readonly string[]): boolean {
  const name = /^pip[\d.]*$/.test(program) ? 'pip' : program
  const isPython = /^python[\d.]*$/.test(name)
  if (!isPython && !installers.has(name)) return installsPlugin(name, args)
  if (ownOptions(name, args).some((word) => idle.test(word))) return false
  if (isPython) return installsByPython(args)
  const [verb = '', second = ''] = installWords(name, args)
  switch (name) {
    case 'npx':
    case 'bunx':
      return fetchesProgram(args, verb)
    case 'pnpx':
    case 'uvx':
      return verb !== ''
    case 'cargo':
      return (verbs.cargo?.test(verb) ?? false) && !hasFlag(args, '', '--list')
    case 'pacman':
      return args.some((word) => /^-\w*[SRU]/.test(word) && !/^-S[siql]+$/.test(word))
    case 'dpkg':
    case 'rpm':
      return (
        args.some((word) => /^-\w*[iUFPre]/.test(word) && !/^-(?:q\w*|l|L|s|S|p|V)$/.test(word)) ||
        hasFlag(args, '', '--install', '--purge', '--remove', '--upgrade')
      )
    case 'yarn':
      return !ignoresScripts(args) && (args.length === 0 || verb === '' || (verbs.yarn?.test(verb) ?? false))
    case 'npm':
    case 'pnpm':
    case 'bun':
      return !ignoresScripts(args) && isNodeInstall(name, verb, second, args)
    case 'uv':
      return (
        /^(?:add|sync)$/.test(verb) ||
        (verb === 'pip' && /^(?:install|sync)$/.test(second)) ||
        (verb === 'tool' && /^(?:install|run|upgrade)$/.test(second)) ||
        (verb === 'run' && args.some((word) => /^--with(?:-requirements)?(?:=|$)/.test(word)))
      )
    case 'composer':
      return !hasFlag(args, '', '--no-scripts') && (verbs.composer?.test(verb) ?? false)
    case 'conda':
    case 'mamba':
      return (verbs.conda?.test(verb) ?? false) || (verb === 'env' && /^(?:create|update)$/.test(second))
    case 'bundle':
      return verb === '' || (verbs.bundle?.test(verb) ?? false)
    default:
      return installsTool(name, `${verb} ${second}`, args)
  }
}

function installsPlugin(name: string, args: readonly string[]): boolean {
  const [noun = '', verb = '', what = ''] = commandWords(name, args)
  const isNamed = what !== '' || noun.includes(':')
  return (
    isNamed && ofPlugins.test(noun.includes(':') ? noun : `${noun} ${verb}`) && !args.some((word) => idle.test(word))
  )
}

/** The verb and what it is about: after `global` of composer, and after `--` of `npm exec -- x`. */
function installWords(name: string, args: readonly string[]): readonly string[] {
  const words = commandWords(name, args)
  if (name === 'composer' && words[0] === 'global') return words.slice(1)
  const dashes = /^(?:exec|x)$/.test(words[0] ?? '') && words.length === 1 ? args.indexOf('--') : -1
  return dashes < 0 ? words : [...words, ...args.slice(dashes + 1)]
}

function installsTool(name: string, words: string, args: readonly string[]): boolean {
  if (installsPlugin(name, args)) return true
  if (/^(?:code|codium|cursor)$/.test(name)) return args.includes('--install-extension')
  if (name === 'pip') return words.startsWith('install ') && !args.includes('--only-binary=:all:')
  if (Object.hasOwn(pairs, name)) return pairs[name]?.test(words) ?? false
  if (name === 'vim' || name === 'nvim')
    return args.some((word) => /^\+?(?:PlugInstall|PackerSync|Lazy! sync)/.test(word))
  if (name === 'nix-env') return hasFlag(args, 'iu', '--install', '--upgrade')
  const [verb = ''] = words.split(' ', 1)
  return Object.hasOwn(verbs, name) && (verbs[name]?.test(verb) ?? false)
}

function installsByPython(args: readonly string[]): boolean {
  if (args[0] === 'setup.py') return args.includes('install') || args.includes('develop')
  const at = args.indexOf('-m')
  return (
    at >= 0 &&
    /^(?:pip|pipx|uv|ensurepip)$/.test(args[at + 1] ?? '') &&
    isInstallation(args[at + 1] ?? '', args.slice(at + 2))
  )
}

function ignoresScripts(args: readonly string[]): boolean {
  return args.some((word) => /^--ignore-scripts(?:=true)?$/.test(word)) || args.includes('--mode=skip-build')
}

/** Options before the program that the call runs; those after it are its own. */
function ownOptions(name: string, args: readonly string[]): readonly string[] {
  const isRunner = /^(?:npx|bunx|pnpx|uvx)$/.test(name) || /^(?:exec|x|dlx|create|init|run|tool)$/.test(args[0] ?? '')
  const words = commandWords(name, args)
  const program = words[/x$/.test(name) ? 0 : args[0] === 'tool' ? 2 : 1]
  return isRunner && program !== undefined ? args.slice(0, args.indexOf(program)) : args
}

/** `npx` runs a program of the project if that usually has it; any other name is fetched. */
function fetchesProgram(args: readonly string[], name: string): boolean {
  const options = args.slice(0, Math.max(args.indexOf(name), 0))
  if (name === '' || hasFlag(options, '', '--no', '--no-install', '--offline')) return false
  // `-c TEXT` runs a text with the programs of the project.
  if (/^(?:-c|--call)$/.test(options.at(-1) ?? '')) return false
  return hasFlag(options, 'yp', '--yes', '--package') || !isProjectProgram(name)
}

/** `npm exec` counts like `npx`, `npm init` with a package to run. */
function isNodeInstall(name: string, verb: string, second: string, args: readonly string[]): boolean {
  if (!(verbs[name]?.test(verb) ?? false)) return false
  if (verb === 'exec' || verb === 'x') return fetchesProgram(args, second)
  return verb === 'init' ? second !== '' : verb === 'audit' ? second === 'fix' : true
}
