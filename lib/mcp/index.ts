// Exports what other rooms use of MCP.
export { decodeServer } from './config/decode-server.ts'
export type { DecodeContext } from './config/decode-server.ts'
export type { Variables } from './config/expand-variables.ts'
export type * from './contract/mcp-hub.ts'
export type * from './contract/mcp-offer.ts'
export type * from './contract/mcp-peer.ts'
export type * from './contract/mcp-requests.ts'
export type * from './contract/mcp-server.ts'
