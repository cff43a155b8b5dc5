// What the room of services gives to the server.
export { createSessionHost } from './backend/create-session-host.ts'
export { proxySetup } from './proxy/proxy-setup.ts'
