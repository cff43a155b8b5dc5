// What the room of services gives to the server.
export { createServerBackend } from './backend/create-server-backend.ts'
export { proxySetup } from './proxy/proxy-setup.ts'
