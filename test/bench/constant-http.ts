import { createServer } from 'node:http'

/** A bare node:http server with a constant answer. The port may be given. */
const server = createServer((_, response) => {
  response.setHeader('Content-Type', 'application/json')
  response.end('{"status":"pass"}')
})
server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', () => {
  console.log((server.address() as { port: number }).port)
})
process.once('SIGTERM', () => process.exit(0))
