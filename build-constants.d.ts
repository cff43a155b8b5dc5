/** The package's version; the bundler and vitest put it in. Absent where a source file is run as it stands. */
declare const RXPI_VERSION: string | undefined
