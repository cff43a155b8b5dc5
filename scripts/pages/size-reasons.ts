// The reason for each package that users install or that the bundles contain.

/** Installed beside rxpi. */
export const installed: Readonly<Record<string, string>> = {
  rxjs: 'the streams; a peer, so users and the library share one copy',
  '@sinclair/typebox': 'schemas; shared with users, for their own tools',
  re2js: 'matches the patterns of foreign schemas in linear time; loaded on demand',
  ajv: 'compiles schemas of foreign tools and documents; loaded on demand',
  '@vscode/ripgrep': 'lists files by the rules of `.gitignore`; a program, so it cannot be bundled',
  '@napi-rs/keyring': "the keychain; compiled code; optional, replaced by a private file",
  '@lydell/node-pty': 'terminals for background jobs; compiled code; optional, without it `pty` is refused',
  '@earendil-works/pi-tui': 'components of extensions that were written for pi; optional, without it their names fail; loaded with the first of them',
  diff: 'unified diffs of `edit`, `write` and `get_diff`; loaded on first use',
  'eventsource-parser': "splits providers' streams into events",
  fuzzysort: 'ranks files, models and sessions by the typed text',
  'node-diff3': 'merges an edit by anchors into a file that has changed; loaded on first use',
  jiti: 'loads extensions in TypeScript without a build step; loaded with the first extension',
  semver: 'compares the versions that extensions need; loaded with the first extension',
  picomatch: 'matches paths with the globs of permission rules; loaded with the first call',
  split2: "splits the lines of the client's socket and of front ends",
  unbash: 'parses shell commands before policy decides about them; loaded on first use',
  'write-file-atomic': 'replaces a file atomically, with its mode and owner',
}

/** Bundled in chunks that are loaded on demand. */
export const carriedParts: Readonly<Record<string, string>> = {
  openai: 'requests to OpenAI and compatible APIs: authentication, request, errors',
  '@anthropic-ai/sdk': 'requests to Anthropic and compatible APIs',
  '@google/genai': "requests to Gemini and Vertex; mostly Google's sign-in",
  '@modelcontextprotocol/client': 'connections to MCP servers: both revisions of the protocol, sign-in',
  '@smithy/core': "decodes the frames of Bedrock's event streams",
  aws4fetch: 'signs requests to Bedrock with an access key',
  oauth4webapi: 'OAuth requests and checks of sign-ins',
  ink: 'draws the terminal UI',
  react: 'needed by Ink',
  'markdown-it': 'Markdown in session pages and in the terminal UI',
  'highlight.js': 'code highlighting in both',
  'modern-tar': 'reads the package of `rxpi models update`',
  '@modelcontextprotocol/server': 'rxpi as an MCP server; loaded by that command alone',
  '@agentclientprotocol/sdk': 'rxpi as an agent for editors; loaded by that command alone',
  minisearch: 'ranks tools that requests leave out by the words of a search',
  'js-yaml': 'the frontmatter of skills and prompt templates',
  'smol-toml': 'the configuration of codex, for rxpi mcp import',
}
