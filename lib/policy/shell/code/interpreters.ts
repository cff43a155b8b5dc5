// Lists the interpreters that run code from an option or from their input.

/** Interpreters that read code from their input or from an option. */
export const interpreters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    python: 'c',
    python2: 'c',
    python3: 'c',
    pypy: 'c',
    pypy3: 'c',
    perl: 'eE',
    ruby: 'e',
    node: 'ep',
    nodejs: 'ep',
    bun: 'ep',
    deno: '',
    php: 'rBRE',
    lua: 'e',
    luajit: 'e',
    osascript: 'e',
    Rscript: 'e',
    tclsh: '',
    julia: 'eE',
    groovy: 'e',
    scala: 'e',
    elixir: 'e',
    erl: '',
    guile: 'c',
    racket: 'e',
    sqlite3: '',
    swift: 'e',
    escript: '',
    iex: 'e',
    R: 'e',
    emacs: '',
    jshell: '',
    octave: '',
    raku: 'e',
    clojure: 'e',
    clj: 'e',
    sbcl: '',
    irb: '',
    zx: '',
  }),
)

/** The interpreter behind a versioned name such as `python3.12`; the name itself if it is none. */
export function interpreterName(program: string): string {
  const base = /^(python|pypy|perl|ruby|php|lua)[\d.]*$/.exec(program)?.[1]
  return interpreters.has(program) ? program : (base ?? program)
}
