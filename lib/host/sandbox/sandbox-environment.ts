// Builds the environment of a sandboxed command: its own temporary folder and proxy, no ways out.

export interface SandboxEnvironmentOptions {
  /** The temporary folder as the command sees it. */
  readonly temp: string
  /** Port of the proxy on 127.0.0.1; absent: no proxy variables at all. */
  readonly proxyPort?: number
}

type Environment = Readonly<Record<string, string>>

/** Sockets of agents, buses, displays and editors, and rxpi's own variables but for the marks of calls. */
const waysOut = [
  /^SSH_(?:AUTH_SOCK|AGENT_PID|ASKPASS)$/,
  /^DBUS_/,
  /^RXPI_(?!CALL_)/,
  /^(?:DISPLAY|WAYLAND_DISPLAY|WAYLAND_SOCKET|XAUTHORITY|XDG_RUNTIME_DIR|GPG_AGENT_INFO)$/,
  /^(?:DOCKER_HOST|CONTAINER_HOST|PODMAN_HOST|BUILDKIT_HOST|KUBECONFIG)$/,
  /^(?:GNOME_KEYRING_|VSCODE_|KITTY_|WSL|CURSOR_|JETBRAINS_)/,
  /^(?:TMUX|TMUX_PANE|STY|NVIM|NVIM_LISTEN_ADDRESS|EMACS_SOCKET_NAME|ZELLIJ_SESSION_NAME|WEZTERM_UNIX_SOCKET)$/,
  /^(?:GIT_ASKPASS|SUDO_ASKPASS|NOTIFY_SOCKET|JOURNAL_STREAM|LISTEN_(?:FDS|PID|FDNAMES)|INVOCATION_ID)$/,
]

const proxyNames = /^(?:https?|all|no|ftp|socks)_proxy$|^npm_config_(?:https?_)?proxy$/i

/** Package managers look for their own next version first; that request takes up to a minute to fail. */
const withoutWaits: Environment = {
  npm_config_update_notifier: 'false',
  NO_UPDATE_NOTIFIER: '1',
  PIP_DISABLE_PIP_VERSION_CHECK: '1',
}

/** Without a network a request fails at once, and again after each pause. */
const withoutRetries: Environment = { npm_config_fetch_retries: '0', PIP_RETRIES: '0', CARGO_NET_RETRY: '0' }

/** The variables for a command inside. Of what it adds, what the user has set stays. */
export function sandboxEnvironment(env: Environment, { temp, proxyPort }: SandboxEnvironmentOptions): Environment {
  const stays = Object.entries(env).filter(
    ([name]) => !proxyNames.test(name) && !waysOut.some((pattern) => pattern.test(name)),
  )
  return {
    // caches of builds: those of the home can only be read
    XDG_CACHE_HOME: `${temp}/.cache`,
    npm_config_cache: `${temp}/.npm`,
    ...withoutWaits,
    ...(proxyPort === undefined && withoutRetries),
    ...Object.fromEntries(stays),
    TMPDIR: temp,
    TMP: temp,
    TEMP: temp,
    ...(proxyPort !== undefined && proxyVariables(proxyPort)),
  }
}

function proxyVariables(port: number): Environment {
  const url = `http://127.0.0.1:${port}`
  const local = 'localhost,127.0.0.1,::1'
  return {
    http_proxy: url,
    https_proxy: url,
    all_proxy: url,
    no_proxy: local,
    HTTP_PROXY: url,
    HTTPS_PROXY: url,
    ALL_PROXY: url,
    NO_PROXY: local,
    // Node's fetch and http use the variables only then
    NODE_USE_ENV_PROXY: '1',
  }
}

/**
 * Variables that a program's loader or the C library obeys before the sandbox stands: they must not reach the program
 * that builds it. The values are not secret, so they may be arguments.
 */
const loaderNames =
  /^(?:LD_|DYLD_|GLIBC_|GCONV_|MALLOC_|NIX_LD|LOCPATH$|NLSPATH$|RES_OPTIONS$|HOSTALIASES$|LOCALDOMAIN$)/

/** Divides variables into those for the program that builds the sandbox, and those that only the command may get. */
export function divideEnvironment(env: Environment): { readonly outer: Environment; readonly inner: Environment } {
  const entries = Object.entries(env)
  return {
    outer: Object.fromEntries(entries.filter(([name]) => !loaderNames.test(name))),
    inner: Object.fromEntries(entries.filter(([name]) => loaderNames.test(name))),
  }
}
