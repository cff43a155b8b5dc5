// Exports what other rooms use of MCP.
export type * from './contract/mcp-hub.ts'
export type * from './contract/mcp-offer.ts'
export type * from './contract/mcp-peer.ts'
export type * from './contract/mcp-requests.ts'
export type * from './contract/mcp-server.ts'
