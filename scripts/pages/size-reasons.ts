// Why each package is there: those that users install, and those of which the bundles carry what is used.

/** Installed beside rxpi. */
export const installed: Readonly<Record<string, string>> = {
  rxjs: 'the streams; a peer, so that users and the library share one copy',
  '@sinclair/typebox': 'schemas; shared with users, whose tools are described by theirs',
  ajv: 'compiles schemas of foreign tools and documents; loaded for those alone',
  '@vscode/ripgrep': 'lists files by the rules of `.gitignore`: a program, which no bundle can carry',
  '@napi-rs/keyring': "the machine's keychain: compiled code; optional, a private file serves where it is missing",
  diff: 'unified diffs of `edit`, `write` and `get_diff`; loaded on first use',
  'eventsource-parser': "splits providers' streams into events",
  fuzzysort: 'ranks files, models and sessions against what is typed',
  'write-file-atomic': 'replaces a file whole, with its mode and owner',
}

/** Carried in chunks that are loaded when they are needed. */
export const carriedParts: Readonly<Record<string, string>> = {
  openai: 'asks OpenAI and those who speak its wires: authentication, request, errors',
  '@anthropic-ai/sdk': 'asks Anthropic and those who speak its wire',
  '@google/genai': "asks Gemini and Vertex; with Google's own sign-in, which is most of it",
  ink: 'draws the terminal UI',
  react: 'what Ink is written for',
  'markdown-it': 'Markdown in session pages and in the terminal UI',
  'highlight.js': 'words of code in both',
}
