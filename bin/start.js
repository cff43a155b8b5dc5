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
    process.stdout.on('error', ({ code, message }) => {
      if (code === 'EPIPE') return
      console.error(`rxpi: cannot write to standard output: ${message}`)
      process.exitCode = 1
    })
    process.stdout.write(`${version}\n`)
    return
  }
  if (commandLine[0] === 'serve') leaveSecretsBehind()
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
 * A server's sessions have their keys from their clients; any in its own environment could be read in /proc for as long as it
 * runs, so it becomes itself again without them. bin/rxpi has done it already, where the server was started with that. Sockets that
 * a service manager hands over would not survive it.
 */
function leaveSecretsBehind() {
  const secret = /KEY$|_KEY_|TOKEN|SECRET|PASSWORD|PASSWD/
  const kept = Object.entries(process.env).filter(([name]) => name.startsWith('RXPI_') || !secret.test(name))
  const isClean = kept.length === Object.keys(process.env).length
  const { execve, execPath, execArgv, argv } = process // execve: from Node 22.15 on, and not on Windows
  if (isClean || execve === undefined || process.env.LISTEN_FDS || process.env.NODE_CHANNEL_FD) return
  execve(execPath, [execPath, ...execArgv, ...argv.slice(1)], Object.fromEntries(kept))
}

/** `npm start` runs in the clone, with the clone's tools and npm's settings in the environment; tools must see neither. */
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
