// The version that the bundler put in; a source file that is run as it stands has none.
export const version = typeof RXPI_VERSION === 'undefined' ? 'development' : RXPI_VERSION
