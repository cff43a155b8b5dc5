// Tests which variables a command in the sandbox gets.
import { describe, expect, it } from 'vitest'
import { divideEnvironment, sandboxEnvironment } from '../../../lib/host/sandbox/sandbox-environment.ts'

const temp = '/tmp'

describe('the environment of a sandboxed command', () => {
  it.each(
    `SSH_AUTH_SOCK SSH_AGENT_PID SSH_ASKPASS DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS RXPI_HOME RXPI_SOCKET RXPI_APPROVE
    DISPLAY WAYLAND_DISPLAY WAYLAND_SOCKET XAUTHORITY XDG_RUNTIME_DIR GPG_AGENT_INFO DOCKER_HOST CONTAINER_HOST PODMAN_HOST
    BUILDKIT_HOST KUBECONFIG GNOME_KEYRING_CONTROL VSCODE_IPC_HOOK_CLI KITTY_LISTEN_ON WSL_INTEROP CURSOR_TRACE_ID
    JETBRAINS_REMOTE TMUX TMUX_PANE STY NVIM NVIM_LISTEN_ADDRESS EMACS_SOCKET_NAME ZELLIJ_SESSION_NAME WEZTERM_UNIX_SOCKET
    GIT_ASKPASS SUDO_ASKPASS NOTIFY_SOCKET JOURNAL_STREAM LISTEN_FDS LISTEN_PID LISTEN_FDNAMES INVOCATION_ID http_proxy
    HTTPS_PROXY all_proxy NO_PROXY ftp_proxy socks_proxy npm_config_proxy npm_config_https_proxy`.split(/\s+/),
  )('has no %s [SANDBOX-sockets, S13a]', (name) => {
    expect(sandboxEnvironment({ [name]: 'x' }, { temp })).not.toHaveProperty(name)
  })

  it.each([
    'PATH',
    'HOME',
    'RXPI_CALL_1',
    'SSH_CONNECTION',
    'DOCKER_BUILDKIT',
    'LISTEN_PORT',
    'MY_DISPLAY',
    'NVIM_APPNAME',
  ])('keeps %s', (name) => {
    expect(sandboxEnvironment({ [name]: 'x' }, { temp })[name]).toBe('x')
  })

  it('has the proxy of the session instead of the user’s', () => {
    const { HTTPS_PROXY, https_proxy: lower } = sandboxEnvironment({ HTTPS_PROXY: 'x' }, { temp, proxyPort: 7 })
    expect([HTTPS_PROXY, lower]).toEqual(['http://127.0.0.1:7', 'http://127.0.0.1:7'])
  })

  it.each(['LD_PRELOAD', 'LD_LIBRARY_PATH', 'LD_AUDIT', 'DYLD_INSERT_LIBRARIES', 'GLIBC_TUNABLES', 'GCONV_PATH', 'MALLOC_CHECK_', 'LOCPATH', 'HOSTALIASES'])(
    '%s reaches the command, not the program that builds the sandbox [SANDBOX-escape]',
    (name) => {
      expect(divideEnvironment({ [name]: 'x', A: '1' })).toEqual({ outer: { A: '1' }, inner: { [name]: 'x' } })
    },
  ) // prettier-ignore
})
