// Starts the bundle, or says what is missing; only syntax that an old Node reads too, so that it can say so.
const needed = [22, 19]

if (isTooOld(process.versions.node)) {
  console.error(
    `rxpi: this is Node ${process.versions.node} (${process.execPath}); rxpi needs Node ${needed.join('.')} or newer. ` +
      'Install one, or run `npm ci` in a clone of rxpi on Linux (x64), which brings its own.',
  )
  process.exitCode = 2
} else {
  start()
}

function isTooOld(version) {
  const [major, minor] = version.split('.').map(Number)
  return major < needed[0] || (major === needed[0] && minor < needed[1])
}

function start() {
  if (!process.execArgv.includes('--disable-sigusr1')) process.on('SIGUSR1', () => undefined) // or Node opens its debugger
  if (process.env.npm_lifecycle_event === 'start' && process.env.npm_package_name === 'rxpi') undoNpmStart()
  const commandLine = process.argv.slice(2)
  if (commandLine.length === 1 && commandLine[0] === '--version') {
    const { readFileSync } = process.getBuiltinModule('node:fs')
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
    process.stdout.on('error', ({ code }) => {
      if (code === 'EPIPE') return
      const reason = code === 'ENOSPC' ? 'no space is left on the disk' : 'it takes no text'
      console.error(`rxpi: cannot write to standard output: ${reason}`)
      process.exitCode = 1
    })
    process.stdout.write(`${version}\n`)
    return
  }
  if (commandLine[0] === 'serve' && !hasPrivateEnvironment()) return
  const dist = new URL('../dist/', import.meta.url)
  // Beside the code, whose owner alone can write there; Node's own place is a folder in /tmp that others could fill.
  // Where it cannot be written, Node goes on without it.
  process.getBuiltinModule('node:module').enableCompileCache(`${import.meta.dirname}/../dist/compile-cache`)
  import(new URL('main.js', dist).href).then(
    ({ main }) => main(commandLine),
    (error) => {
      if (error.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.url).startsWith(dist.href)) throw error
      console.error(
        `rxpi: ${error.url} is missing: rxpi is not built, or not wholly. Run \`npm run build\` in its folder.`,
      )
      process.exitCode = 2
    },
  )
}

/**
 * A server's environment can be read in /proc as long as it runs, so the process becomes itself again with the variables of an
 * allow-list (docs/design/security.md#S30). It reads all others once, from a file without a name at descriptor 0. bin/rxpi does
 * the same, and a client starts a server with allowed variables only. Returns whether this process goes on.
 */
function hasPrivateEnvironment() {
  const { env, execve, execPath, execArgv, argv } = process // execve: not on Windows
  const entries = Object.entries(env).filter(([name]) => name !== 'RXPI_ENVIRONMENT_FD')
  const passedOn = entries.filter(([name]) => isAllowed(name))
  if (passedOn.length === entries.length || execve === undefined) return true
  if (env.LISTEN_PID === String(process.pid)) {
    return refuse(
      'with a socket of systemd, start bin/rxpi instead of bin/start.js, which cannot clear its environment',
    )
  }
  const all = entries.map(([name, value]) => `${name}=${value}\0`).join('')
  if (!moveToStandardInput(all)) return refuse('no folder takes a file: set TMPDIR to one that you can write')
  const flags = execArgv.includes('--disable-sigusr1') ? execArgv : ['--disable-sigusr1', ...execArgv]
  execve(execPath, [execPath, ...flags, ...argv.slice(1)], {
    ...Object.fromEntries(passedOn),
    RXPI_ENVIRONMENT_FD: '0',
  })
}

/** bin/rxpi has the same list. macOS adds the last one to every process. */
function isAllowed(name) {
  return (
    /^(PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_.*|TZ|TERM|TMPDIR|XDG_.*|NODE_EXTRA_CA_CERTS|SSL_CERT_.*|MALLOC_.*)$/.test(
      name,
    ) || /^(RXPI_(HOME|SOCKET|STARTED_BY|WITHOUT)|LISTEN_(PID|FDS|FDNAMES)|__CF_USER_TEXT_ENCODING)$/.test(name)
  )
}

function refuse(problem) {
  console.error(`rxpi: ${problem}`)
  process.exitCode = 2
  return false
}

/** Replaces descriptor 0, which survives `execve` and which no server reads, by a file without a name; false if it cannot. */
function moveToStandardInput(text) {
  const { closeSync, constants, openSync, unlinkSync, writeFileSync } = process.getBuiltinModule('node:fs')
  const { tmpdir } = process.getBuiltinModule('node:os')
  const path = `${tmpdir()}/rxpi-${process.getBuiltinModule('node:crypto').randomUUID()}`
  const ways = [
    () => openSync('/dev/shm', 0o20000000 | constants.O_DIRECTORY | constants.O_RDWR, 0o600), // O_TMPFILE of Linux
    () => {
      openSync(path, 'wx+', 0o600)
      unlinkSync(path)
    },
  ]
  closeSync(0) // the next file gets the lowest free descriptor
  const isOpen = ways.some((open) => {
    try {
      open()
      return true
    } catch {
      return false // such a folder is missing, or takes no files
    }
  })
  if (isOpen) writeFileSync(0, text)
  return isOpen
}

/**
 * `npm start` runs in the clone, with the clone's tools and npm's settings in the environment; tools must see neither. Without a
 * usable model the demo answers there (RXPI_DEMO), so that a clone can be tried at once.
 */
function undoNpmStart() {
  const { env } = process
  const { delimiter, dirname } = process.getBuiltinModule('node:path')
  const added = new Set([...binFolders(import.meta.dirname), ...binFolders(dirname(env.npm_package_json ?? '/'))])
  const entries = (env.PATH ?? '').split(delimiter)
  const first = entries.findIndex((entry) => !added.has(entry) && !entry.endsWith('/run-script/lib/node-gyp-bin'))
  env.PATH = entries.slice(first).join(delimiter)
  if (env.INIT_CWD) {
    process.chdir(env.INIT_CWD)
    env.PWD = env.INIT_CWD
  }
  env.RXPI_DEMO ??= '1'
  for (const name of Object.keys(env)) {
    if (/^npm_/.test(name) || name === 'INIT_CWD' || name === 'NODE' || name === 'COLOR') delete env[name]
  }
}

/** What npm puts first in PATH: the `.bin` folders of a folder and of all above it. */
function binFolders(folder) {
  const { dirname, join } = process.getBuiltinModule('node:path')
  const above = dirname(folder)
  return [join(folder, 'node_modules/.bin'), ...(above === folder ? [] : binFolders(above))]
}
