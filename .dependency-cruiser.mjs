// The import table of the rooms: each room may import what is listed for it and nothing else.
import { builtinModules } from 'node:module'

const hands = ['providers', 'tools', 'mcp', 'policy', 'store', 'context', 'extensions']

/**
 * room → the rooms it may import besides itself; `packages` closes the list of packages (open: all dependencies that
 * users get), `node` says whether it may touch the machine.
 */
const table = {
  streams: { rooms: [], packages: ['rxjs', '@sinclair/typebox', 'ajv'], node: false },
  operators: { rooms: ['streams'], packages: ['rxjs'], node: false },
  host: { rooms: ['streams'], node: true },
  ...Object.fromEntries(hands.map((hand) => [hand, { rooms: ['streams', 'host'], node: true }])),
  session: { rooms: ['streams', 'operators', 'host', ...hands], node: true },
  services: { rooms: ['session', 'streams', 'operators', 'host', ...hands], node: true },
  server: { rooms: ['services', 'session', 'streams'], node: true },
  testing: { rooms: ['streams', 'operators', 'providers'], node: true },
}

const alternatives = (names) => `(?:${names.map((name) => name.replaceAll('.', '\\.')).join('|')})`
const room = (names) => `^lib/${alternatives(names)}(?:/|\\.ts$)`
const anyPackage = '(?:^|/)node_modules/'
const packages = (names) => `${anyPackage}${alternatives(names)}/`
const core = `^(?:node:)?${alternatives(builtinModules.filter((name) => !name.startsWith('_')))}$`

/** Development packages of which users get what is used: parts of the bundles. */
const carried = [
  '@anthropic-ai/sdk',
  '@google/genai',
  '@agentclientprotocol/sdk',
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/server',
  '@smithy/core',
  'aws4fetch',
  'oauth4webapi',
  'modern-tar',
  'highlight.js',
  'ink',
  'js-yaml',
  'smol-toml',
  'markdown-it',
  'minisearch',
  'openai',
  'react',
  'typebox',
  'ws',
]

/** It gathers the public modules of the library for extensions, by `import()`; every other file keeps to the table. */
const gathering = '^lib/services/extensions/library-entries\\.ts$'

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to })

const rooms = Object.entries(table).flatMap(([name, may]) => [
  forbid(
    `${name}-imports-another-room`,
    `lib/${name} may import ${may.rooms.map((other) => `lib/${other}`).join(', ') || 'no other room'}`,
    { path: room([name]), pathNot: gathering },
    { path: '^(?:lib|app|test|scripts|bench|examples|bin)/', pathNot: room([name, ...may.rooms]) },
  ),
  ...(may.node
    ? []
    : [
        forbid(
          `${name}-touches-node`,
          `lib/${name} imports no Node module`,
          { path: room([name]) },
          { dependencyTypes: ['core'] },
        ),
      ]),
  ...(may.packages === undefined
    ? []
    : [
        forbid(
          `${name}-imports-a-package`,
          `lib/${name} may import ${may.packages.join(', ')}`,
          { path: room([name]) },
          { path: anyPackage, pathNot: packages(may.packages) },
        ),
      ]),
])

export default {
  forbidden: [
    ...rooms,
    forbid(
      'unknown-room',
      'every file of lib stands in a room of the table; index.ts, core.ts and client.ts are the barrels',
      { path: '^lib/', pathNot: [room(Object.keys(table)), '^lib/(?:index|core|client)\\.ts$'] },
      {},
    ),
    forbid(
      'library-imports-a-guest',
      'the barrels import rooms of the library only',
      { path: '^lib/(?:index|core|client)\\.ts$' },
      { path: '^(?:app|test|scripts|bench|examples|bin)/' },
    ),
    forbid(
      'app-only-knocks',
      'app may import lib/server and lib/streams: the command is a client',
      { path: '^app/' },
      { path: '^(?:lib|test|scripts|bench|examples|bin)/', pathNot: room(['server', 'streams']) },
    ),
    forbid(
      'core-reaches-node',
      'rxpi/core runs in a browser',
      { path: '^lib/core\\.ts$' },
      { path: core, reachable: true },
    ),
    forbid(
      'core-reaches-a-package',
      'rxpi/core runs in a browser with the packages of lib/streams',
      { path: '^lib/core\\.ts$' },
      { path: anyPackage, pathNot: packages(table.streams.packages), reachable: true },
    ),
    forbid(
      'client-reaches-node',
      'rxpi/client runs in a browser, over a transport that is made there',
      { path: '^lib/client\\.ts$' },
      { path: core, reachable: true },
    ),
    forbid(
      'client-reaches-split2',
      'rxpi/client gets whole lines from its transport: it reads neither trusted nor hostile bytes',
      { path: '^lib/client\\.ts$' },
      { path: [packages(['split2']), '^lib/server/protocol/(?:split-lines|line-framer)\\.ts$'], reachable: true },
    ),
    forbid(
      'sdk-outside-providers',
      'one room knows the vendors',
      { path: '^(?:lib|app)/', pathNot: room(['providers']) },
      { path: packages(['openai', '@anthropic-ai/sdk', '@google/genai']) },
    ),
    forbid(
      'sdk-outside-mcp',
      'one room knows the SDK of MCP, and one folder serves it',
      { path: '^(?:lib|app)/', pathNot: [room(['mcp']), '^app/mcp-serve/'] },
      { path: `${anyPackage}@modelcontextprotocol/` },
    ),
    forbid(
      'acp-outside-its-folder',
      'one folder speaks to editors',
      { path: '^(?:lib|app)/', pathNot: '^app/acp/' },
      { path: packages(['@agentclientprotocol/sdk']) },
    ),
    forbid(
      'ui-outside-app',
      'the terminal UI is a guest',
      { path: '^lib/' },
      { path: packages(['ink', '@inkjs/ui', 'react']) },
    ),
    forbid(
      'development-package',
      'what users run may import dependencies, peers, and what the bundles carry',
      { path: '^(?:lib|app|bin)/' },
      {
        pathNot: packages(carried),
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['npm', 'npm-peer', 'type-only'],
      },
    ),
    forbid('cycle', 'no module waits for itself', {}, { circular: true }),
    forbid('unresolvable', 'every import names something that is there', {}, { couldNotResolve: true }),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^dist/|^scripts/rivals/programs/' }, // their packages are not installed
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.d.ts'],
    },
  },
}
