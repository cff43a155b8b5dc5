// Version from the bundler; `development` for sources.
export const version = typeof RXPI_VERSION === 'undefined' ? 'development' : RXPI_VERSION
