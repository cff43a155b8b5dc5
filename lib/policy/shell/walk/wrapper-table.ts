// Lists the programs that run another program, and how their options are skipped.

export interface WrapperSpec {
  /** Letters of short options that take a value as the next word. */
  readonly short?: string
  /** Long options that take a value as the next word. */
  readonly long?: readonly string[]
  /** Words to skip before the command. */
  readonly operands?: number
  /** `NAME=value` words before the command set its environment. */
  readonly assigns?: boolean
  /** The first word must be one of these, else the program wraps nothing. */
  readonly verbs?: readonly string[]
  /** The command follows `--`; without it nothing is wrapped. */
  readonly afterDashes?: boolean
  /** The words are joined and read by a shell. */
  readonly isText?: boolean
  /** The command runs on another machine or in a container. */
  readonly isRemote?: boolean
}

const plain: WrapperSpec = {}

/** By program name. `xargs`, `find`, shells and `env -S` have code of their own. */
export const wrappers: Readonly<Record<string, WrapperSpec>> = {
  sudo: { short: 'ugpCThRrtUD', long: ['--user', '--group', '--prompt', '--chdir', '--host', '--role'], assigns: true },
  doas: { short: 'uC' },
  env: { short: 'uC', long: ['--unset', '--chdir'], assigns: true },
  nice: { short: 'n', long: ['--adjustment'] },
  nohup: plain,
  setsid: plain,
  stdbuf: { short: 'ioe', long: ['--input', '--output', '--error'] },
  ionice: { short: 'cnpPu', long: ['--class', '--classdata'] },
  chrt: { short: 'TPD', operands: 1 },
  taskset: { operands: 1 },
  timeout: { short: 'ks', long: ['--kill-after', '--signal'], operands: 1 },
  gtimeout: { short: 'ks', long: ['--kill-after', '--signal'], operands: 1 },
  time: { short: 'fo', long: ['--format', '--output'] },
  command: plain,
  builtin: plain,
  exec: { short: 'a' },
  watch: { short: 'n', long: ['--interval'], isText: true },
  strace: { short: 'eopPsuSabIOX' },
  ltrace: { short: 'eopsuanAl' },
  unbuffer: plain,
  chronic: plain,
  caffeinate: { short: 'tw' },
  proxychains: { short: 'f' },
  proxychains4: { short: 'f' },
  torsocks: plain,
  firejail: plain,
  fakeroot: plain,
  'dbus-run-session': plain,
  'xvfb-run': { short: 'nspeaf' },
  valgrind: plain,
  faketime: { operands: 1 },
  flock: { short: 'wE', long: ['--timeout'], operands: 1 },
  pkexec: { long: ['--user'] },
  chroot: { operands: 1 },
  unshare: { short: 'SGR' },
  nsenter: { short: 'tSG', long: ['--target'] },
  'systemd-run': { short: 'pEuMHt', long: ['--unit', '--property', '--setenv', '--slice'] },
  setpriv: plain,
  busybox: plain,
  toybox: plain,
  setarch: plain,
  linux64: plain,
  linux32: plain,
  direnv: { verbs: ['exec'], operands: 1 },
  poetry: { verbs: ['run'] },
  uv: { verbs: ['run'], long: ['--with', '--python', '--package', '--extra', '--group'], short: 'p' },
  pipenv: { verbs: ['run'] },
  hatch: { verbs: ['run'] },
  rye: { verbs: ['run'] },
  pdm: { verbs: ['run'] },
  conda: { verbs: ['run'], short: 'np' },
  bundle: { verbs: ['exec'] },
  npx: { short: 'p', long: ['--package'] },
  bunx: plain,
  pnpm: { verbs: ['exec', 'dlx'] },
  yarn: { verbs: ['exec', 'dlx'] },
  npm: { verbs: ['exec', 'x'] },
  dotenv: { short: 'ef' },
  'cross-env': { assigns: true },
  'cross-env-shell': { assigns: true, isText: true },
  'aws-vault': { afterDashes: true },
  op: { verbs: ['run'], afterDashes: true },
  mise: { verbs: ['exec', 'x'], afterDashes: true },
  doppler: { verbs: ['run'], afterDashes: true },
  nix: { verbs: ['develop', 'shell', 'run'], afterDashes: true },
  entr: plain,
  watchexec: { short: 'weif', long: ['--watch', '--exts', '--ignore', '--filter'] },
  hyperfine: { short: 'wmMrnpcSs', isText: true },
  concurrently: { short: 'ncp', isText: true },
  rlwrap: plain,
  ssh: { short: 'BbcDEeFIiJLlmOoPpQRSWw', operands: 1, isText: true, isRemote: true },
  mosh: { operands: 1, isRemote: true },
  docker: {
    verbs: ['run', 'exec'],
    short: 'abcehlmpuvw',
    long: `--name --env --volume --mount --network --user --workdir --entrypoint --publish --platform --env-file --label --memory
      --cpus --hostname --add-host --restart --gpus --device --ipc --pid --shm-size --tmpfs --ulimit`.split(/\s+/),
    operands: 1,
    isRemote: true,
  },
  podman: {
    verbs: ['run', 'exec'],
    short: 'abcehlmpuvw',
    long: '--name --env --volume --mount --network --user --workdir --entrypoint --publish --platform --env-file'.split(
      ' ',
    ),
    operands: 1,
    isRemote: true,
  },
  kubectl: { verbs: ['exec', 'run', 'debug'], afterDashes: true, isRemote: true },
}

/** Shells: they run `-c TEXT`, a file, or what stands on their input. */
export const shells: ReadonlySet<string> = new Set(
  'sh bash zsh dash ksh mksh ash fish rbash csh tcsh yash pwsh powershell cmd'.split(' '),
)

/** Shells whose language is not bash's: their text is not analysed. */
export const foreignShells: ReadonlySet<string> = new Set(['fish', 'csh', 'tcsh', 'pwsh', 'powershell', 'cmd'])
