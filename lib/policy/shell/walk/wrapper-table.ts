// Lists the programs that run another program, and how their options are skipped.

export interface WrapperSpec {
  /** Letters of short options that take a value as the next word. */
  readonly short?: string
  /** Long options that take a value as the next word. */
  readonly long?: readonly string[]
  /** Long options that take the next two words. */
  readonly pairs?: readonly string[]
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
  /** Each word is a text of its own. */
  readonly isTexts?: boolean
  /** The command runs on another machine or in a container. */
  readonly isRemote?: boolean
}

const plain: WrapperSpec = {}

/** `docker compose exec SERVICE command`. */
export const composeSpec: WrapperSpec = {
  verbs: ['run', 'exec'],
  short: 'euwvpT',
  long: '--env --user --workdir --volume --publish --name --entrypoint --index'.split(' '),
  operands: 1,
  isRemote: true,
}

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
  catchsegv: plain,
  sshpass: { short: 'pfPe' },
  ip: plain,
  cmake: plain,
  sem: { isText: true },
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
  runuser: { short: 'ugGsw', long: ['--user', '--group'] },
  run0: { short: 'uDgp', long: ['--user', '--chdir', '--group', '--unit', '--property'] },
  gosu: { operands: 1 },
  'su-exec': { operands: 1 },
  setuidgid: { operands: 1 },
  's6-setuidgid': { operands: 1 },
  chpst: { short: 'uUbeodtlmnfcr/' },
  envdir: { operands: 1 },
  softlimit: { short: 'acdfmnoprst' },
  'dumb-init': plain,
  tini: { short: 'pe' },
  catatonit: plain,
  choom: { short: 'np' },
  cgexec: { short: 'g' },
  numactl: { short: 'NCmpPil', long: ['--cpunodebind', '--membind', '--physcpubind', '--interleave'] },
  prlimit: { short: 'p' },
  eatmydata: plain,
  nocache: plain,
  cpulimit: { short: 'lpeP', long: ['--limit'] },
  trickle: { short: 'dutL' },
  perf: { verbs: ['stat', 'record', 'trace'], short: 'eopFgc' },
  rtk: plain,
  shx: plain,
  please: plain,
  gsudo: plain,
  proot: { short: 'rbqwm', long: ['--rootfs', '--bind', '--cwd'] },
  bwrap: {
    long: `--chdir --proc --dev --tmpfs --dir --mqueue --unsetenv --uid --gid --hostname --seccomp --cap-add --cap-drop --perms --size
      --lock-file --sync-fd --info-fd`.split(/\s+/),
    pairs:
      '--bind --ro-bind --dev-bind --bind-try --ro-bind-try --dev-bind-try --symlink --setenv --file --chmod'.split(
        ' ',
      ),
  },
  'flatpak-spawn': { long: ['--env', '--directory'] },
  distrobox: { verbs: ['enter'], afterDashes: true },
  'distrobox-host-exec': plain,
  toolbox: { verbs: ['run'], short: 'c', long: ['--container', '--distro', '--release'] },
  wsl: { short: 'du', long: ['--distribution', '--user', '--cd'] },
  screen: { short: 'StcehpsTX' },
  zellij: { verbs: ['run', 'action'], afterDashes: true },
  kitty: { short: 'Todc', long: ['--title', '--directory'] },
  xterm: { short: 'Tn', long: ['-title', '-geometry', '-display'] },
  'gnome-terminal': { afterDashes: true },
  konsole: plain,
  alacritty: { short: 'T' },
  foot: plain,
  wezterm: { verbs: ['start'], afterDashes: true },
  asdf: { verbs: ['exec'] },
  just: { verbs: ['--command', '-c'] },
  foreman: { verbs: ['run'], short: 'ef' },
  dotenvx: { verbs: ['run'], afterDashes: true },
  infisical: { verbs: ['run'], afterDashes: true },
  chamber: { verbs: ['exec'], afterDashes: true },
  varlock: { verbs: ['run'], afterDashes: true },
  envchain: { operands: 1 },
  lerna: { verbs: ['exec'], afterDashes: true },
  nx: { verbs: ['exec'], afterDashes: true },
  machinectl: { verbs: ['shell'], operands: 1 },
  'start-stop-daemon': { afterDashes: true },
  daemonize: { short: 'aceoplu' },
  uvx: { long: ['--from', '--with', '--python'], short: 'p' },
  ts: { verbs: ['-'] },
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
  npx: { short: 'pcw', long: ['--package', '--call', '--workspace'] },
  bunx: plain,
  pnpm: { verbs: ['exec', 'dlx'] },
  yarn: { verbs: ['exec', 'dlx'] },
  npm: { verbs: ['exec', 'x'], short: 'pcw', long: ['--package', '--call', '--workspace'] },
  dotenv: { short: 'ef' },
  'cross-env': { assigns: true },
  'cross-env-shell': { assigns: true, isText: true },
  'aws-vault': { afterDashes: true },
  op: { verbs: ['run'], afterDashes: true },
  mise: { verbs: ['exec', 'x'], afterDashes: true },
  doppler: { verbs: ['run'], afterDashes: true },
  nix: { verbs: ['develop', 'shell', 'run'], afterDashes: true },
  entr: { short: 's' },
  watchexec: { short: 'weif', long: ['--watch', '--exts', '--ignore', '--filter'] },
  hyperfine: { short: 'wmMrnpcSs', isTexts: true },
  concurrently: { short: 'ncp', isTexts: true },
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
  nerdctl: {
    verbs: ['run', 'exec'],
    short: 'aehlmpuvw',
    long: '--name --env --volume --mount --network --user --workdir --entrypoint --publish --platform'.split(' '),
    operands: 1,
    isRemote: true,
  },
  'docker-compose': composeSpec,
  kubectl: { verbs: ['exec', 'run', 'debug'], afterDashes: true, isRemote: true },
  oc: { verbs: ['exec', 'rsh', 'debug'], afterDashes: true, isRemote: true },
  lxc: { verbs: ['exec'], afterDashes: true, isRemote: true },
  incus: { verbs: ['exec'], afterDashes: true, isRemote: true },
  multipass: { verbs: ['exec'], afterDashes: true, isRemote: true },
  limactl: { verbs: ['shell'], operands: 1, isRemote: true },
  colima: { verbs: ['ssh'], afterDashes: true, isRemote: true },
  orb: { isRemote: true },
  adb: { verbs: ['shell'], isText: true, isRemote: true },
  heroku: { verbs: ['run'], short: 'a', long: ['--app'], isRemote: true },
}

/** Shells: they run `-c TEXT`, a file, or the text of their input. */
export const shells: ReadonlySet<string> = new Set(
  'sh bash zsh dash ksh mksh ash fish rbash csh tcsh yash osh ysh posh loksh nu xonsh elvish pwsh powershell cmd'.split(
    ' ',
  ),
)

/** Shells whose language is not bash's: their text is not analysed. */
export const foreignShells: ReadonlySet<string> = new Set(
  'fish csh tcsh nu xonsh elvish pwsh powershell cmd'.split(' '),
)
