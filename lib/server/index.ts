// Exports of `rxpi/server`: serve sessions over any transport, and connect to a server.
export type { ChannelResult, ChannelTool, ChannelToolCall } from './client-tools/answer-channel-calls.ts'
export { connect as connectOnce } from './client/client.ts'
export type { AttachOptions, Client } from './client/client.ts'
export type { ClientEvent, ReceivedEvent } from './protocol/server-frame.ts'
export { eventsOf } from './client/events-of.ts'
export type { RequestOptions } from './client/client-requests.ts'
export { connectSocket } from './socket/connect-socket.ts'
export type { ConnectionState } from './client/reconnect.ts'
export { createEmbeddedServer, embedServer } from './machine-server.ts'
export type { EmbeddedServerOptions, EmbeddedServer } from './machine-server.ts'
export { createServer } from './create-server.ts'
export type { Server, ServerOptions } from './create-server.ts'
export type { ListedSession, OpeningCommand, ProgramSessionOptions, ProgramSessions } from '../services/index.ts'
export type { HelloFrame } from './protocol/frame.ts'
export { serveGateway } from './gateway/serve-gateway.ts'
export type { Gateway, GatewayOptions } from './gateway/gateway-options.ts'
export { lineFramer } from './protocol/line-framer.ts'
export { linkedPair } from './protocol/linked-pair.ts'
export { proxyEndpoint, serveProxy } from './proxy/proxy-endpoint.ts'
export type { ProxyEndpoint, ProxyEndpointOptions, ServedProxy, ServeProxyOptions } from './proxy/proxy-endpoint.ts'
export { reconnectingClient as connect } from './client/reconnecting-client.ts'
export type { ConnectOptions, ReconnectingClient } from './client/reconnecting-client.ts'
export type { SenderLimits } from './protocol/line-sender.ts'
export { streamTransport } from './protocol/stream-transport.ts'
export type { StreamPair, StreamTransportOptions } from './protocol/stream-transport.ts'
export { serve } from './serve.ts'
export type { ServeOptions } from './serve.ts'
export type { ServerPlace } from './connection/server-status.ts'
export { socketPath } from './socket/socket-path.ts'
export type { SocketPathOptions } from './socket/socket-path.ts'
export type { IncomingLine, Transport } from './protocol/transport.ts'
export type { LineFramerOptions } from './protocol/line-framer.ts'
export type { ListenOptions, Listener } from './socket/listen.ts'
export type {
  AccountsBackend,
  AuthBackend,
  ClosedChange,
  ConfigBackend,
  ImportBackend,
  ModelsBackend,
  OpenedSession,
  ExtensionsBackend,
  McpBackend,
  PolicyBackend,
  ServerBackend,
  SessionsBackend,
  StoredBackend,
} from '../services/contract/server-backend.ts'
export type { SessionOptionsOf } from '../services/contract/program-sessions.ts'
